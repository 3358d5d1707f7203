package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.DatasetExistsException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.table.FaultyStore.Fault;
import dev.lance4j.table.internal.ManifestFile;
import dev.lance4j.table.internal.TransactionMessages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CommitterTest {
  @TempDir private Path folder;

  private final FaultyStore store = new FaultyStore(new MemoryObjectStore());
  private final Table table = Tables.in(store);
  private final Committer committer = new Committer(table, CommitOptions.DEFAULT);

  private static Operation.Append append(String file, long rows) {
    return new Operation.Append(List.of(Tables.fragment(file, rows)));
  }

  private static Operation.Overwrite overwrite(String... files) {
    List<FragmentMetadata> fragments = new ArrayList<>();
    for (String file : files) {
      fragments.add(Tables.fragment(file, 10));
    }
    return new Operation.Overwrite(fragments, Tables.SCHEMA);
  }

  private TableVersion create(String... files) {
    return committer.create(Transaction.of(0, overwrite(files)));
  }

  private TableVersion commit(TableVersion handle, Operation operation) {
    return committer.commit(handle, Transaction.of(handle.version(), operation));
  }

  private List<String> transactionFiles() {
    List<String> names = new ArrayList<>();
    table
        .store()
        .list(
            table.path() + "/_transactions",
            name -> {
              names.add(name);
              return true;
            });
    return names;
  }

  private static List<Long> ids(TableVersion version) {
    return version.manifest().fragments().stream().map(FragmentMetadata::id).toList();
  }

  @Test
  void aNewTableHasAFirstVersion() {
    TableVersion version = create("a.lance", "b.lance");

    Manifest manifest = version.manifest();
    assertThat(version.version()).isEqualTo(1);
    assertThat(version.location().naming()).isEqualTo(ManifestNaming.V2);
    assertThat(ids(version)).containsExactly(0L, 1L);
    assertThat(manifest.maxFragmentId()).hasValue(1);
    assertThat(manifest.dataFormat()).contains(FileVersion.V2_1);
    assertThat(manifest.writerVersion()).contains(WriterVersion.LANCE4J);
    assertThat(manifest.readerFlags()).isZero();
    assertThat(manifest.writerFlags()).isZero();
    assertThat(table.latest().manifest()).isEqualTo(manifest);
  }

  @Test
  void aTableWithoutRowsHasNoFragmentIds() {
    assertThat(create().manifest().maxFragmentId()).isEqualTo(OptionalLong.empty());
    assertThat(ids(commit(table.latest(), append("a.lance", 1)))).containsExactly(0L);
  }

  @Test
  void aTableIsNotCreatedTwice() {
    create();

    assertThatThrownBy(this::create).isInstanceOf(DatasetExistsException.class);
    assertThat(transactionFiles()).hasSize(1);
  }

  @Test
  void whoeverLosesTheRaceToCreateATableIsTold() {
    Committer other = new Committer(table, CommitOptions.DEFAULT);
    store.interfereNext(() -> other.create(Transaction.of(0, overwrite("theirs.lance"))));

    assertThatThrownBy(() -> create("ours.lance")).isInstanceOf(DatasetExistsException.class);
    assertThat(table.latest().manifest().fragments().get(0).files().get(0).path())
        .isEqualTo("theirs.lance");
    assertThat(transactionFiles()).hasSize(1);
  }

  @Test
  void onlyAnOverwriteCreatesATable() {
    assertThatThrownBy(() -> committer.create(Transaction.of(0, append("a.lance", 1))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("Append");
  }

  @Test
  void theTransactionIsInAFileAndInTheManifest() {
    create();
    Transaction transaction = Transaction.of(1, append("a.lance", 3));

    TableVersion version = committer.commit(table.latest(), transaction);

    String path = table.path() + "/_transactions/1-" + transaction.uuid() + ".txn";
    assertThat(version.manifest().transactionFile()).isEqualTo(transaction.fileName());
    try (ObjectReader reader = table.store().open(path)) {
      assertThat(Hex.array(reader.read(0, (int) reader.size())))
          .isEqualTo(TransactionMessages.toBytes(transaction));
    }
    assertThat(table.latest().transaction()).contains(transaction);
  }

  @Test
  void appendsToOneVersionFollowEachOther() {
    TableVersion first = create("a.lance");

    TableVersion second = commit(first, append("b.lance", 1));
    TableVersion third = commit(first, append("c.lance", 2));
    TableVersion fourth = commit(first, append("d.lance", 3));

    assertThat(List.of(second.version(), third.version(), fourth.version()))
        .containsExactly(2L, 3L, 4L);
    assertThat(ids(fourth)).containsExactly(0L, 1L, 2L, 3L);
    assertThat(fourth.manifest().fragments().get(3).files().get(0).path()).isEqualTo("d.lance");
    assertThat(fourth.transaction().orElseThrow().readVersion()).isEqualTo(1);
  }

  @Test
  void anOverwriteStartsFragmentIdsAgainButKeepsTheHighest() {
    TableVersion first = create("a.lance", "b.lance", "c.lance");

    TableVersion second = commit(first, overwrite("d.lance"));
    TableVersion third = commit(second, append("e.lance", 1));

    assertThat(ids(second)).containsExactly(0L);
    assertThat(second.manifest().maxFragmentId()).hasValue(2);
    assertThat(ids(third)).containsExactly(0L, 3L);
  }

  @Test
  void reservedIdsAreTheLastOnes() {
    TableVersion second = commit(create(), new Operation.ReserveFragments(3));

    assertThat(second.manifest().maxFragmentId()).hasValue(3);
    assertThat(ids(commit(second, append("a.lance", 1)))).containsExactly(4L);
  }

  @Test
  void aDeletionSetsItsFlagAndTheLastOneClearsIt() {
    TableVersion first = create("a.lance", "b.lance");
    FragmentMetadata updated =
        first
            .manifest()
            .fragments()
            .get(1)
            .withDeletionFile(
                Optional.of(
                    new DeletionFile(
                        DeletionFile.Form.ARROW_ARRAY, 1, 77, 2, OptionalInt.empty())));

    TableVersion second = commit(first, new Operation.Delete(List.of(updated), List.of(), "x < 2"));
    TableVersion third = commit(second, new Operation.Delete(List.of(), List.of(1L), "x"));

    assertThat(second.manifest().readerFlags()).isEqualTo(1);
    assertThat(second.manifest().writerFlags()).isEqualTo(1);
    assertThat(second.manifest().fragments().get(1)).isEqualTo(updated);
    assertThat(ids(third)).containsExactly(0L);
    assertThat(third.manifest().readerFlags()).isZero();
    assertThat(third.manifest().maxFragmentId()).hasValue(1);
  }

  @Test
  void settingsSurviveAnOverwriteAndSetTheWritersFlagOnly() {
    TableVersion second =
        commit(create(), Operation.UpdateConfig.ofConfig(MapUpdate.set(Map.of("a", "1"))));
    TableVersion third =
        commit(
            second, new Operation.Overwrite(List.of(), Tables.SCHEMA, Map.of("b", "2"), List.of()));

    assertThat(second.manifest().writerFlags()).isEqualTo(8);
    assertThat(second.manifest().readerFlags()).isZero();
    assertThat(third.manifest().config()).isEqualTo(Map.of("a", "1", "b", "2"));
  }

  @Test
  void aRestoreBringsBackContentButNotCounters() {
    TableVersion first = create("a.lance");
    TableVersion third = commit(commit(first, append("b.lance", 1)), append("c.lance", 1));

    TableVersion fourth = commit(third, new Operation.Restore(1));
    TableVersion fifth = commit(fourth, append("d.lance", 1));

    assertThat(fourth.version()).isEqualTo(4);
    assertThat(ids(fourth)).containsExactly(0L);
    assertThat(ids(fifth)).containsExactly(0L, 3L);
    assertThatThrownBy(() -> commit(fifth, new Operation.Restore(99)))
        .isInstanceOf(VersionNotFoundException.class);
  }

  @Test
  void stableRowIdsAreGivenInOrder() {
    Committer stable = new Committer(table, CommitOptions.DEFAULT.withStableRowIds(true));
    TableVersion first = stable.create(Transaction.of(0, overwrite()));
    TableVersion second = committer.commit(first, Transaction.of(1, append("a.lance", 4)));
    TableVersion third = committer.commit(second, Transaction.of(1, append("b.lance", 3)));

    assertThat(first.manifest().hasStableRowIds()).isTrue();
    assertThat(second.manifest().nextRowId()).isEqualTo(4);
    assertThat(third.manifest().nextRowId()).isEqualTo(7);
    assertThat(third.manifest().readerFlags()).isEqualTo(2);
    FragmentMetadata a = third.manifest().fragments().get(0);
    FragmentMetadata b = third.manifest().fragments().get(1);
    assertThat(inline(a.rowIds())).isEqualTo(Hex.array(Hex.bytes("0A 04 0A 02 10 04")));
    assertThat(inline(b.rowIds())).isEqualTo(Hex.array(Hex.bytes("0A 06 0A 04 08 04 10 07")));
    assertThat(inline(a.createdVersions()))
        .isEqualTo(Hex.array(Hex.bytes("0A 08 0A 04 0A 02 10 04 10 02")));
    assertThat(b.createdVersions()).isEqualTo(b.lastUpdatedVersions());
    assertThat(inline(b.createdVersions()))
        .isEqualTo(Hex.array(Hex.bytes("0A 08 0A 04 0A 02 10 03 10 03")));
  }

  private static byte[] inline(Optional<SequenceLocation> location) {
    return ((SequenceLocation.Inline) location.orElseThrow()).bytes().toByteArray();
  }

  @Test
  void filesOfAnotherVersionAreRefused() {
    TableVersion first = create("a.lance");
    FragmentMetadata fragment =
        FragmentMetadata.of(
            List.of(DataFile.of("b.lance", List.of(0, 1), List.of(0, 1), FileVersion.V2_0, 10)), 5);

    assertThatThrownBy(() -> commit(first, new Operation.Append(List.of(fragment))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("2.0")
        .hasMessageContaining("2.1");
    assertThat(transactionFiles()).hasSize(1);
  }

  @Test
  void aFragmentIdThatIsTakenIsRefused() {
    TableVersion second = commit(create("a.lance"), append("b.lance", 1));

    assertThatThrownBy(
            () ->
                commit(
                    second, new Operation.Append(List.of(Tables.fragment("c.lance", 1).withId(1)))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("fragment 1");
  }

  @Test
  void anUnknownWriterFlagForbidsWritingButNotReading() {
    Manifest manifest = Manifest.builder(1, Tables.SCHEMA).flags(0, 4096).build();
    Tables.put(
        table, ManifestNaming.V2.fileName(1), ManifestFile.write(manifest, List.of(), new byte[0]));

    TableVersion version = table.latest();

    assertThatThrownBy(() -> commit(version, append("a.lance", 1)))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("4096");
  }

  @Test
  void theLowestConflictingVersionIsReported() {
    TableVersion first = create("a.lance", "b.lance");
    commit(commit(first, new Operation.Delete(List.of(), List.of(0L), "")), overwrite("c.lance"));

    assertThatThrownBy(() -> commit(first, new Operation.Delete(List.of(), List.of(0L), "")))
        .isInstanceOfSatisfying(
            CommitConflictException.class,
            e -> {
              assertThat(e.version()).isEqualTo(2);
              assertThat(e.isRetryable()).isTrue();
            })
        .hasMessageContaining(
            "This Delete transaction was preempted by concurrent transaction"
                + " Delete at version 2");
  }

  @Test
  void anAppendDoesNotFollowAnOverwrite() {
    TableVersion first = create("a.lance");
    commit(first, overwrite("b.lance"));

    assertThatThrownBy(() -> commit(first, append("c.lance", 1)))
        .isInstanceOfSatisfying(
            CommitConflictException.class, e -> assertThat(e.isRetryable()).isFalse())
        .hasMessageContaining(
            "This Append transaction is incompatible with concurrent"
                + " transaction Overwrite at version 2");
    assertThat(transactionFiles()).hasSize(2);
  }

  @Test
  void readVersionZeroTrustsTheHandle() {
    create("a.lance");
    TableVersion second = commit(table.latest(), overwrite("b.lance"));

    TableVersion third = committer.commit(second, Transaction.of(0, append("c.lance", 1)));

    assertThat(third.version()).isEqualTo(3);
  }

  @Test
  void aStrictOverwriteDoesNotFollowAnything() {
    TableVersion first = create("a.lance");
    commit(first, append("b.lance", 1));
    Committer strict = new Committer(table, CommitOptions.DEFAULT.withMaxRetries(0));

    assertThatThrownBy(() -> strict.commit(first, Transaction.of(1, overwrite("c.lance"))))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("after 0 retries");
    assertThat(strict.commit(first, Transaction.of(2, overwrite("c.lance"))).version())
        .isEqualTo(3);
  }

  @Test
  void aVersionWithAnUnknownOperationCannotBeChecked() {
    TableVersion first = create("a.lance");
    Manifest manifest = first.manifest().toBuilder().version(2).build();
    Tables.put(
        table,
        ManifestNaming.V2.fileName(2),
        ManifestFile.write(manifest, List.of(), Hex.array(Hex.bytes("A2 07 00"))));

    assertThat(table.latest().version()).isEqualTo(2);
    assertThatThrownBy(() -> commit(first, append("b.lance", 1)))
        .isInstanceOf(UnsupportedFormatException.class);
  }

  @Test
  void whoeverIsSlowerTriesAgainOnTopAndLeavesNoFileBehind() {
    TableVersion first = create("a.lance");
    store.interfereNext(
        () ->
            new Committer(table, CommitOptions.DEFAULT)
                .commit(first, Transaction.of(1, append("theirs.lance", 1))));

    TableVersion version = commit(first, append("ours.lance", 1));

    assertThat(version.version()).isEqualTo(3);
    assertThat(ids(version)).containsExactly(0L, 1L, 2L);
    assertThat(transactionFiles()).hasSize(3);
  }

  @Test
  void whoeverIsSlowerEachTimeGivesUp() {
    TableVersion first = create("a.lance");
    Committer impatient = new Committer(table, CommitOptions.DEFAULT.withMaxRetries(1));
    store.interfereNext(() -> commit(first, append("theirs.lance", 1)));

    assertThatThrownBy(() -> impatient.commit(first, Transaction.of(1, append("o.lance", 1))))
        .isInstanceOf(TooMuchContentionException.class);
    assertThat(transactionFiles()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"APPLIED_BUT_REPORTED_AS_TAKEN", "REPLY_LOST"})
  void aCommitThatWasAppliedIsNotDoneTwice(Fault fault) {
    TableVersion first = create("a.lance");
    store.failNext(fault);

    TableVersion second = commit(first, append("b.lance", 1));

    assertThat(second.version()).isEqualTo(2);
    assertThat(table.latest().version()).isEqualTo(2);
    assertThat(ids(table.latest())).containsExactly(0L, 1L);
    assertThat(transactionFiles()).contains(second.manifest().transactionFile());
  }

  @Test
  void aCommitThatFailedIsReportedAndHasNoEffect() {
    TableVersion first = create("a.lance");
    store.failNext(Fault.FAILS);

    assertThatThrownBy(() -> commit(first, append("b.lance", 1)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("no route");
    assertThat(table.latest().version()).isEqualTo(1);
    assertThat(commit(first, append("b.lance", 1)).version()).isEqualTo(2);
  }

  @Test
  void aLocalTableGetsAHintAtItsNewestVersion() throws IOException {
    Table local = Table.at(ObjectStores.resolve(folder.resolve("t.lance").toString()));
    Committer there = new Committer(local, CommitOptions.DEFAULT);
    TableVersion first = there.create(Transaction.of(0, overwrite()));
    there.commit(first, Transaction.of(1, append("a.lance", 1)));

    assertThat(folder.resolve("t.lance/_versions/latest_version_hint.json"))
        .hasContent("{\"version\":2}");
    try (var names = Files.list(folder.resolve("t.lance/_versions"))) {
      assertThat(names.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "18446744073709551614.manifest",
              "18446744073709551613.manifest",
              "latest_version_hint.json");
    }
  }

  @Test
  void aTableKeepsItsNamingScheme() {
    Committer old = new Committer(table, CommitOptions.DEFAULT.withNaming(ManifestNaming.V1));
    TableVersion first = old.create(Transaction.of(0, overwrite()));

    TableVersion second = commit(first, append("a.lance", 1));

    assertThat(second.location().path()).endsWith("/_versions/2.manifest");
  }

  @Test
  void concurrentAppendsInMemoryAllCount() throws Exception {
    assertConcurrentAppendsAllCount(table, 8, 10);
  }

  @Test
  void concurrentAppendsOnDiskAllCount() throws Exception {
    assertConcurrentAppendsAllCount(
        Table.at(ObjectStores.resolve(folder.resolve("t.lance").toString())), 6, 5);
  }

  private static void assertConcurrentAppendsAllCount(Table table, int writers, int appends)
      throws InterruptedException, ExecutionException {
    TableVersion first =
        new Committer(table, CommitOptions.DEFAULT).create(Transaction.of(0, overwrite()));
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        int number = writer;
        tasks.add(
            () -> {
              Committer committer =
                  new Committer(table, CommitOptions.DEFAULT.withMaxRetries(1000));
              for (int i = 0; i < appends; i++) {
                committer.commit(first, Transaction.of(1, append(number + "-" + i + ".lance", 1)));
              }
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    int total = writers * appends;
    TableVersion latest = table.latest();
    assertThat(latest.version()).isEqualTo(1 + total);
    assertThat(ids(latest)).isEqualTo(LongStream.range(0, total).boxed().toList());
    assertThat(latest.manifest().fragments().stream().map(f -> f.files().get(0).path()))
        .doesNotHaveDuplicates();
    List<String> transactions = new ArrayList<>();
    table.store().list(table.path() + "/_transactions", transactions::add);
    assertThat(transactions).hasSize(1 + total);
  }
}
