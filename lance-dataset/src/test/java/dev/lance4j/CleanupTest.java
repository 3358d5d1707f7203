package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.table.CleanupPolicy;
import dev.lance4j.table.CleanupResult;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.MapUpdate;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.table.VersionSummary;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clean-up of tables with rows, and while others write. */
class CleanupTest {
  private static final CleanupPolicy ALL_OLD = CleanupPolicy.builder().build();

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

  private Dataset open() {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private void append(int start, int end) {
    try (Dataset dataset = open();
        VectorSchemaRoot rows = Songs.rows(start, end, allocator)) {
      dataset.append(rows).close();
    }
  }

  private List<Long> versions() {
    try (Dataset dataset = open()) {
      return dataset.versions().stream().map(VersionSummary::id).toList();
    }
  }

  private List<Path> files(String directory) throws Exception {
    try (Stream<Path> files = Files.walk(folder.resolve("songs.lance").resolve(directory))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void theNewestVersionsStay() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    for (int i = 10; i < 50; i += 10) {
      append(i, i + 10);
    }
    try (Dataset dataset = open()) {
      assertThat(dataset.cleanup(CleanupPolicy.builder().keepLast(2).build()).oldVersions())
          .isEqualTo(3);
    }

    assertThat(versions()).containsExactly(4L, 5L);
    try (Dataset dataset = open();
        Dataset before = dataset.checkout(4)) {
      assertThat(dataset.countRows("k >= 0")).isEqualTo(50);
      assertThat(before.countRows("k >= 0")).isEqualTo(40);
    }
  }

  @Test
  void aDatasetAndAllThatCameAfterItStay() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    append(10, 20);
    append(20, 30);
    try (Dataset dataset = open();
        Dataset earlier = dataset.checkout(2)) {
      earlier.cleanup(ALL_OLD);
    }

    assertThat(versions()).containsExactly(2L, 3L);
  }

  @Test
  void branchesKeepWhatTheyShareAndWhatLiesInsideOneAnother() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    CleanupPolicy policy = CleanupPolicy.builder().deleteUnverified(true).build();
    try (Dataset main = open();
        VectorSchemaRoot rows = Songs.rows(10, 20, allocator);
        VectorSchemaRoot more = Songs.rows(20, 30, allocator)) {
      main.branches().create("a");
      try (Dataset a = main.checkout("a");
          Dataset longer = a.append(rows)) {
        longer.branches().create("a/b");
        longer.append(more).close();
      }
      try (Dataset inside = main.checkout("a/b")) {
        inside.append(more).close();
      }
      Dataset.write(uri).allocator(allocator).mode(WriteMode.OVERWRITE).from(more).close();
      try (Dataset newest = main.latest();
          Dataset a = main.checkout("a")) {
        a.delete("k = 0").dataset().close();
        List<Path> foreign = branchInTheDataOfAnother();
        assertThat(newest.cleanup(policy).oldVersions()).isZero();
        try (Dataset last = a.latest()) {
          assertThat(last.cleanup(policy).oldVersions()).isEqualTo(2);
        }
        assertThat(foreign).isNotEmpty().allMatch(Files::exists);
        Files.delete(folder.resolve("songs.lance/_refs/branches/a%2Fdata.json"));
      }
      try (Dataset a = main.checkout("a");
          Dataset inside = main.checkout("a/b");
          Dataset newest = main.latest();
          Dataset oldest = main.checkout(1)) {
        assertThat(a.countRows("k >= 0")).isEqualTo(29);
        assertThat(inside.countRows("k >= 0")).isEqualTo(30);
        assertThat(newest.countRows("k >= 0")).isEqualTo(10);
        assertThat(oldest.countRows("k >= 0")).isEqualTo(10);
      }
    }
  }

  /** Makes the branch "a/data", which the real library allows, and gives its files. */
  private List<Path> branchInTheDataOfAnother() throws Exception {
    Path refs = folder.resolve("songs.lance/_refs/branches");
    Files.copy(refs.resolve("a%2Fb.json"), refs.resolve("a%2Fdata.json"));
    List<Path> copies = new ArrayList<>();
    for (Path file : files("tree/a/b")) {
      Path inside = folder.resolve("songs.lance/tree/a/b").relativize(file);
      Path copy = folder.resolve("songs.lance/tree/a/data").resolve(inside);
      Files.createDirectories(copy.getParent());
      copies.add(Files.copy(file, copy));
    }
    return copies;
  }

  @Test
  void youngVersionsStay() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    append(10, 20);
    try (Dataset dataset = open()) {
      dataset.cleanup(CleanupPolicy.builder().olderThan(Duration.ofHours(1)).build());
      assertThat(versions()).containsExactly(1L, 2L);
      dataset.cleanup(CleanupPolicy.builder().olderThan(Duration.ZERO).build());
      assertThat(versions()).containsExactly(2L);
    }
  }

  @Test
  void anUnreadableManifestStopsItBeforeAnythingIsRemoved() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    append(10, 20);
    append(20, 30);
    Path first = files("_versions").stream().sorted().skip(1).findFirst().orElseThrow();
    Files.write(first, new byte[] {1, 2, 3});
    List<Path> before = files("");
    try (Dataset dataset = open()) {
      assertThatThrownBy(() -> dataset.cleanup(ALL_OLD)).isInstanceOf(CorruptFileException.class);
    }
    assertThat(files("")).isEqualTo(before);
  }

  @Test
  void fragmentsOfAWriteThatIsUnderWayAreSafe() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    append(10, 20);
    try (Dataset dataset = open();
        VectorSchemaRoot rows = Songs.rows(20, 30, allocator)) {
      List<FragmentMetadata> written = FragmentWriter.to(dataset).write(rows);
      dataset.cleanup(ALL_OLD);
      Dataset.commit(uri, Operation.append(written), dataset.version()).close();
    }
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows("k >= 0")).isEqualTo(30);
    }
  }

  @Test
  void writersLoseNothingWhileItRuns() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    AtomicBoolean done = new AtomicBoolean();
    try {
      Future<?> cleaner =
          threads.submit(
              () -> {
                while (!done.get()) {
                  try (Dataset dataset = open()) {
                    dataset.cleanup(ALL_OLD);
                  }
                }
              });
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 1; writer <= 3; writer++) {
        int start = writer * 1000;
        writers.add(threads.submit(() -> write(start)));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      done.set(true);
      cleaner.get();
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows("k >= 0")).isEqualTo(10 + 3 * 10 * 4);
      dataset.cleanup(CleanupPolicy.builder().deleteUnverified(true).build());
    }
    assertThat(versions()).hasSize(1);
    assertThat(files("_transactions")).hasSize(1);
  }

  /** Ten times five rows, of each of which one is deleted again. */
  private void write(int start) {
    for (int i = 0; i < 10; i++) {
      int first = start + i * 5;
      retry(
          () -> {
            if (count("k = " + (first + 1)) == 0) {
              append(first, first + 5);
            }
          });
      retry(
          () -> {
            try (Dataset dataset = open()) {
              dataset.delete("k = " + first).dataset().close();
            }
          });
    }
  }

  private long count(String filter) {
    try (Dataset dataset = open()) {
      return dataset.countRows(filter);
    }
  }

  // A version that a change read, or has to be checked against, may be gone when it commits; or it
  // is not known whether it was committed. Either is said, so that it can start over.
  private static void retry(Runnable change) {
    for (int attempt = 0; ; attempt++) {
      try {
        change.run();
        return;
      } catch (VersionNotFoundException | CommitConflictException | UncheckedIOException e) {
        if (attempt == 100) {
          throw e;
        }
      }
    }
  }

  @Test
  void settingsHaveItRunAfterCommits() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    settings(
        Map.of(
            "lance.auto_cleanup.interval", "3",
            "lance.auto_cleanup.older_than", "0s"));
    append(10, 20);
    assertThat(versions()).containsExactly(2L, 3L);
    append(20, 30);
    append(30, 40);
    assertThat(versions()).containsExactly(2L, 3L, 4L, 5L);
    append(40, 50);

    assertThat(versions()).containsExactly(5L, 6L);
  }

  @Test
  void settingsThatMakeNoSenseDoNotFailCommits() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    for (String interval : List.of("0", "often", "-1")) {
      settings(Map.of("lance.auto_cleanup.interval", interval));
    }
    settings(
        Map.of("lance.auto_cleanup.interval", "1", "lance.auto_cleanup.older_than", "a while"));

    assertThat(versions()).hasSize(5);
  }

  @Test
  void aCommitCanLeaveItOut() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    Operation operation =
        Operation.UpdateConfig.ofConfig(
            MapUpdate.set(
                Map.of("lance.auto_cleanup.interval", "1", "lance.auto_cleanup.older_than", "0s")));
    Dataset.commit(uri).skipAutoCleanup(true).execute(operation, 1).close();
    Dataset.commit(uri).skipAutoCleanup(true).execute(operation, 2).close();

    assertThat(versions()).containsExactly(1L, 2L, 3L);
  }

  private void settings(Map<String, String> settings) {
    Table table = Table.at(ObjectStores.resolve(uri));
    TableVersion latest = table.latest();
    Operation operation = Operation.UpdateConfig.ofConfig(MapUpdate.set(settings));
    new Committer(table, CommitOptions.DEFAULT)
        .commit(latest, Transaction.of(latest.version(), operation));
  }

  /** A branch with two versions of its own, and a branch of that with two more. */
  private void branchTwice(Dataset main) throws Exception {
    main.branches().create("a");
    try (Dataset a = main.checkout("a");
        VectorSchemaRoot rows = Songs.rows(10, 20, allocator);
        Dataset longer = a.append(rows)) {
      longer.branches().create("b");
      longer.delete("k = 1").dataset().close();
      try (Dataset b = main.checkout("b");
          Dataset shorter = b.delete("k = 2").dataset()) {
        shorter.delete("k = 3").dataset().close();
      }
    }
  }

  private List<Long> versionsOf(String branch) {
    try (Dataset dataset = open();
        Dataset at = dataset.checkout(branch)) {
      return at.versions().stream().map(VersionSummary::id).toList();
    }
  }

  @Test
  void branchesAreCleanedUpWithTheirSourceWhenItIsAskedFor() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    append(20, 30);
    CleanupPolicy.Builder policy = CleanupPolicy.builder().deleteUnverified(true);
    try (Dataset main = open()) {
      branchTwice(main);
      main.cleanup(policy.build());
      assertThat(versionsOf("a")).containsExactly(2L, 3L, 4L);
      assertThat(versionsOf("b")).containsExactly(3L, 4L, 5L);

      main.cleanup(policy.cleanReferencedBranches(true).build());
    }

    // Version 3 of "a" is the one that "b" started from.
    assertThat(versionsOf("a")).containsExactly(3L, 4L);
    assertThat(versionsOf("b")).containsExactly(5L);
    try (Dataset main = open();
        Dataset a = main.checkout("a");
        Dataset b = main.checkout("b")) {
      assertThat(main.countRows("k >= 0")).isEqualTo(20);
      assertThat(a.countRows("k >= 0")).isEqualTo(29);
      assertThat(b.countRows("k >= 0")).isEqualTo(28);
    }
  }

  @Test
  void whatForbidsTheCleanUpOfABranchIsFoundBeforeAnythingIsRemoved() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    append(20, 30);
    try (Dataset main = open()) {
      branchTwice(main);
      try (Dataset a = main.checkout("a")) {
        a.tags().create("kept", 2);
      }
      List<Path> before = files("");
      CleanupPolicy policy = CleanupPolicy.builder().cleanReferencedBranches(true).build();

      assertThatThrownBy(() -> main.cleanup(policy))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("[2]");
      assertThat(files("")).isEqualTo(before);
    }
  }

  @Test
  void deletionsKeepToTheirRate() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    for (int i = 10; i < 50; i += 10) {
      append(i, i + 10);
    }
    long start = System.nanoTime();
    try (Dataset dataset = open()) {
      CleanupPolicy policy = CleanupPolicy.builder().deleteRateLimit(40).build();
      CleanupResult result = dataset.cleanup(policy);
      assertThat(result.oldVersions() + result.transactionFilesRemoved()).isEqualTo(8);
    }

    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(7 * 25));
    assertThatThrownBy(() -> CleanupPolicy.builder().deleteRateLimit(0))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void settingsCleanBranchesUpAtARate() throws Exception {
    Songs.create(uri, 10, 5, allocator).close();
    append(20, 30);
    try (Dataset main = open()) {
      branchTwice(main);
    }
    settings(
        Map.of(
            "lance.auto_cleanup.interval", "1",
            "lance.auto_cleanup.older_than", "0s",
            "lance.auto_cleanup.referenced_branch", "true",
            "lance.auto_cleanup.delete_rate_limit", "1000"));
    append(30, 40);

    assertThat(versionsOf("b")).containsExactly(5L);
  }
}
