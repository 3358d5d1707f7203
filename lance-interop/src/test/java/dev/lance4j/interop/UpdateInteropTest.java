package dev.lance4j.interop;

import static dev.lance4j.interop.StableTables.keys;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.WithOracle;
import dev.lance4j.table.FragmentMetadata;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deletes and updates of both libraries, one after the other and from the same version. */
@WithOracle
class UpdateInteropTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("table.lance").toString();
  }

  private Dataset open() {
    return Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
  }

  private void create(String version, boolean stable) {
    ObjectNode args = Oracle.args(uri()).put("fileVersion", version).put("stableRowIds", stable);
    try (ArrowTable rows = StableTables.rows(keys(0, 60), 0, allocator)) {
      oracle.send("write", args.put("maxRowsPerFile", 30), rows);
    }
  }

  private void mergeTheirs(long... keys) {
    ObjectNode args = Oracle.args(uri()).put("matched", "updateAll");
    args.putArray("on").add("k");
    try (ArrowTable rows = StableTables.rows(keys, 1_000, allocator)) {
      oracle.send("mergeInsert", args, rows);
    }
  }

  /** Both give the same rows, and rows with stable ids have those of the start. */
  private void check(boolean stable, long rows) {
    String[] columns = {
      "k", "v", "_rowid", "_rowaddr", "_row_created_at_version", "_row_last_updated_at_version"
    };
    try (Dataset dataset = open();
        ArrowTable ours = Tables.drain(dataset.scan().select(columns).open(), allocator);
        ArrowTable theirs = oracle.scan(uri(), allocator, columns)) {
      TableAssert.assertEqual(theirs, ours);
      assertThat(oracle.countRows(uri())).isEqualTo(rows);
      assertThat(dataset.countRows()).isEqualTo(rows);
      if (stable) {
        assertThat(dataset.countRows("_rowid = k AND _row_created_at_version = 1")).isEqualTo(rows);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"2.0,false", "2.1,false", "2.1,true"})
  void bothSeeWhatTheOtherChanged(String version, boolean stable) {
    create(version, stable);
    try (Dataset first = open()) {
      first.update().where("k % 7 = 3").set("v", "v * 10").execute().dataset().close();
    }
    check(stable, 60);
    assertThat(oracle.countRows(uri(), "v = k * 10 AND k % 7 = 3")).isEqualTo(9);

    oracle.delete(uri(), "k IN (3, 4, 40)");
    mergeTheirs(10, 11, 52);
    check(stable, 57);

    try (Dataset last = open()) {
      last.delete("k >= 50 OR k = 10").dataset().close();
    }
    check(stable, 46);
    try (Dataset last = open()) {
      last.update().set("v", "k").execute().dataset().close();
    }
    check(stable, 46);
    assertThat(oracle.countRows(uri(), "v = k")).isEqualTo(46);
  }

  /** Scenarios 1, 2, 5, 6, 7 and 9: ours start from the version before theirs. */
  @ParameterizedTest
  @CsvSource({"2.1,false", "2.1,true"})
  void oursGoTogetherWithTheirsThatReadTheSameVersion(String version, boolean stable) {
    create(version, stable);
    try (Dataset first = open()) {
      oracle.delete(uri(), "k = 40");
      assertThat(deleted(first, "k IN (41, 42)")).isEqualTo(2);
      check(stable, 57);
      assertThat(fragment(1).deletedRows()).isEqualTo(3);

      mergeTheirs(43);
      assertThat(deleted(first, "k IN (40, 43, 44)")).isEqualTo(2);
      check(stable, 55);

      oracle.delete(uri(), "k >= 50");
      first.update().where("k BETWEEN 45 AND 49").set("v", "-1").execute().dataset().close();
      check(stable, 45);
      assertThat(oracle.countRows(uri(), "v = -1")).isEqualTo(5);

      oracle.call("compact", Oracle.args(uri()));
      assertThat(deleted(first, "k = 1")).isEqualTo(1);
      assertThat(oracle.countRows(uri())).isEqualTo(44);
    }
    // Theirs goes on top of whatever we wrote.
    oracle.delete(uri(), "k = 2");
    try (Dataset last = open()) {
      assertThat(last.countRows()).isEqualTo(43);
    }
  }

  private static long deleted(Dataset dataset, String predicate) {
    var result = dataset.delete(predicate);
    result.dataset().close();
    return result.rowsDeleted();
  }

  private FragmentMetadata fragment(long id) {
    return StableTables.table(uri()).latest().manifest().fragment(id).orElseThrow();
  }
}
