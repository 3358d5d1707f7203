package dev.lance4j.interop.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.scan.Scan;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The real library merges what segments say of rows that were updated since: of tables with stable
 * row ids, old values come along with the new ones. Scans must not believe them.
 */
@WithOracle
class StaleEntriesInteropTest {
  private static final List<String> CONDITIONS =
      List.of(
          "n = 1",
          "n = 100",
          "n IN (1, 2, 100)",
          "n < 3",
          "n >= 3",
          "NOT (n = 1)",
          "n != 100",
          "n IS NULL",
          "n IS NOT NULL",
          "n NOT IN (1, 100)",
          "n = 1 OR n = 100",
          "n = 100 AND s = 'b'");

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @ParameterizedTest
  @CsvSource({
    "BTREE, btree, true",
    "BTREE, btree, false",
    "BITMAP, bitmap, true",
    "BITMAP, bitmap, false",
    "ZONEMAP, zonemap, true",
    "ZONEMAP, zonemap, false"
  })
  void oldValuesOfUpdatedRowsAreNotFoundInIndicesThatTheRealLibraryMerged(
      String type, String name, boolean stable) {
    String uri = folder.resolve("t.lance").toString();
    IndexedTables.create(uri, stable, allocator);
    ObjectNode index = Oracle.args(uri).put("type", type).put("scalar", name).put("name", "n_idx");
    index.putArray("columns").add("n");
    oracle.call("createIndex", index);
    try (Dataset dataset = IndexedTables.open(uri, allocator);
        Dataset updated = dataset.update().where("n = 1").set("n", "100").execute().dataset();
        Dataset nulled =
            updated.update().where("n = 2").set("n", "cast(NULL AS int)").execute().dataset()) {
      nulled.update().where("n IS NULL AND b").set("n", "100").execute().dataset().close();
    }
    assertThat(requireRightAnswers(uri)).isTrue();
    oracle.call("optimizeIndices", Oracle.args(uri));
    assertThat(requireRightAnswers(uri)).isTrue();
    oracle.call("compact", Oracle.args(uri));
    // Zones are gone with the fragments that they were stretches of.
    assertThat(requireRightAnswers(uri)).isEqualTo(!type.equals("ZONEMAP"));
    oracle.call("optimizeIndices", Oracle.args(uri));
    requireRightAnswers(uri);
  }

  /** Compares answers, and says whether the index had a part in them. */
  private boolean requireRightAnswers(String uri) {
    boolean used = false;
    try (Dataset dataset = IndexedTables.open(uri, allocator)) {
      for (String condition : CONDITIONS) {
        Scan scan = dataset.scan().where(condition);
        used |= scan.explain().contains("Look up");
        assertThat(IndexedTables.ours(uri, condition, true, allocator))
            .as(scan.explain())
            .isEqualTo(IndexedTables.ours(uri, condition, false, allocator));
        assertThat(scan.count()).isEqualTo(scan.useScalarIndex(false).count());
      }
    }
    return used;
  }
}
