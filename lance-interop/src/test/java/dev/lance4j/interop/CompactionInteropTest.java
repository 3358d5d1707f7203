package dev.lance4j.interop;

import static dev.lance4j.interop.StableTables.keys;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.CompactionTask;
import dev.lance4j.compaction.IdRange;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.table.FragmentMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same table compacted by both libraries, and each reading and changing what the other made.
 */
@WithOracle
class CompactionInteropTest {
  private static final String[] COLUMNS = {
    "k", "v", "_rowid", "_rowaddr", "_row_created_at_version", "_row_last_updated_at_version"
  };

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri(String name) {
    return folder.resolve(name).toString();
  }

  private Dataset open(String uri) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  /** A table of the real library with deletions, an update and fragments of many sizes. */
  private void create(String uri, String version, boolean stable) {
    ObjectNode args = Oracle.args(uri).put("fileVersion", version).put("stableRowIds", stable);
    try (ArrowTable rows = StableTables.rows(keys(0, 60), 0, allocator)) {
      oracle.send("write", args.put("maxRowsPerFile", 12), rows);
    }
    oracle.delete(uri, "k IN (3, 4, 40) OR k BETWEEN 24 AND 31");
    try (ArrowTable rows = StableTables.rows(keys(50, 56), 1_000, allocator)) {
      ObjectNode merge = Oracle.args(uri).put("matched", "updateAll");
      merge.putArray("on").add("k");
      oracle.send("mergeInsert", merge, rows);
    }
    try (ArrowTable rows = StableTables.rows(keys(100, 130), 0, allocator)) {
      oracle.append(uri, rows);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static List<String> shape(String uri) {
    List<String> shape = new ArrayList<>();
    for (FragmentMetadata fragment : StableTables.table(uri).latest().manifest().fragments()) {
      shape.add(fragment.id() + ": " + fragment.physicalRows() + " " + fragment.deletedRows());
    }
    return shape;
  }

  private void assertThatBothReadTheSame(String uri) {
    try (Dataset dataset = open(uri);
        ArrowTable ours = Tables.drain(dataset.scan().select(COLUMNS).open(), allocator);
        ArrowTable theirs = oracle.scan(uri, allocator, COLUMNS)) {
      TableAssert.assertEqual(theirs, ours);
    }
  }

  private void assertThatTheSameIsRead(String uri, String other) {
    try (Dataset dataset = open(uri);
        Dataset twin = open(other);
        ArrowTable rows = Tables.drain(dataset.scan().select(COLUMNS).open(), allocator);
        ArrowTable otherRows = Tables.drain(twin.scan().select(COLUMNS).open(), allocator)) {
      TableAssert.assertEqual(otherRows, rows);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2.0,false,20",
    "2.1,false,20",
    "2.1,false,1000",
    "2.1,true,20",
    "2.1,true,1000",
    "2.2,true,7"
  })
  void bothMakeTheSameTable(String version, boolean stable, long target) throws Exception {
    create(uri("theirs"), version, stable);
    copy(Path.of(uri("theirs")), Path.of(uri("ours")));

    oracle.call("compact", Oracle.args(uri("theirs")).put("targetRowsPerFragment", target));
    try (Dataset dataset = open(uri("ours"))) {
      dataset
          .compact(CompactionOptions.builder().targetRowsPerFragment(target).build())
          .dataset()
          .close();
    }

    assertThat(shape(uri("ours"))).isEqualTo(shape(uri("theirs")));
    assertThat(StableTables.table(uri("ours")).latest().version())
        .isEqualTo(StableTables.table(uri("theirs")).latest().version());
    assertThatTheSameIsRead(uri("ours"), uri("theirs"));
    assertThatBothReadTheSame(uri("ours"));
    assertThatBothReadTheSame(uri("theirs"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theRealLibraryGoesOnWithWhatWeCompacted(boolean stable) {
    String uri = uri("table");
    create(uri, "2.1", stable);
    try (Dataset dataset = open(uri)) {
      dataset.compact().dataset().close();
    }

    oracle.delete(uri, "k = 110");
    try (ArrowTable rows = StableTables.rows(keys(120, 140), 7, allocator)) {
      ObjectNode merge = Oracle.args(uri).put("matched", "updateAll");
      merge.putArray("on").add("k");
      oracle.send("mergeInsert", merge, rows);
    }
    assertThatBothReadTheSame(uri);
    oracle.call("compact", Oracle.args(uri));
    assertThatBothReadTheSame(uri);
    try (Dataset dataset = open(uri)) {
      dataset.delete("k = 111").dataset().close();
    }
    try (Dataset dataset = open(uri)) {
      dataset.compact().dataset().close();
    }
    assertThatBothReadTheSame(uri);
    assertThat(oracle.countRows(uri, "k >= 110 AND k < 140")).isEqualTo(28);
  }

  /** Random fragments, deletions and index segments. */
  @Test
  void bothPlanTheSame() {
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      String uri = uri("table-" + seed);
      int start = 0;
      for (int i = 0; i < 12; i++) {
        int rows = 1 + random.nextInt(20);
        try (ArrowTable table = StableTables.rows(keys(start, start + rows), 0, allocator)) {
          oracle.send("write", Oracle.args(uri).put("mode", i == 0 ? "CREATE" : "APPEND"), table);
        }
        start += rows;
        if (random.nextInt(5) == 0 && i > 0) {
          oracle.delete(uri, "k % 11 = " + random.nextInt(11));
        }
        if (i == 4 || (i == 8 && seed % 2 == 0)) {
          ObjectNode index =
              Oracle.args(uri).put("type", "BTREE").put("scalar", "btree").put("replace", true);
          index.putArray("columns").add("k");
          oracle.call("createIndex", index);
        }
      }
      for (long target : new long[] {5, 20, 40, 1_000}) {
        for (float threshold : new float[] {0, 0.1f, 0.3f, 1}) {
          assertThat(ourTasks(uri, target, threshold))
              .as("seed %d, target %d, threshold %s", seed, target, threshold)
              .isEqualTo(theirTasks(uri, target, threshold));
        }
      }
    }
  }

  private List<List<Long>> ourTasks(String uri, long target, float threshold) {
    CompactionOptions options =
        CompactionOptions.builder()
            .targetRowsPerFragment(target)
            .materializeDeletionsThreshold(threshold)
            .build();
    List<List<Long>> tasks = new ArrayList<>();
    try (Dataset dataset = open(uri)) {
      for (CompactionTask task : dataset.planCompaction(options).tasks()) {
        List<Long> ids = new ArrayList<>();
        for (IdRange range : task.fragments()) {
          for (long id = range.first(); id <= range.last(); id++) {
            ids.add(id);
          }
        }
        tasks.add(ids);
      }
    }
    return tasks;
  }

  private List<List<Long>> theirTasks(String uri, long target, float threshold) {
    JsonNode plan =
        oracle.call(
            "planCompaction",
            Oracle.args(uri)
                .put("targetRowsPerFragment", target)
                .put("materializeDeletionsThreshold", threshold));
    List<List<Long>> tasks = new ArrayList<>();
    for (JsonNode task : plan) {
      List<Long> ids = new ArrayList<>();
      task.forEach(id -> ids.add(id.asLong()));
      tasks.add(ids);
    }
    return tasks;
  }
}
