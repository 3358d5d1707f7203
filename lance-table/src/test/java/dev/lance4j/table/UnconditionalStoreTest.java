package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.DatasetExistsException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.format.testing.UnconditionalObjectStore;
import dev.lance4j.format.testing.UnconditionalObjectStore.Manner;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits to stores that cannot write an object if and only if it is absent. */
class UnconditionalStoreTest {
  private final ObjectStore objects = new MemoryObjectStore();

  private UnconditionalObjectStore store(Manner manner) {
    return new UnconditionalObjectStore(objects, manner);
  }

  private static Operation.Overwrite overwrite(String file) {
    return new Operation.Overwrite(List.of(Tables.fragment(file, 1)), Tables.SCHEMA);
  }

  private static Operation append(String file) {
    return Operation.append(List.of(Tables.fragment(file, 1)));
  }

  private static TableVersion create(Table table) {
    return new Committer(table, CommitOptions.DEFAULT)
        .create(Transaction.of(0, overwrite("first.lance")));
  }

  private static TableVersion commit(TableVersion handle, Operation operation) {
    return new Committer(handle.table(), CommitOptions.DEFAULT)
        .commit(handle, Transaction.of(handle.version(), operation));
  }

  private static Set<String> paths(ObjectStore store) {
    Set<String> paths = new TreeSet<>();
    store.walk(Tables.in(store).path(), object -> paths.add(object.path()));
    return paths;
  }

  private static List<String> files(TableVersion version) {
    return version.manifest().fragments().stream().map(f -> f.files().get(0).path()).toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"DECLINES", "DECLINES_LATE"})
  void whoCannotCommitWritesNothing(Manner manner) {
    Table table = Tables.in(store(manner));
    assertThatThrownBy(() -> create(table)).isInstanceOf(UnsupportedFormatException.class);
    assertThat(paths(objects)).isEmpty();

    create(Tables.in(objects));
    Set<String> before = paths(objects);
    TableVersion first = table.latest();
    assertThatThrownBy(() -> commit(first, append("more.lance")))
        .isInstanceOf(UnsupportedFormatException.class);
    assertThatThrownBy(
            () ->
                new Committer(table, CommitOptions.DEFAULT)
                    .commitDetached(first, Transaction.of(1, append("more.lance"))))
        .isInstanceOf(UnsupportedFormatException.class);
    assertThatThrownBy(() -> first.branches().create("side", 1))
        .isInstanceOf(UnsupportedFormatException.class);

    assertThat(paths(objects)).isEqualTo(before);
  }

  @Test
  void theErrorNamesTheWayOut() {
    assertThatThrownBy(() -> create(Tables.in(store(Manner.DECLINES))))
        .hasMessageContaining("tables/songs.lance")
        .hasMessageContaining("manifest store");
  }

  @Test
  void aManifestStoreMakesUpForIt() throws Exception {
    Table table = Tables.in(store(Manner.DECLINES)).withManifestStore(new MemoryManifestStore());
    TableVersion first = create(table);
    int writers = 4;
    int appends = 10;
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      List<Callable<Void>> jobs = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        String name = "w" + w + "-";
        jobs.add(
            () -> {
              TableVersion handle = first;
              for (int i = 0; i < appends; i++) {
                handle = commit(handle, append(name + i));
              }
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(jobs)) {
        done.get();
      }
    } finally {
      threads.shutdown();
    }

    TableVersion newest = table.latest();
    assertThat(newest.version()).isEqualTo(1 + writers * appends);
    assertThat(files(newest)).doesNotHaveDuplicates().hasSize(1 + writers * appends);
  }

  @Test
  void tagsBranchesAndDetachedVersionsWorkWithAManifestStore() {
    Table table = Tables.in(store(Manner.DECLINES)).withManifestStore(new MemoryManifestStore());
    TableVersion first = create(table);

    first.tags().create("t", 1);
    first.branches().create("side", 1);
    TableVersion detached =
        new Committer(table, CommitOptions.DEFAULT)
            .commitDetached(first, Transaction.of(1, append("more.lance")));

    assertThat(first.checkout(Ref.tag("t")).version()).isEqualTo(1);
    assertThat(files(first.checkout(Ref.branch("side")))).containsExactly("first.lance");
    assertThat(files(table.version(detached.version())))
        .containsExactly("first.lance", "more.lance");
    assertThatThrownBy(() -> first.tags().create("t", 1)).hasMessageContaining("already");
  }

  /**
   * What another writer makes of the table, whose commit is on its way: it found the same newest
   * version and writes the same next one.
   */
  private Runnable replaceBy(Operation operation) {
    ObjectStore elsewhere = new MemoryObjectStore();
    paths(objects).forEach(path -> elsewhere.put(path, read(objects, path)));
    Table other = Tables.in(elsewhere);
    if (other.findLatest().isPresent()) {
      commit(other.latest(), operation);
    } else {
      new Committer(other, CommitOptions.DEFAULT).create(Transaction.of(0, operation));
    }
    Set<String> theirs = paths(elsewhere);
    theirs.removeAll(paths(objects));
    return () -> theirs.forEach(path -> objects.put(path, read(elsewhere, path)));
  }

  private static ByteBuffer read(ObjectStore store, String path) {
    try (ObjectReader reader = store.open(path)) {
      return reader.read(0, (int) reader.size());
    }
  }

  @Test
  void aVersionThatSomebodyElseReplacedIsNotTakenForOnesOwn() {
    UnconditionalObjectStore store = store(Manner.IGNORES_THE_CONDITION);
    TableVersion first = create(Tables.in(store));
    store.afterNextPutIfAbsent(replaceBy(append("theirs.lance")));

    TableVersion ours = commit(first, append("ours.lance"));

    assertThat(ours.version()).isEqualTo(3);
    assertThat(files(ours.table().latest()))
        .containsExactly("first.lance", "theirs.lance", "ours.lance");
    assertThat(paths(objects).stream().filter(path -> path.endsWith(".txn"))).hasSize(3);
  }

  @Test
  void whatDoesNotGoWithTheReplacementIsAConflict() {
    UnconditionalObjectStore store = store(Manner.IGNORES_THE_CONDITION);
    TableVersion first = create(Tables.in(store));
    store.afterNextPutIfAbsent(replaceBy(overwrite("theirs.lance")));

    assertThatThrownBy(() -> commit(first, append("ours.lance")))
        .isInstanceOf(CommitConflictException.class);
    assertThat(files(first.table().latest())).containsExactly("theirs.lance");

    store.afterNextPutIfAbsent(replaceBy(append("more.lance")));
    TableVersion second = first.table().latest();
    assertThatThrownBy(
            () ->
                new Committer(second.table(), CommitOptions.DEFAULT.withMaxRetries(0))
                    .commit(second, Transaction.of(2, overwrite("ours.lance"))))
        .isInstanceOf(CommitConflictException.class);
    assertThat(files(first.table().latest())).containsExactly("theirs.lance", "more.lance");
  }

  @Test
  void aTableThatSomebodyElseCreatedInItsPlaceIsSaidToExist() {
    UnconditionalObjectStore store = store(Manner.IGNORES_THE_CONDITION);
    store.afterNextPutIfAbsent(replaceBy(overwrite("theirs.lance")));

    assertThatThrownBy(() -> create(Tables.in(store))).isInstanceOf(DatasetExistsException.class);
    assertThat(files(Tables.in(store).latest())).containsExactly("theirs.lance");
  }

  @Test
  void aVersionThatIsThereIsNotReplaced() {
    UnconditionalObjectStore store = store(Manner.IGNORES_THE_CONDITION);
    TableVersion first = create(Tables.in(store));
    commit(first, append("theirs.lance"));
    Table blind = Tables.in(store);

    assertThat(
            blind.putIfAbsent(
                blind.manifest(2, ManifestNaming.V2), ByteBuffer.wrap(new byte[] {1})))
        .isFalse();
    assertThat(files(blind.latest())).containsExactly("first.lance", "theirs.lance");
  }

  @Test
  void aVersionThatVanishedIsNeitherCommittedNorRefused() {
    UnconditionalObjectStore store = store(Manner.IGNORES_THE_CONDITION);
    TableVersion first = create(Tables.in(store));
    Table table = first.table();
    store.afterNextPutIfAbsent(() -> objects.delete(table.manifest(2, ManifestNaming.V2).path()));

    assertThatThrownBy(() -> commit(first, append("ours.lance")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cannot be told");
  }

  @Test
  void readingBackTakesOneRead() {
    CountingObjectStore store = new CountingObjectStore(store(Manner.IGNORES_THE_CONDITION));
    TableVersion first = create(Tables.in(store));
    store.reset();

    commit(first, append("more.lance"));

    assertThat(store.calls(StoreCall.READ)).isEqualTo(1);
    assertThat(store.calls(StoreCall.PUT_IF_ABSENT)).isEqualTo(1);
  }
}
