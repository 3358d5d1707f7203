package dev.lance4j.interop.index;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.interop.oracle.Oracle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Tables with values that indices get wrong easily, and conditions for them. */
final class IndexedTables {
  private static final Double[] DOUBLES = {
    1.5,
    Double.NaN,
    0.0,
    -0.0,
    null,
    Double.POSITIVE_INFINITY,
    2.5,
    Double.NEGATIVE_INFINITY,
    -3.0,
    7.0
  };
  private static final String[] TEXTS = {"a", "b", null, "c", "ab", "abc", "", "é", "b", "𝄞x"};
  private static final Boolean[] FLAGS = {true, false, null, false, true};
  private static final String[][] LISTS = {
    {"x", "y", "x"}, {"y", null}, null, {}, {"x"}, {"z", "y"}, {null}, {"x", "z"}, {"w"}
  };

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("n", new ArrowType.Int(32, true)),
              Field.nullable("v", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
              Field.nullable("s", ArrowType.Utf8.INSTANCE),
              Field.nullable("b", ArrowType.Bool.INSTANCE),
              new Field(
                  "tags",
                  FieldType.nullable(ArrowType.List.INSTANCE),
                  List.of(Field.nullable("item", ArrowType.Utf8.INSTANCE)))));

  private IndexedTables() {}

  static ArrowTable rows(int from, int to, BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    root.allocateNew();
    for (int i = from; i < to; i++) {
      int row = i - from;
      if (i % 11 != 5) {
        ((IntVector) root.getVector("n")).setSafe(row, i % 13);
      }
      Double number = DOUBLES[i * 7 % DOUBLES.length];
      if (number != null) {
        ((Float8Vector) root.getVector("v")).setSafe(row, number);
      }
      String text = TEXTS[i % TEXTS.length];
      if (text != null) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ((VarCharVector) root.getVector("s")).setSafe(row, bytes);
      }
      Boolean flag = FLAGS[i % FLAGS.length];
      if (flag != null) {
        ((BitVector) root.getVector("b")).setSafe(row, flag ? 1 : 0);
      }
      setList((ListVector) root.getVector("tags"), row, LISTS[i % LISTS.length]);
    }
    root.setRowCount(to - from);
    return ArrowTable.of(root);
  }

  private static void setList(ListVector lists, int row, String[] items) {
    if (items == null) {
      lists.setNull(row);
      return;
    }
    int start = lists.startNewValue(row);
    VarCharVector values = (VarCharVector) lists.getDataVector();
    for (int i = 0; i < items.length; i++) {
      if (items[i] == null) {
        values.setNull(start + i);
      } else {
        values.setSafe(start + i, items[i].getBytes(StandardCharsets.UTF_8));
      }
    }
    lists.endValue(row, items.length);
  }

  /** A table of two fragments with deleted rows. */
  static void create(String uri, boolean stableRowIds, BufferAllocator allocator) {
    try (ArrowTable rows = rows(0, 60, allocator);
        Dataset written =
            Dataset.write(uri)
                .allocator(allocator)
                .stableRowIds(stableRowIds)
                .maxRowsPerFile(30)
                .from(rows.root())) {
      written.delete("n = 3 OR n = 12").dataset().close();
    }
  }

  /** Changes a table after it was indexed: rows are deleted, updated and appended. */
  static void change(String uri, BufferAllocator allocator) {
    try (Dataset dataset = open(uri, allocator);
        Dataset fewer = dataset.delete("n = 5 AND s = 'b'").dataset();
        ArrowTable rows = rows(60, 75, allocator)) {
      fewer.append(rows.root()).close();
    }
  }

  static Dataset open(String uri, BufferAllocator allocator) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  /**
   * Conditions on columns that are neither lists nor structs. The native interface of the real
   * library takes no text outside the basic plane; what follows it in one order and precedes it in
   * the other shows in which order text is.
   */
  static List<String> flatConditions() {
    return List.of(
        "v = 1.5",
        "v = 0.0",
        "v = -0.0",
        "v > 1",
        "v >= 0",
        "v < 0",
        "v <= 2.5",
        "v > 7",
        "v IS NULL",
        "v IS NOT NULL",
        "v != 1.5",
        "NOT (v = 1.5)",
        "v IN (1.5, 7.0)",
        "v NOT IN (1.5, 2.5)",
        "v BETWEEN 2 AND 1",
        "NOT (v BETWEEN 2 AND 1)",
        "v BETWEEN 0 AND 2.5",
        "s = 'a'",
        "s > 'a'",
        "s >= 'ab' AND s < 'c'",
        "s = ''",
        "s > '～'",
        "s < '～'",
        "s > 'é'",
        "s IN ('a', 'c', 'nothing')",
        "s NOT IN ('a', 'b')",
        "s IS NULL",
        "s IS NOT NULL",
        "n = 4",
        "n != 4",
        "n >= 6 AND n < 9",
        "n > 8 AND n < 2",
        "n IN (1, 2, 7)",
        "n IN (1, 2, NULL)",
        "n NOT IN (1, NULL)",
        "n = 100",
        "n < -5",
        "b",
        "NOT b",
        "b = true",
        "b = false",
        "b IS NULL",
        "b IS NOT NULL",
        "b IS TRUE",
        "b IS FALSE",
        "n = 4 AND s = 'b'",
        "n = 4 OR s = 'b'",
        "NOT (n = 4 OR s = 'b')",
        "NOT (n = 4 AND s = 'b')",
        "(n > 3 AND b) OR v IS NULL",
        "n > 3 AND v * 2 > 4",
        "n = 4 OR v * 2 > 4");
  }

  /** Conditions that begin with a piece of text. */
  static List<String> prefixConditions() {
    return List.of(
        "s LIKE 'a%'",
        "starts_with(s, 'ab')",
        "s LIKE 'é%'",
        "s LIKE 'nothing%'",
        "NOT (s LIKE 'a%')",
        "s LIKE 'a%c'");
  }

  /** Conditions on lists. */
  static List<String> listConditions() {
    return List.of(
        "array_has(tags, 'x')",
        "array_has(tags, 'nothing')",
        "array_contains(tags, 'y')",
        "NOT array_has(tags, 'x')",
        "array_has_any(tags, ['x', 'w'])",
        "array_has_any(tags, ['x', NULL])",
        "array_has_any(tags, [NULL])",
        "NOT array_has_any(tags, ['x', 'w'])",
        "array_has_all(tags, ['x', 'y'])",
        "array_has_all(tags, ['x', 'nothing'])",
        "NOT array_has_all(tags, ['x', 'y'])",
        "array_has(tags, 'x') AND array_has(tags, 'z')",
        "array_has(tags, 'x') OR array_has(tags, 'y')",
        "array_has(tags, 'y') AND n > 3",
        "tags IS NULL",
        "tags IS NOT NULL");
  }

  /** The ids of the rows that we find. */
  static List<String> ours(
      String uri, String condition, boolean withIndex, BufferAllocator allocator) {
    try (Dataset dataset = open(uri, allocator);
        ArrowTable found =
            Tables.drain(
                dataset.scan().select("_rowid").where(condition).useScalarIndex(withIndex).open(),
                allocator)) {
      return ids(found);
    }
  }

  /** The ids of the rows that the real library finds. */
  static List<String> theirs(
      String uri, String condition, boolean withIndex, BufferAllocator allocator) {
    ObjectNode args = Oracle.args(uri).put("filter", condition).put("useScalarIndex", withIndex);
    args.putArray("columns").add("_rowid");
    try (ArrowTable found = Oracle.shared().fetch("scan", args, allocator)) {
      return ids(found);
    }
  }

  private static List<String> ids(ArrowTable table) {
    UInt8Vector ids = (UInt8Vector) table.column("_rowid");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < table.rowCount(); i++) {
      texts.add(Long.toUnsignedString(ids.get(i)));
    }
    texts.sort(null);
    return texts;
  }
}
