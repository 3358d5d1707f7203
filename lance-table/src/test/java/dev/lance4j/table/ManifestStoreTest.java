package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore.Fault;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.table.MemoryManifestStore.Call;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables whose versions a store outside of the object store decides about. */
class ManifestStoreTest {
  private final MemoryObjectStore objects = new MemoryObjectStore();
  private final FaultyObjectStore faulty = new FaultyObjectStore(objects);
  private final MemoryManifestStore manifests = new MemoryManifestStore();
  private final Table table = Tables.in(faulty).withManifestStore(manifests);
  private final Committer committer = new Committer(table, CommitOptions.DEFAULT);

  private TableVersion create() {
    Operation.Overwrite empty = new Operation.Overwrite(List.of(), Tables.SCHEMA);
    return committer.create(Transaction.of(0, empty));
  }

  private TableVersion append(TableVersion handle, String file) {
    Operation.Append append = new Operation.Append(List.of(Tables.fragment(file, 1)));
    return committer.commit(handle, Transaction.of(handle.version(), append));
  }

  private static String finalPath(long version) {
    return "tables/songs.lance/_versions/" + ManifestNaming.V2.fileName(version);
  }

  private static boolean isStaged(String path) {
    return path.contains("/_versions/") && !path.endsWith(".manifest");
  }

  private List<String> staged(ObjectStore store) {
    List<String> staged = new ArrayList<>();
    store.walk(
        table.path(),
        object -> {
          if (isStaged(object.path())) {
            staged.add(object.path());
          }
        });
    return staged;
  }

  private List<String> files(TableVersion version) {
    return version.manifest().fragments().stream().map(f -> f.files().get(0).path()).toList();
  }

  private void expectFinal(long version) {
    assertThat(manifests.entry(table.path(), version))
        .get()
        .isEqualTo(
            new ManifestStore.Entry(
                version, finalPath(version), objects.stat(finalPath(version)).size()));
    assertThat(staged(objects)).isEmpty();
  }

  @Test
  void aCommitEndsWithTheFinalNameInBothStores() {
    TableVersion second = append(create(), "a.lance");

    assertThat(second.location().path()).isEqualTo(finalPath(2));
    expectFinal(1);
    expectFinal(2);
    assertThat(table.latest().manifest()).isEqualTo(second.manifest());
    assertThat(table.versions()).extracting(VersionSummary::id).containsExactly(1L, 2L);
  }

  @Test
  void nothingIsCommittedBeforeTheManifestIsStaged() {
    TableVersion first = create();
    faulty.fail(Fault.ERROR_BEFORE, StoreCall.PUT, ManifestStoreTest::isStaged, 1, 1);

    assertThatThrownBy(() -> append(first, "a.lance")).isInstanceOf(UncheckedIOException.class);

    assertThat(table.latest().version()).isEqualTo(1);
    assertThat(files(append(first, "b.lance"))).containsExactly("b.lance");
  }

  @Test
  void aStagedManifestIsNoVersion() {
    TableVersion first = create();
    manifests.failNext(Call.PUT_IF_ABSENT, MemoryManifestStore.Fault.BEFORE);

    assertThatThrownBy(() -> append(first, "a.lance")).isInstanceOf(UncheckedIOException.class);

    assertThat(staged(objects)).isEmpty();
    assertThat(table.latest().version()).isEqualTo(1);
    assertThat(files(append(first, "b.lance"))).containsExactly("b.lance");
  }

  @Test
  void aLostReplyToTheCommitIsRecognisedAsSuccess() {
    TableVersion first = create();
    manifests.failNext(Call.PUT_IF_ABSENT, MemoryManifestStore.Fault.AFTER);

    assertThat(append(first, "a.lance").version()).isEqualTo(2);

    expectFinal(2);
  }

  @Test
  void whatIsStagedStaysWhenNobodyCanTellWhetherItIsCommitted() {
    TableVersion first = create();
    manifests.failNext(Call.PUT_IF_ABSENT, MemoryManifestStore.Fault.AFTER);
    manifests.failNext(Call.FIND, MemoryManifestStore.Fault.BEFORE);
    manifests.failNext(Call.FIND, MemoryManifestStore.Fault.BEFORE);

    assertThatThrownBy(() -> append(first, "a.lance")).isInstanceOf(UncheckedIOException.class);

    assertThat(files(table.latest())).containsExactly("a.lance");
    expectFinal(2);
  }

  /** Where a writer dies after the manifest store has the version. */
  enum Crash {
    BEFORE_THE_COPY,
    AFTER_THE_COPY,
    AFTER_THE_RECORD
  }

  private void dieAt(Crash crash) {
    switch (crash) {
      case BEFORE_THE_COPY ->
          faulty.fail(Fault.ERROR_BEFORE, StoreCall.PUT, finalPath(2)::equals, 1, 1);
      case AFTER_THE_COPY ->
          manifests.failNext(Call.PUT_IF_PRESENT, MemoryManifestStore.Fault.BEFORE);
      case AFTER_THE_RECORD ->
          faulty.fail(Fault.ERROR_BEFORE, StoreCall.DELETE, ManifestStoreTest::isStaged, 1, 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCommittedVersionIsFinishedByWhoeverReadsTheNewest(Crash crash) {
    TableVersion first = create();
    dieAt(crash);

    TableVersion second = append(first, "a.lance");

    assertThat(second.version()).isEqualTo(2);
    assertThat(table.latest().manifest()).isEqualTo(second.manifest());
    expectFinished(crash);
  }

  @ParameterizedTest
  @EnumSource
  void aCommittedVersionIsFinishedByWhoeverReadsIt(Crash crash) {
    TableVersion first = create();
    dieAt(crash);
    append(first, "a.lance");

    assertThat(files(table.version(2))).containsExactly("a.lance");

    expectFinished(crash);
  }

  @ParameterizedTest
  @EnumSource
  void aCommittedVersionIsFinishedByTheNextWriter(Crash crash) {
    TableVersion first = create();
    dieAt(crash);
    append(first, "a.lance");

    assertThat(files(append(first, "b.lance"))).containsExactly("a.lance", "b.lance");

    expectFinished(crash);
    assertThat(table.versions()).extracting(VersionSummary::id).containsExactly(1L, 2L, 3L);
  }

  private void expectFinished(Crash crash) {
    if (crash == Crash.AFTER_THE_RECORD) {
      assertThat(manifests.entry(table.path(), 2)).get().extracting("path").isEqualTo(finalPath(2));
      assertThat(staged(objects)).hasSize(1);
    } else {
      expectFinal(2);
    }
  }

  @Test
  void aReaderThatCannotFinishAVersionFails() {
    TableVersion first = create();
    dieAt(Crash.BEFORE_THE_COPY);
    append(first, "a.lance");
    dieAt(Crash.BEFORE_THE_COPY);

    assertThatThrownBy(table::latest).isInstanceOf(UncheckedIOException.class);

    assertThat(table.latest().version()).isEqualTo(2);
  }

  @Test
  void aVersionThatSomebodyElseFinishedMeanwhileIsFound() {
    TableVersion first = create();
    dieAt(Crash.AFTER_THE_COPY);
    append(first, "a.lance");
    staged(objects).forEach(objects::delete);

    assertThat(files(table.latest())).containsExactly("a.lance");

    expectFinal(2);
  }

  @Test
  void aManifestThatIsNowhereIsNamed() {
    TableVersion first = create();
    dieAt(Crash.BEFORE_THE_COPY);
    append(first, "a.lance");
    List<String> staged = staged(objects);
    staged.forEach(objects::delete);

    assertThatThrownBy(table::latest)
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining(staged.get(0));
  }

  @Test
  void anEntryThatIsNotWhatItsNameSaysIsRefused() {
    create();
    manifests.putIfAbsent(table.path(), new ManifestStore.Entry(2, finalPath(1), 1));

    assertThatThrownBy(table::latest).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void versionsFromBeforeTheManifestStoreAreFoundAndRecorded() {
    Table before = Tables.in(objects);
    TableVersion first =
        new Committer(before, CommitOptions.DEFAULT)
            .create(Transaction.of(0, new Operation.Overwrite(List.of(), Tables.SCHEMA)));

    assertThat(table.latest().version()).isEqualTo(1);
    assertThat(table.version(1).manifest()).isEqualTo(first.manifest());
    expectFinal(1);
    assertThat(append(table.latest(), "a.lance").version()).isEqualTo(2);
    expectFinal(2);
  }

  @Test
  void aVersionOfAWriterWithoutTheManifestStoreIsNotReplaced() {
    TableVersion first = create();
    Table without = Tables.in(objects);
    new Committer(without, CommitOptions.DEFAULT)
        .commit(
            without.latest(),
            Transaction.of(1, new Operation.Append(List.of(Tables.fragment("theirs.lance", 1)))));

    assertThat(files(append(first, "ours.lance"))).containsExactly("theirs.lance", "ours.lance");
  }

  @Test
  void concurrentWritersLoseNothing() throws Exception {
    create();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<TableVersion>> writers = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        String file = "f" + i + ".lance";
        writers.add(() -> append(table.latest(), file));
      }
      for (Future<TableVersion> written : threads.invokeAll(writers)) {
        written.get();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(table.latest().version()).isEqualTo(13);
    assertThat(files(table.latest())).hasSize(12).doesNotHaveDuplicates();
    LongStream.rangeClosed(1, 13).forEach(this::expectFinal);
  }

  @Test
  void detachedVersionsDoNotTakePart() {
    TableVersion first = create();

    TableVersion detached =
        committer.commitDetached(
            first, Transaction.of(1, new Operation.Append(List.of(Tables.fragment("a.lance", 1)))));

    assertThat(table.latest().version()).isEqualTo(1);
    assertThat(files(table.version(detached.version()))).containsExactly("a.lance");
  }

  @Test
  void aBranchThatIsMadeAnewHasNoVersionsOfTheEarlierOne() {
    TableVersion first = create();
    first.branches().create("dev");
    TableVersion dev = first.checkout(Ref.branch("dev"));
    new Committer(dev.table(), CommitOptions.DEFAULT)
        .commit(
            dev, Transaction.of(1, new Operation.Append(List.of(Tables.fragment("a.lance", 1)))));
    first.branches().delete("dev");

    first.branches().create("dev");

    assertThat(first.checkout(Ref.branch("dev")).version()).isEqualTo(1);
  }

  @Test
  void manifestsThatAreRecordedAreNotRenamed() {
    create();

    assertThatThrownBy(table::migrateManifestNames).isInstanceOf(UnsupportedFormatException.class);
  }

  @Test
  void damageInWhatIsStagedIsFoundWhenItIsRead() {
    create();
    String staged = finalPath(2) + "-5f3a7a0e-94e6-4a57-bd4a-6b0f7f7f2f4a";
    objects.put(staged, ByteBuffer.wrap(new byte[20]));
    manifests.putIfAbsent(table.path(), new ManifestStore.Entry(2, staged, 20));

    assertThatThrownBy(table::latest).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void aTableThatIsThereIsNotCreated() {
    create();

    assertThatThrownBy(this::create).isInstanceOf(dev.lance4j.format.DatasetExistsException.class);
    assertThat(Optional.of(table.latest().version())).contains(1L);
    assertThatThrownBy(() -> table.latest().tags().update("x", 1))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void aVersionThatWasCleanedUpIsForgotten() {
    TableVersion second = append(create(), "a.lance");
    TableVersion third = append(second, "b.lance");

    CleanupResult result = new Cleanup(CleanupPolicy.builder().build()).run(third);

    assertThat(result.oldVersions()).isEqualTo(2);
    assertThat(manifests.entry(table.path(), 1)).isEmpty();
    assertThat(manifests.entry(table.path(), 2)).isEmpty();
    expectFinal(3);
    assertThatThrownBy(() -> table.version(2)).isInstanceOf(VersionNotFoundException.class);
    assertThat(append(third, "c.lance").version()).isEqualTo(4);
  }

  @Test
  void aVersionWhoseManifestIsGoneIsNotFoundThoughItIsRecorded() {
    TableVersion second = append(create(), "a.lance");
    objects.delete(finalPath(1));

    assertThatThrownBy(() -> table.version(1)).isInstanceOf(VersionNotFoundException.class);
    assertThat(table.latest().version()).isEqualTo(second.version());
  }

  @Test
  void aDryRunForgetsNothing() {
    TableVersion second = append(create(), "a.lance");

    new Cleanup(CleanupPolicy.builder().dryRun(true).build()).run(second);

    expectFinal(1);
  }

  @Test
  void whatWasStagedAndNeverCommittedGoesWhenItIsOldOrItIsAskedFor() {
    TableVersion second = append(create(), "a.lance");
    String staged = finalPath(3) + "-" + UUID.randomUUID();
    objects.put(staged, ByteBuffer.allocate(10));

    new Cleanup(CleanupPolicy.builder().build()).run(second);
    assertThat(staged(objects)).containsExactly(staged);

    new Cleanup(CleanupPolicy.builder().deleteUnverified(true).build()).run(second);
    assertThat(staged(objects)).isEmpty();
    assertThat(table.latest().version()).isEqualTo(2);
  }

  @Test
  void aCommittedVersionThatIsStillStagedIsNotCleanedUp() {
    TableVersion first = create();
    dieAt(Crash.values()[0]);
    try {
      append(first, "a.lance");
    } catch (UncheckedIOException e) {
      // The writer is gone.
    }

    new Cleanup(CleanupPolicy.builder().deleteUnverified(true).build()).run(first);

    assertThat(files(table.latest())).containsExactly("a.lance");
  }
}
