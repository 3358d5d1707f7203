package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.compaction.CompactionListener;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.CompactionPlan;
import dev.lance4j.compaction.CompactionTask;
import dev.lance4j.compaction.RewriteResult;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.table.CleanupPolicy;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FeatureFlag;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.ManifestNaming;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.table.internal.ManifestFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** Compactions of tables without indices, in one process and in several. */
class CompactionTest {
  private static final CompactionOptions DEFAULTS = CompactionOptions.defaults();

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;
  private String uri;

  @BeforeEach
  void locate() {
    uri = folder.resolve("songs.lance").toString();
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private WriteBuilder write() {
    return Dataset.write(uri).allocator(allocator);
  }

  /** Rows {@code k = 0, 1, …} in fragments of one size. */
  private void create(int fragments, int rowsEach, boolean stable) {
    try (VectorSchemaRoot rows = Songs.rows(0, fragments * rowsEach, allocator)) {
      write().maxRowsPerFile(rowsEach).stableRowIds(stable).from(rows).close();
    }
  }

  private Dataset open() {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private void append(int start, int end) {
    try (Dataset dataset = open();
        VectorSchemaRoot rows = Songs.rows(start, end, allocator)) {
      dataset.append(rows).close();
    }
  }

  private void delete(String predicate) {
    try (Dataset dataset = open()) {
      dataset.delete(predicate).dataset().close();
    }
  }

  private static CompactionOptions target(long rows) {
    return CompactionOptions.builder().targetRowsPerFragment(rows).build();
  }

  private static List<Long> ids(Dataset dataset) {
    return dataset.fragments().stream().map(FragmentMetadata::id).toList();
  }

  private static List<Long> rows(Dataset dataset) {
    return dataset.fragments().stream().map(FragmentMetadata::physicalRows).toList();
  }

  private static List<Object> column(Dataset dataset, String name) throws Exception {
    return Songs.column(dataset.scan().select(name).open(), name);
  }

  private static List<Object> numbers(long... numbers) {
    return new ArrayList<>(LongStream.of(numbers).boxed().toList());
  }

  private List<String> files(String directory) throws IOException {
    Path path = Path.of(uri, directory);
    if (!Files.exists(path)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void deletedRowsGoAndFragmentsBecomeOne() throws Exception {
    create(3, 4, false);
    delete("k IN (1, 6)");

    try (Dataset read = open()) {
      CompactionResult result = read.compact(DEFAULTS);
      try (Dataset compacted = result.dataset()) {
        assertThat(result.fragmentsRemoved()).isEqualTo(3);
        assertThat(result.fragmentsAdded()).isEqualTo(1);
        assertThat(result.filesRemoved()).isEqualTo(5);
        assertThat(result.filesAdded()).isEqualTo(1);
        assertThat(compacted.version()).isEqualTo(read.version() + 2);
        assertThat(ids(compacted)).containsExactly(3L);
        assertThat(rows(compacted)).containsExactly(10L);
        assertThat(column(compacted, "k")).isEqualTo(numbers(0, 2, 3, 4, 5, 7, 8, 9, 10, 11));
        assertThat(column(compacted, "s")).contains("song 5").doesNotContain("song 6");
        assertThat(column(read, "k")).hasSize(10);
      }
    }
  }

  @Test
  void withNothingToDoThereIsNoNewVersion() {
    create(1, 5, false);

    try (Dataset read = open()) {
      CompactionResult result = read.compact();
      try (Dataset same = result.dataset()) {
        assertThat(same.version()).isEqualTo(1);
        assertThat(result).extracting("fragmentsRemoved", "filesAdded").containsExactly(0L, 0L);
      }
      try (Dataset same = read.commitCompaction(List.of(), DEFAULTS).dataset()) {
        assertThat(same.version()).isEqualTo(1);
      }
      assertThat(read.versions()).hasSize(1);
    }
  }

  @Test
  void tasksAreCutAtTheTarget() throws Exception {
    create(5, 4, false);

    try (Dataset read = open()) {
      try (Dataset compacted = read.compact(target(6)).dataset()) {
        assertThat(ids(compacted)).containsExactly(5L, 6L, 7L, 8L);
        assertThat(rows(compacted)).containsExactly(6L, 2L, 6L, 6L);
        assertThat(column(compacted, "k")).isEqualTo(column(read, "k"));
        assertThat(compacted.planCompaction(target(6)).tasks()).isEmpty();
      }
    }
  }

  @Test
  void fragmentsThatNeedNothingStay() throws Exception {
    create(1, 40, false);
    append(40, 80);
    append(80, 120);
    append(120, 220);
    append(220, 320);
    append(320, 350);
    append(350, 380);
    delete("k = 130 OR (k >= 220 AND k < 240)");

    try (Dataset read = open();
        Dataset compacted = read.compact(target(100)).dataset()) {
      assertThat(ids(compacted)).containsExactly(3L, 7L, 8L, 9L, 10L);
      assertThat(rows(compacted)).containsExactly(100L, 100L, 20L, 100L, 40L);
      // The rows of a task stay together; the ids of fragments decide about the order.
      assertThat(column(compacted, "k")).hasSameElementsAs(column(read, "k"));
    }
  }

  @Test
  void rowsKeepTheirStableIdsAndVersions() throws Exception {
    create(3, 4, true);
    delete("k IN (1, 6)");
    try (Dataset dataset = open()) {
      dataset.update().where("k IN (3, 9)").set("s", "'new'").execute().dataset().close();
    }
    String[] columns = {
      "k", "s", "_rowid", "_row_created_at_version", "_row_last_updated_at_version"
    };

    try (Dataset read = open();
        Dataset compacted = read.compact(DEFAULTS).dataset()) {
      assertThat(ids(compacted)).containsExactly(4L);
      assertThat(Rows.drain(compacted.scan().select(columns).open(), allocator))
          .isEqualTo(Rows.drain(read.scan().select(columns).open(), allocator));
      assertThat(column(compacted, "_rowid")).isEqualTo(numbers(0, 2, 4, 5, 7, 8, 10, 11, 3, 9));
      assertThat(column(compacted, "_row_last_updated_at_version"))
          .isEqualTo(numbers(1, 1, 1, 1, 1, 1, 1, 1, 3, 3));
      assertThat(compacted.hasStableRowIds()).isTrue();
    }
    append(100, 101);
    try (Dataset next = open()) {
      assertThat(column(next, "_rowid")).endsWith(12L);
    }
  }

  /** Ours remove a fragment with its last row, but other writers may leave it. */
  @Test
  void fragmentsWithoutLiveRowsVanish() throws Exception {
    create(3, 4, false);
    leaveWithoutRows(0);

    try (Dataset read = open()) {
      assertThat(ids(read)).containsExactly(0L, 1L, 2L);
      assertThat(column(read, "k")).isEqualTo(numbers(4, 5, 6, 7, 8, 9, 10, 11));
      CompactionResult result = read.compact(target(4));
      try (Dataset compacted = result.dataset()) {
        assertThat(ids(compacted)).containsExactly(1L, 2L);
        assertThat(result.fragmentsAdded()).isZero();
        assertThat(compacted.version()).isEqualTo(read.version() + 1);
      }
    }
  }

  @Test
  void fragmentsWithoutLiveRowsVanishTogetherWithOthers() throws Exception {
    create(4, 4, false);
    leaveWithoutRows(1);

    try (Dataset read = open();
        Dataset compacted = read.compact(DEFAULTS).dataset()) {
      assertThat(ids(compacted)).containsExactly(4L);
      assertThat(column(compacted, "k")).isEqualTo(column(read, "k")).hasSize(12);
    }
  }

  private void leaveWithoutRows(int fragment) {
    try (Dataset dataset = open()) {
      TableVersion version = dataset.source().version();
      Table table = version.table();
      List<FragmentMetadata> fragments = new ArrayList<>(dataset.fragments());
      FragmentMetadata emptied = fragments.get(fragment);
      RoaringBitmap all = new RoaringBitmap();
      all.add(0L, emptied.physicalRows());
      DeletionVector vector = DeletionVector.of(all, DeletionFile.Form.ARROW_ARRAY);
      fragments.set(
          fragment,
          emptied.withDeletionFile(
              Optional.of(
                  DeletionFiles.write(
                      table, emptied.withPhysicalRows(99), version.version(), vector))));
      Manifest manifest =
          version.manifest().toBuilder()
              .version(version.version() + 1)
              .fragments(fragments)
              .flags(FeatureFlag.DELETION_FILES.mask(), FeatureFlag.DELETION_FILES.mask())
              .build();
      table
          .store()
          .put(
              uri + "/_versions/" + ManifestNaming.V2.fileName(manifest.version()),
              ManifestFile.write(manifest, List.of(), new byte[0]));
    }
  }

  @Test
  void droppedColumnsAndColumnsInOtherFilesBecomeOneFile() throws Exception {
    create(2, 4, false);
    try (Dataset dataset = open();
        Dataset more = dataset.addColumns(Map.of("twice", "k * 2"));
        Dataset less = more.dropColumns("s")) {
      CompactionResult result = less.compact(DEFAULTS);
      try (Dataset compacted = result.dataset()) {
        assertThat(result.filesRemoved()).isEqualTo(4);
        assertThat(result.filesAdded()).isEqualTo(1);
        assertThat(compacted.fragments().get(0).files().get(0).fieldIds()).containsExactly(0, 2);
        assertThat(column(compacted, "twice")).isEqualTo(numbers(0, 2, 4, 6, 8, 10, 12, 14));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void newFilesHaveTheVersionOfTheTable(FileVersion version) throws Exception {
    try (VectorSchemaRoot rows = Songs.rows(0, 20, allocator)) {
      write().maxRowsPerFile(6).fileVersion(version).from(rows).close();
    }

    try (Dataset read = open();
        Dataset compacted = read.compact(DEFAULTS).dataset()) {
      assertThat(compacted.fragments()).hasSize(1);
      assertThat(compacted.fragments().get(0).files().get(0).fileVersion()).isEqualTo(version);
      assertThat(column(compacted, "s")).isEqualTo(column(read, "s"));
    }
  }

  @Test
  void aFileEndsAtItsSize() {
    create(2, 2_000, false);
    CompactionOptions options =
        CompactionOptions.builder().maxBytesPerFile(1).batchSize(500).build();

    try (Dataset read = open();
        Dataset compacted = read.compact(options).dataset()) {
      assertThat(compacted.countRows()).isEqualTo(4_000);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tasksRunElsewhereAndAreCommittedHere(boolean stable) throws Exception {
    create(6, 3, stable);
    delete("k = 4");

    try (Dataset read = open()) {
      CompactionPlan plan = read.planCompaction(target(5));
      assertThat(plan.tasks()).hasSize(3);
      List<RewriteResult> results = new ArrayList<>();
      for (CompactionTask task : plan.tasks()) {
        // Each worker has a dataset of its own, of whatever version is the newest then.
        append(100, 101);
        try (Dataset worker = open()) {
          CompactionTask sent = copy(task);
          RewriteResult result = CompactionTask.fromJson(sent.toJson()).execute(worker);
          results.add(copy(RewriteResult.fromJson(result.toJson())));
        }
      }
      CompactionResult result = read.commitCompaction(results, target(5));
      try (Dataset compacted = result.dataset()) {
        assertThat(result.fragmentsRemoved()).isEqualTo(6);
        assertThat(compacted.countRows()).isEqualTo(17 + 3);
        assertThat(column(compacted, "k").subList(3, 20)).isEqualTo(column(read, "k"));
        // What was appended meanwhile has lower ids and so comes first.
        assertThat(ids(compacted)).containsExactly(6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T copy(T object) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) in.readObject();
    }
  }

  @Test
  void resultsAreCommittedOneByOne() throws Exception {
    create(6, 3, false);

    try (Dataset read = open()) {
      List<CompactionTask> tasks = read.planCompaction(target(6)).tasks();
      RewriteResult last = tasks.get(2).execute(read);
      RewriteResult first = tasks.get(0).execute(read);
      read.commitCompaction(List.of(last), DEFAULTS).dataset().close();
      read.commitCompaction(List.of(first), DEFAULTS).dataset().close();
      try (Dataset compacted = read.latest()) {
        assertThat(ids(compacted)).containsExactly(2L, 3L, 6L, 7L);
        assertThat(column(compacted, "k")).hasSameElementsAs(column(read, "k")).hasSize(18);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsDeletedSinceThePlanAreNotResurrected(boolean stable) throws Exception {
    create(3, 4, stable);

    try (Dataset read = open()) {
      RewriteResult result = read.planCompaction(DEFAULTS).tasks().get(0).execute(read);
      delete("k = 5");
      try (Dataset later = open()) {
        // Also when it is committed through a version that has the rows deleted.
        assertThatThrownBy(() -> later.commitCompaction(List.of(result), DEFAULTS))
            .isInstanceOfSatisfying(
                CommitConflictException.class, e -> assertThat(e.isRetryable()).isTrue())
            .hasMessageContaining("Delete");
        try (Dataset now = later.latest()) {
          assertThat(column(now, "k")).doesNotContain(5L).hasSize(11);
        }
        try (Dataset compacted = later.compact(DEFAULTS).dataset()) {
          assertThat(column(compacted, "k")).doesNotContain(5L).hasSize(11);
        }
      }
    }
  }

  @Test
  void rowsUpdatedSinceThePlanAreNotResurrected() throws Exception {
    create(3, 4, false);

    try (Dataset read = open()) {
      RewriteResult result = read.planCompaction(DEFAULTS).tasks().get(0).execute(read);
      read.update().where("k = 5").set("s", "'new'").execute().dataset().close();
      assertThatThrownBy(() -> read.commitCompaction(List.of(result), DEFAULTS))
          .isInstanceOf(CommitConflictException.class)
          .hasMessageContaining("Update");
    }
  }

  @Test
  void fragmentsAreRewrittenOnce() {
    create(3, 4, false);

    try (Dataset read = open()) {
      CompactionTask task = read.planCompaction(DEFAULTS).tasks().get(0);
      RewriteResult result = task.execute(read);
      RewriteResult again = task.execute(read);
      assertThatThrownBy(() -> read.commitCompaction(List.of(result, again), DEFAULTS))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("two results");
      read.commitCompaction(List.of(result), DEFAULTS).dataset().close();
      assertThatThrownBy(() -> read.commitCompaction(List.of(again), DEFAULTS))
          .isInstanceOfSatisfying(
              CommitConflictException.class, e -> assertThat(e.isRetryable()).isTrue());
    }
  }

  @Test
  void anOverwriteSinceThePlanWins() {
    create(3, 4, false);

    try (Dataset read = open();
        VectorSchemaRoot rows = Songs.rows(50, 52, allocator)) {
      RewriteResult result = read.planCompaction(DEFAULTS).tasks().get(0).execute(read);
      write().mode(WriteMode.OVERWRITE).from(rows).close();
      assertThatThrownBy(() -> read.commitCompaction(List.of(result), DEFAULTS))
          .isInstanceOfSatisfying(
              CommitConflictException.class, e -> assertThat(e.isRetryable()).isFalse());
      try (Dataset now = read.latest()) {
        assertThat(now.version()).isEqualTo(2);
        assertThat(now.countRows()).isEqualTo(2);
      }
    }
  }

  @Test
  void aTaskOfAnotherTableOrOfAVersionThatIsGoneIsRefused() {
    create(3, 4, false);
    CompactionTask task;
    RewriteResult result;
    try (Dataset read = open()) {
      task = read.planCompaction(DEFAULTS).tasks().get(0);
      result = task.execute(read);
    }
    try (Dataset other = Songs.create(folder.resolve("other.lance").toString(), 12, 4, allocator)) {
      assertThatThrownBy(() -> task.execute(other))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(uri);
      assertThatThrownBy(() -> other.commitCompaction(List.of(result), DEFAULTS))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(uri);
    }
    append(12, 13);
    try (Dataset latest = open()) {
      latest.cleanup(CleanupPolicy.builder().olderThan(Duration.ZERO).build());
      assertThatThrownBy(() -> task.execute(latest)).isInstanceOf(VersionNotFoundException.class);
      assertThatThrownBy(() -> latest.commitCompaction(List.of(result), DEFAULTS))
          .isInstanceOf(VersionNotFoundException.class);
    }
  }

  @Test
  void filesOfACompactionThatFailsAreRemoved() throws Exception {
    create(6, 3, false);
    List<String> before = files("data");

    try (Dataset read = open()) {
      CompactionListener deleting =
          new CompactionListener() {
            @Override
            public void taskDone(CompactionTask task, RewriteResult result) {
              if (task.fragments().get(0).first() == 0) {
                delete("k = 0");
              }
            }
          };
      assertThatThrownBy(() -> read.compact(target(6), deleting))
          .isInstanceOf(CommitConflictException.class);
      assertThat(files("data")).hasSameElementsAs(before);

      CompactionListener failing =
          new CompactionListener() {
            @Override
            public void taskDone(CompactionTask task, RewriteResult result) {
              if (task.fragments().get(0).first() == 2) {
                throw new IllegalStateException("enough");
              }
            }
          };
      assertThatThrownBy(() -> read.compact(target(6), failing)).hasMessage("enough");
      assertThat(files("data")).hasSameElementsAs(before);
    }
  }

  @Test
  void theListenerHearsOfEveryRow() {
    create(6, 3, false);
    delete("k = 4");
    AtomicLong rows = new AtomicLong();
    AtomicLong tasks = new AtomicLong();
    CompactionListener listener =
        new CompactionListener() {
          @Override
          public void rowsWritten(CompactionTask task, long written) {
            rows.addAndGet(written);
          }

          @Override
          public void taskDone(CompactionTask task, RewriteResult result) {
            tasks.incrementAndGet();
          }
        };

    try (Dataset read = open()) {
      read.compact(target(5), listener).dataset().close();
    }

    assertThat(rows).hasValue(17);
    assertThat(tasks).hasValue(3);
  }

  @Test
  void theTransactionSaysWhatItWasTold() {
    create(2, 3, false);
    CompactionOptions options =
        CompactionOptions.builder()
            .transactionProperties(Map.of(Transaction.COMMIT_MESSAGE, "nightly"))
            .build();

    try (Dataset read = open();
        Dataset compacted = read.compact(options).dataset()) {
      Transaction transaction = compacted.source().version().transaction().orElseThrow();
      assertThat(transaction.properties()).containsEntry(Transaction.COMMIT_MESSAGE, "nightly");
      assertThat(transaction.readVersion()).isEqualTo(1);
      assertThat(transaction.operation()).isInstanceOf(Operation.Rewrite.class);
    }
  }

  @Test
  void deferralWithoutIndicesLeavesNothingToCatchUpWith() {
    create(2, 3, false);

    try (Dataset read = open();
        Dataset compacted =
            read.compact(CompactionOptions.builder().deferIndexRemap(true).build()).dataset()) {
      assertThat(compacted.source().version().indices()).isEmpty();
      assertThat(compacted.fragments()).hasSize(1);
    }
  }

  /** Reported of tables whose deletion vectors outlived the compacted files. */
  @Test
  void aCleanUpAfterwardsLeavesNoOrphans() throws Exception {
    create(4, 5, false);
    delete("k % 5 = 2");
    assertThat(files("_deletions")).hasSize(4);

    try (Dataset read = open();
        Dataset compacted = read.compact(DEFAULTS).dataset()) {
      compacted.cleanup(
          CleanupPolicy.builder().olderThan(Duration.ZERO).deleteUnverified(true).build());
      assertThat(files("_deletions")).isEmpty();
      assertThat(files("data")).hasSize(1);
      assertThat(compacted.fragments().get(0).deletionFile()).isEmpty();
      assertThat(compacted.countRows()).isEqualTo(16);
    }
  }

  @Test
  void aBranchIsCompactedOnItsOwn() throws Exception {
    create(3, 4, false);
    try (Dataset main = open()) {
      main.branches().create("dev");
      try (Dataset branch = main.checkout("dev");
          Dataset compacted = branch.compact(DEFAULTS).dataset();
          Dataset again = main.latest()) {
        assertThat(compacted.fragments()).hasSize(1);
        assertThat(column(compacted, "k")).isEqualTo(column(main, "k"));
        assertThat(again.fragments()).hasSize(3);
      }
    }
  }
}
