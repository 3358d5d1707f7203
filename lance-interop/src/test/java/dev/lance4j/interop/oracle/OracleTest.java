package dev.lance4j.interop.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.TableAssert;
import dev.lance4j.format.testing.Tables;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver itself: what goes in comes out, and a death is survived. */
@WithOracle
class OracleTest {
  private static final List<Field> FIELDS =
      List.of(
          SampleFields.int64("k"),
          SampleFields.utf8("s"),
          SampleFields.dictionary("d", 1, 16, true),
          SampleFields.fixedSizeList("v", 4, SampleFields.float32("item")));

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** Random rows whose {@code k} is their position. */
  private ArrowTable data(int rows) {
    ArrowTable table = RandomData.table(FIELDS, NullPattern.SOME, rows, 5, allocator);
    BigIntVector keys = (BigIntVector) table.column("k");
    for (int i = 0; i < rows; i++) {
      keys.set(i, i);
    }
    return table;
  }

  @Test
  void aFileComesBackAsWritten() {
    Path file = folder.resolve("a.lance");
    try (ArrowTable written = data(100)) {
      oracle.writeFile(file, "2.1", written);
      try (ArrowTable read = oracle.readFile(file, allocator)) {
        TableAssert.assertEqual(written, read);
      }
      ObjectNode args = Oracle.args().put("path", file.toString());
      args.putArray("columns").add("s");
      args.putArray("ranges").addArray().add(10).add(20);
      try (ArrowTable read = oracle.fetch("readFile", args, allocator);
          ArrowTable expected = Tables.slice(written, 10, 20, allocator)) {
        TableAssert.assertEqual(Tables.select(expected, "s"), read);
      }
    }
  }

  @Test
  void everyTypeComesBackFromATable() {
    List<Field> fields = SampleFields.of(FileVersion.V2_2);
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable written = RandomData.table(fields, NullPattern.SOME, 500, 9, allocator)) {
      oracle.create(uri, "2.2", written);
      try (ArrowTable read = oracle.scan(uri, allocator)) {
        TableAssert.assertEqual(written, read);
      }
    }
  }

  @Test
  void aTableGoesThroughItsLife() {
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable written = data(100)) {
      oracle.create(uri, "2.1", written);
      oracle.append(uri, written);
    }
    assertThat(oracle.countRows(uri)).isEqualTo(200);
    long nulls = oracle.countRows(uri, "s IS NULL");
    assertThat(oracle.delete(uri, "s IS NULL")).isEqualTo(3);
    assertThat(oracle.countRows(uri)).isEqualTo(200 - nulls);
    assertThat(oracle.createScalarIndex(uri, "k", "BTREE", "btree").get("name").asText())
        .isEqualTo("k_idx");
    assertThat(oracle.call("describeIndices", Oracle.args(uri)).get(0).get("type").asText())
        .isEqualTo("BTree");
    ObjectNode computed = Oracle.args(uri);
    computed.putObject("sql").put("k2", "k + 1");
    assertThat(oracle.call("addColumns", computed).asLong()).isEqualTo(5);
    assertThat(oracle.call("compact", Oracle.args(uri)).asLong()).isGreaterThan(5);
    assertThat(oracle.call("fragments", Oracle.args(uri))).hasSize(1);
    assertThat(oracle.call("versions", Oracle.args(uri)).size()).isGreaterThanOrEqualTo(6);
    oracle.call("createTag", Oracle.args(uri).put("name", "first").put("tagVersion", 1));
    assertThat(oracle.call("tags", Oracle.args(uri)).get("first").asLong()).isEqualTo(1);
    assertThat(oracle.call("restore", Oracle.args(uri).put("version", 1)).asLong())
        .isEqualTo(oracle.version(uri));
    assertThat(oracle.countRows(uri)).isEqualTo(100);
  }

  @Test
  void mergeInsertUpdatesAndInserts() {
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable all = data(50);
        ArrowTable some = Tables.slice(all, 0, 40, allocator)) {
      oracle.create(uri, "2.1", some);
      ObjectNode args = Oracle.args(uri).put("matched", "updateAll");
      args.putArray("on").add("k");
      JsonNode result = oracle.send("mergeInsert", args, some);
      assertThat(result.get("updated").asLong()).isEqualTo(40);
      assertThat(result.get("inserted").asLong()).isZero();
      ObjectNode insert = Oracle.args(uri);
      insert.putArray("on").add("k");
      try (ArrowTable decoded = Tables.decoded(all, allocator)) {
        JsonNode inserted = oracle.send("mergeInsert", insert, decoded);
        assertThat(inserted.get("inserted").asLong()).isEqualTo(10);
      }
    }
    assertThat(oracle.countRows(uri)).isEqualTo(50);
  }

  @Test
  void theNearestVectorIsItself() {
    String uri = folder.resolve("t.lance").toString();
    float[] key = {0.5f, 0.25f, 1, 2};
    try (ArrowTable written = data(64)) {
      FixedSizeListVector vectors = (FixedSizeListVector) written.column("v");
      Float4Vector items = (Float4Vector) vectors.getDataVector();
      for (int i = 0; i < 64 * 4; i++) {
        items.set(i, key[i % 4] + Math.abs(i / 4 - 17));
      }
      for (int i = 0; i < 64; i++) {
        vectors.setNotNull(i);
      }
      oracle.create(uri, "2.1", written);
      ObjectNode args = Oracle.args(uri).put("withRowId", true);
      ObjectNode nearest = args.putObject("nearest").put("column", "v").put("k", 1);
      for (float value : key) {
        nearest.withArray("key").add(value);
      }
      try (ArrowTable found = oracle.fetch("scan", args, allocator)) {
        assertThat(found.rowCount()).isEqualTo(1);
        assertThat(found.column("_rowid").getObject(0)).isEqualTo(17L);
        assertThat(found.column("_distance").getObject(0)).isEqualTo(0f);
      }
    }
  }

  @Test
  void takenRowsComeInTheOrderAskedFor() {
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable written = data(20)) {
      oracle.create(uri, "2.1", written);
      try (ArrowTable taken = oracle.take(uri, List.of(7L, 3L, 7L), allocator);
          ArrowTable expected = Tables.gather(written, new int[] {7, 3, 7}, allocator)) {
        TableAssert.assertEqual(expected, taken);
      }
    }
  }

  @Test
  void anExceptionIsAnAnswer() {
    String uri = folder.resolve("absent.lance").toString();
    assertThatThrownBy(() -> oracle.countRows(uri))
        .isInstanceOfSatisfying(
            OracleError.class,
            error -> assertThat(error.type()).isEqualTo("java.lang.IllegalArgumentException"));
  }

  @Test
  void aDeathIsAnAnswerAndTheNextCallWorks() {
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable written = data(10)) {
      oracle.create(uri, "2.1", written);
    }
    assertThatThrownBy(() -> oracle.scanWhere(uri, "k > ?", allocator).close())
        .isInstanceOf(OracleAborted.class);
    assertThat(oracle.countRows(uri)).isEqualTo(10);
  }

  @Test
  void aBenchTellsEachTurn() {
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable written = data(1000)) {
      oracle.create(uri, "2.1", written);
    }
    long[] nanos = oracle.bench("scan", Oracle.args(uri), 1, 3);
    assertThat(nanos).hasSize(3).doesNotContain(0);
  }

  @Test
  void theChildSeesTheSchema() {
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable written = data(10)) {
      oracle.create(uri, "2.0", written);
      assertThat(oracle.schema(uri).getFields().stream().map(Field::getName).toList())
          .isEqualTo(written.columnNames());
    }
    assertThat(oracle.call("fileVersion", Oracle.args(uri)).asText()).isEqualTo("2.0");
  }

  @Test
  void rowIdsAreThoseOfTheFirstFragment() {
    String uri = folder.resolve("t.lance").toString();
    try (ArrowTable written = data(5)) {
      oracle.create(uri, "2.1", written);
    }
    try (ArrowTable read =
        oracle.fetch("scan", Oracle.args(uri).put("withRowId", true), allocator)) {
      FieldVector rowIds = read.column("_rowid");
      for (int i = 0; i < 5; i++) {
        assertThat(rowIds.getObject(i)).isEqualTo((long) i);
      }
    }
  }
}
