package dev.lance4j.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.DeleteResult;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.table.CleanupPolicy;
import dev.lance4j.table.CleanupResult;
import dev.lance4j.table.VersionSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same table cleaned up by both libraries. */
@WithOracle
class CleanupInteropTest {
  private static final List<Field> FIELDS = List.of(SampleFields.int32("k"));

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  /** A history to which both libraries contribute; returns the table's URI. */
  private String table(Random random, int steps) throws Exception {
    String uri = folder.resolve("ours.lance").toString();
    try (ArrowTable rows = RandomData.table(FIELDS, NullPattern.NONE, 60, 1, allocator)) {
      Dataset.write(uri).allocator(allocator).maxRowsPerFile(20).from(rows.root()).close();
    }
    for (int i = 0; i < steps; i++) {
      step(uri, random);
    }
    return uri;
  }

  private void step(String uri, Random random) {
    try (Dataset dataset = open(uri);
        ArrowTable rows =
            RandomData.table(FIELDS, NullPattern.NONE, 20, random.nextLong(), allocator)) {
      switch (random.nextInt(7)) {
        case 0 -> dataset.append(rows.root()).close();
        case 1 -> oracle.append(uri, rows);
        case 2 -> dataset.delete("k % 7 = " + random.nextInt(7)).dataset().close();
        case 3 -> oracle.delete(uri, "k % 5 = " + random.nextInt(5));
        case 4 -> createIndex(uri);
        case 5 -> oracle.call("compact", Oracle.args(uri));
        default -> dataset.checkout(1 + random.nextInt((int) dataset.version())).restore().close();
      }
    }
  }

  private void createIndex(String uri) {
    ObjectNode args =
        Oracle.args(uri).put("type", "BTREE").put("scalar", "btree").put("replace", true);
    args.putArray("columns").add("k");
    oracle.call("createIndex", args);
  }

  private static String copy(String uri) throws IOException {
    Path source = Path.of(uri);
    Path target = source.resolveSibling("theirs.lance");
    for (int i = 1; Files.exists(target); i++) {
      target = source.resolveSibling("theirs-" + i + ".lance");
    }
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Path copy = target.resolve(source.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
    return target.toString();
  }

  private static Set<String> files(String uri) throws IOException {
    Path root = Path.of(uri);
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static void makeOlder(String uri, Duration by) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(uri))) {
      files
          .filter(Files::isRegularFile)
          .forEach(
              file -> {
                try {
                  Files.setLastModifiedTime(
                      file, FileTime.from(Files.getLastModifiedTime(file).toInstant().minus(by)));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  private static CleanupResult result(JsonNode stats) {
    return new CleanupResult(
        stats.get("bytesRemoved").asLong(),
        stats.get("oldVersions").asLong(),
        stats.get("dataFilesRemoved").asLong(),
        stats.get("transactionFilesRemoved").asLong(),
        stats.get("indexFilesRemoved").asLong(),
        stats.get("deletionFilesRemoved").asLong());
  }

  /** Every version that is left is the same to both libraries. */
  private void assertAllVersionsRead(String uri) {
    try (Dataset dataset = open(uri)) {
      for (VersionSummary version : dataset.versions()) {
        ObjectNode args = Oracle.args(uri).put("version", version.id());
        try (Dataset then = dataset.checkout(version.id());
            ArrowTable ours = Tables.drain(then.scan().open(), allocator);
            ArrowTable theirs = oracle.fetch("scan", args, allocator)) {
          TableAssert.assertEqual(theirs, ours);
        }
      }
    }
  }

  private void assertSameResult(String uri, CleanupPolicy policy, ObjectNode args)
      throws Exception {
    String other = copy(uri);
    CleanupResult theirs = result(oracle.call("cleanup", args.put("uri", other)));
    CleanupResult ours;
    try (Dataset dataset = open(uri)) {
      ours = dataset.cleanup(policy);
    }

    assertThat(files(uri)).isEqualTo(files(other));
    assertThat(ours).isEqualTo(theirs);
    assertAllVersionsRead(uri);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everythingOldGoes(long seed) throws Exception {
    String uri = table(new Random(seed), 12);

    assertSameResult(uri, CleanupPolicy.builder().build(), Oracle.args());
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void versionsBeforeOneGo(long seed) throws Exception {
    String uri = table(new Random(seed), 12);

    assertSameResult(
        uri,
        CleanupPolicy.builder().beforeVersion(6).build(),
        Oracle.args().put("beforeVersion", 6));
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 8})
  void versionsBeforeATimeGo(long seed) throws Exception {
    String uri = table(new Random(seed), 8);
    Thread.sleep(20);
    Instant time = Instant.ofEpochMilli(System.currentTimeMillis());
    Random more = new Random(seed + 100);
    for (int i = 0; i < 4; i++) {
      step(uri, more);
    }

    assertSameResult(
        uri,
        CleanupPolicy.builder().before(time).build(),
        Oracle.args().put("beforeTimestampMillis", time.toEpochMilli()));
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 11})
  void versionsThatAreOlderGo(long seed) throws Exception {
    String uri = table(new Random(seed), 8);
    Thread.sleep(600);
    Instant time = Instant.ofEpochMilli(System.currentTimeMillis());
    Thread.sleep(600);
    Random more = new Random(seed + 100);
    for (int i = 0; i < 4; i++) {
      step(uri, more);
    }

    // By the time that it counts from, the bound is a little later, where there are no versions.
    assertSameResult(
        uri,
        CleanupPolicy.builder().olderThan(Duration.between(time, Instant.now())).build(),
        Oracle.args().put("beforeTimestampMillis", time.toEpochMilli()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 13, 20})
  void theLastVersionsStay(int kept) throws Exception {
    String uri = table(new Random(12), 12);
    try (Dataset dataset = open(uri)) {
      assertThat(dataset.version()).isEqualTo(13);
    }

    assertSameResult(
        uri,
        CleanupPolicy.builder().keepLast(kept).build(),
        Oracle.args().put("beforeVersion", Math.max(1, 14 - kept)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oldVersionsFulfilAllBounds(boolean byVersion) throws Exception {
    String uri = table(new Random(13), 6);
    Thread.sleep(20);
    Instant time = Instant.ofEpochMilli(System.currentTimeMillis());
    Random more = new Random(14);
    for (int i = 0; i < 4; i++) {
      step(uri, more);
    }
    long version = byVersion ? 4 : 10;

    assertSameResult(
        uri,
        CleanupPolicy.builder().before(time).beforeVersion(version).build(),
        Oracle.args()
            .put("beforeTimestampMillis", time.toEpochMilli())
            .put("beforeVersion", version));
  }

  @Test
  void youngFilesOfFailedWritesGoOnlyIfItIsAskedFor() throws Exception {
    String uri = table(new Random(15), 5);
    for (String name : List.of("data/lost.lance", "_transactions/1-lost.txn")) {
      Path lost = Path.of(uri, name);
      Files.writeString(lost, "lost");
      // The real library does not look at files that are younger than the oldest version it keeps.
      Files.setLastModifiedTime(lost, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    }

    assertSameResult(uri, CleanupPolicy.builder().build(), Oracle.args());
    assertThat(files(uri)).contains("data/lost.lance", "_transactions/1-lost.txn");
    assertSameResult(
        uri,
        CleanupPolicy.builder().deleteUnverified(true).build(),
        Oracle.args().put("deleteUnverified", true));
    assertThat(files(uri)).doesNotContain("data/lost.lance", "_transactions/1-lost.txn");
  }

  @Test
  void anOldVersionWithATagIsAnErrorOrStays() throws Exception {
    String uri = table(new Random(16), 8);
    oracle.call("createTag", Oracle.args(uri).put("name", "t").put("tagVersion", 5));
    String theirs = copy(uri);
    Set<String> before = files(uri);

    try (Dataset dataset = open(uri)) {
      assertThatThrownBy(() -> dataset.cleanup(CleanupPolicy.builder().build()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("t");
    }
    assertThatThrownBy(() -> oracle.call("cleanup", Oracle.args(theirs)))
        .isInstanceOf(OracleError.class);
    assertThat(files(uri)).isEqualTo(before).isEqualTo(files(theirs));

    try (Dataset dataset = open(uri)) {
      // Otherwise versions stay for a while after one that stays, in case of slow commits.
      dataset.cleanup(
          CleanupPolicy.builder().deleteUnverified(true).errorIfTaggedOldVersions(false).build());
    }
    oracle.call(
        "cleanup",
        Oracle.args(theirs).put("deleteUnverified", true).put("errorIfTaggedOldVersions", false));
    assertThat(manifests(uri)).hasSize(2).isEqualTo(manifests(theirs));
    // The real library leaves some files that were needed only between the tag and the newest.
    assertThat(files(theirs)).containsAll(files(uri));
    assertAllVersionsRead(uri);
  }

  private static List<String> manifests(String uri) throws IOException {
    return files(uri).stream().filter(file -> file.endsWith(".manifest")).toList();
  }

  @Test
  void aDryRunSaysWhatWouldGo() throws Exception {
    String uri = table(new Random(17), 12);
    String theirs = copy(uri);
    Set<String> before = files(uri);
    CleanupPolicy.Builder policy = CleanupPolicy.builder().beforeVersion(9);
    try (Dataset dataset = open(uri)) {
      CleanupResult said = dataset.cleanup(policy.dryRun(true).build());
      assertThat(files(uri)).isEqualTo(before);

      assertThat(said)
          .isEqualTo(result(oracle.call("cleanup", Oracle.args(theirs).put("beforeVersion", 9))))
          .isEqualTo(dataset.cleanup(policy.dryRun(false).build()));
      assertThat(said.oldVersions()).isEqualTo(8);
    }
    assertThat(files(uri)).isEqualTo(files(theirs));
  }

  @Test
  void deletionFilesGoWithTheRowsThatTheyAreFor() throws Exception {
    String uri = folder.resolve("ours.lance").toString();
    try (ArrowTable rows = RandomData.table(FIELDS, NullPattern.NONE, 20, 1, allocator)) {
      Dataset.write(uri).allocator(allocator).maxRowsPerFile(5).from(rows.root()).close();
    }
    long left = 20;
    try (Dataset dataset = open(uri)) {
      List<Object> keys = keys(dataset);
      for (int fragment = 0; fragment < 4; fragment++) {
        try (Dataset latest = dataset.latest()) {
          DeleteResult deleted = latest.delete("k = " + keys.get(5 * fragment));
          left -= deleted.rowsDeleted();
          deleted.dataset().close();
        }
      }
    }
    assertThat(files(uri)).anyMatch(file -> file.startsWith("_deletions/"));
    oracle.call("compact", Oracle.args(uri));

    assertSameResult(uri, CleanupPolicy.builder().build(), Oracle.args());

    assertThat(files(uri)).noneMatch(file -> file.startsWith("_deletions/"));
    try (Dataset dataset = open(uri)) {
      assertThat(dataset.fragments()).allMatch(f -> f.deletionFile().isEmpty());
      assertThat(dataset.countRows()).isEqualTo(left).isEqualTo(oracle.countRows(uri));
    }
  }

  private List<Object> keys(Dataset dataset) {
    try (ArrowTable rows = Tables.drain(dataset.scan().open(), allocator)) {
      List<Object> keys = new ArrayList<>();
      for (int i = 0; i < rows.root().getRowCount(); i++) {
        keys.add(rows.root().getVector("k").getObject(i));
      }
      return keys;
    }
  }

  @Test
  void filesOfFailedWritesGoWhenTheyAreOldOrItIsAskedFor() throws Exception {
    String uri = table(new Random(9), 4);
    Path lost = Path.of(uri, "data", "lost.lance");
    Files.writeString(lost, "lost");
    makeOlder(uri, CleanupPolicy.SAFETY_PERIOD.plusHours(1));
    Path recent = Path.of(uri, "data", "recent.lance");
    Files.writeString(recent, "recent");
    Files.writeString(Path.of(uri, "data", "notes.txt"), "mine");
    Files.writeString(Path.of(uri, "_versions", "1.manifest#1"), "staged");

    try (Dataset dataset = open(uri)) {
      dataset.cleanup(CleanupPolicy.builder().beforeVersion(1).build());
    }
    assertThat(lost).doesNotExist();
    assertThat(recent).exists();
    // The real library does not look at files that are younger than the oldest version it keeps.
    Files.setLastModifiedTime(recent, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    assertSameResult(
        uri,
        CleanupPolicy.builder().deleteUnverified(true).build(),
        Oracle.args().put("deleteUnverified", true));
    assertThat(recent).doesNotExist();
    assertThat(files(uri)).contains("data/notes.txt", "_versions/1.manifest#1");
  }

  @Test
  void anOldTagHidesNoGarbage() throws Exception {
    String uri = folder.resolve("ours.lance").toString();
    for (int i = 0; i < 4; i++) {
      try (ArrowTable rows = RandomData.table(FIELDS, NullPattern.NONE, 10, i, allocator)) {
        String mode = i == 0 ? "CREATE" : "OVERWRITE";
        oracle.send("write", Oracle.args(uri).put("mode", mode), rows);
      }
      oracle.createScalarIndex(uri, "k", "BTREE", "btree");
    }
    oracle.call("createTag", Oracle.args(uri).put("name", "t").put("tagVersion", 2));

    try (Dataset dataset = open(uri)) {
      dataset.cleanup(
          CleanupPolicy.builder().deleteUnverified(true).errorIfTaggedOldVersions(false).build());
    }

    Set<String> left = files(uri);
    assertThat(left.stream().filter(f -> f.startsWith("data/"))).hasSize(2);
    assertThat(left.stream().filter(f -> f.startsWith("_transactions/"))).hasSize(2);
    assertThat(
            left.stream()
                .filter(f -> f.startsWith("_indices/"))
                .map(f -> Path.of(f).getName(1))
                .distinct())
        .hasSize(2);
    assertThat(oracle.call("versions", Oracle.args(uri)).findValuesAsText("id"))
        .containsExactly("2", "8");
    assertAllVersionsRead(uri);
    assertThat(oracle.countRows(uri)).isEqualTo(10);
  }

  @Test
  void whatABranchNeedsStays() throws Exception {
    String uri = folder.resolve("ours.lance").toString();
    try (ArrowTable rows = RandomData.table(FIELDS, NullPattern.NONE, 30, 1, allocator)) {
      oracle.create(uri, "2.1", rows);
      oracle.append(uri, rows);
      oracle.delete(uri, "k % 3 = 0");
      String branch =
          oracle.call("createBranch", Oracle.args(uri).put("name", "side/one")).asText();
      oracle.append(branch, rows);
      oracle.send("write", Oracle.args(uri).put("mode", "OVERWRITE"), rows);
      oracle.send("write", Oracle.args(uri).put("mode", "OVERWRITE"), rows);
      long before = oracle.countRows(branch);

      try (Dataset dataset = open(uri)) {
        CleanupResult result =
            dataset.cleanup(CleanupPolicy.builder().deleteUnverified(true).build());
        assertThat(result.oldVersions()).isEqualTo(3);
      }

      assertThat(oracle.countRows(branch)).isEqualTo(before);
      assertThat(oracle.call("versions", Oracle.args(uri)).findValuesAsText("id"))
          .containsExactly("3", "5");
      assertAllVersionsRead(uri);
    }
  }

  @Test
  void theTablesSettingsCleanItUp() throws Exception {
    String uri = folder.resolve("ours.lance").toString();
    try (ArrowTable rows = RandomData.table(FIELDS, NullPattern.NONE, 10, 1, allocator)) {
      oracle.create(uri, "2.1", rows);
      ObjectNode args = Oracle.args(uri);
      args.putObject("values")
          .put("lance.auto_cleanup.interval", "2")
          .put("lance.auto_cleanup.older_than", "0s")
          .put("lance.auto_cleanup.retain_versions", "2");
      oracle.call("updateConfig", args);
      String theirs = copy(uri);
      for (int i = 0; i < 5; i++) {
        oracle.append(theirs, rows);
        try (Dataset dataset = open(uri)) {
          dataset.append(rows.root()).close();
        }
      }

      assertThat(oracle.call("versions", Oracle.args(uri)).findValuesAsText("id"))
          .containsExactly("5", "6", "7")
          .isEqualTo(oracle.call("versions", Oracle.args(theirs)).findValuesAsText("id"));
      assertThat(files(uri).stream().filter(f -> f.startsWith("_transactions/"))).hasSize(3);
      assertAllVersionsRead(uri);
    }
  }
}
