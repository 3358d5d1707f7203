package dev.lance4j.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.store.MemoryObjectStore;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Commits during which others commit more and a clean-up removes what is old. */
class SuccessionTest {
  private static final CleanupPolicy ALL_OLD =
      CleanupPolicy.builder().errorIfTaggedOldVersions(false).build();

  private final FaultyStore store = new FaultyStore(new MemoryObjectStore());
  private final Table table = Tables.in(store);
  private final TableVersion first =
      new Committer(table, CommitOptions.DEFAULT)
          .create(Transaction.of(0, Operation.overwrite(List.of(), Tables.SCHEMA)));

  private TableVersion commit(Operation operation) {
    TableVersion latest = table.latest();
    return new Committer(table, CommitOptions.DEFAULT)
        .commit(latest, Transaction.of(latest.version(), operation));
  }

  private static Operation append(String file) {
    return Operation.append(List.of(Tables.fragment(file, 1)));
  }

  private void cleanUp() {
    new Cleanup(ALL_OLD).run(table.latest());
  }

  private List<Long> versions() {
    return table.findAll().stream().map(ManifestLocation::version).toList();
  }

  @Test
  void aNameThatIsFreeAgainIsNoPlaceInTheHistory() {
    store.interfereNext(
        () -> {
          commit(append("theirs.lance"));
          commit(append("more.lance"));
          cleanUp();
        });

    assertThatThrownBy(
            () ->
                new Committer(table, CommitOptions.DEFAULT)
                    .commit(first, Transaction.of(1, append("ours.lance"))))
        .isInstanceOfSatisfying(
            CommitConflictException.class, e -> assertThat(e.isRetryable()).isTrue());
    assertThat(versions()).containsExactly(3L);

    assertThat(commit(append("ours.lance")).manifest().fragments()).hasSize(3);
  }

  @Test
  void whatCannotBeToldApartIsSaid() {
    store.interfereNext(
        () -> {
          commit(append("theirs.lance"));
          commit(Operation.overwrite(List.of(Tables.fragment("new.lance", 1)), Tables.SCHEMA));
          cleanUp();
        });

    assertThatThrownBy(() -> commitOnFirst(append("ours.lance")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cannot be told");
    assertThat(table.latest().version()).isEqualTo(3);
  }

  private TableVersion commitOnFirst(Operation operation) {
    return new Committer(table, CommitOptions.DEFAULT).commit(first, Transaction.of(1, operation));
  }

  @Test
  void theNameAfterATaggedVersionIsNotFreeWhileACommitMayBeUnderWay() {
    String tag = "{\"branch\": null, \"version\": 1, \"manifestSize\": 1}";
    store.put(table.path() + "/_refs/tags/t.json", ByteBuffer.wrap(tag.getBytes(UTF_8)));
    store.interfereNext(
        () -> {
          commit(append("theirs.lance"));
          commit(append("more.lance"));
          commit(append("most.lance"));
          cleanUp();
        });

    TableVersion ours = commitOnFirst(append("ours.lance"));

    assertThat(ours.version()).isEqualTo(5);
    assertThat(ours.manifest().fragments()).hasSize(4);
  }

  @Test
  void aVersionThatOthersBuiltOnIsInTheHistoryThoughItsBaseIsGone() {
    TableVersion second =
        commit(
            Operation.UpdateConfig.ofConfig(
                MapUpdate.set(
                    Map.of(
                        "lance.auto_cleanup.interval", "1",
                        "lance.auto_cleanup.older_than", "0s"))));
    TableVersion third = commit(append("a.lance"));
    TableVersion fourth = commit(append("b.lance"));

    assertThat(List.of(second.version(), third.version(), fourth.version()))
        .containsExactly(2L, 3L, 4L);
    assertThat(versions()).containsExactly(3L, 4L);
    assertThat(fourth.manifest().fragments()).hasSize(2);
  }
}
