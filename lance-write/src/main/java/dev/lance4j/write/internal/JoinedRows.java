package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.data.ArrayConcat;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.data.FieldArrays;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.write.BatchSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The right side of a join, in memory: rows that are found by a key. */
final class JoinedRows implements AutoCloseable {
  private final List<Field> fields;
  private final List<ArrayData> values;
  private final ArrayData keys;
  private final KeyTable table;
  private final BufferAllocator allocator;

  private JoinedRows(
      List<Field> fields,
      List<ArrayData> values,
      KeyTable table,
      ArrayData keys,
      BufferAllocator allocator) {
    this.fields = fields;
    this.values = values;
    this.keys = keys;
    this.table = table;
    this.allocator = allocator;
  }

  /**
   * The columns of a source without its key.
   *
   * @throws InvalidInputException if there is no such key
   */
  static Schema withoutKey(Schema schema, String key) {
    if (schema.getFields().stream().noneMatch(field -> field.getName().equals(key))) {
      throw new InvalidInputException(
          "The right side has no column '"
              + key
              + "'; it has "
              + schema.getFields().stream().map(Field::getName).toList());
    }
    return new Schema(
        schema.getFields().stream().filter(field -> !field.getName().equals(key)).toList(),
        schema.getCustomMetadata());
  }

  /**
   * Reads a source.
   *
   * @param key the name of its key
   * @param left the key on the other side, of the same type
   * @param columns the schema of its other columns, with field ids
   * @throws InvalidInputException if there are no batches, or the keys do not fit
   */
  static JoinedRows read(
      BatchSource source, String key, Field left, LanceSchema columns, BufferAllocator allocator) {
    LanceSchema keySchema =
        new LanceSchema(LanceSchema.fromArrow(source.schema()).fields(), Map.of())
            .project(List.of(key));
    LanceField keyField = keySchema.fields().get(0);
    requireSameType(left, keyField);
    List<LanceField> all = new ArrayList<>(columns.fields());
    all.add(keyField);
    List<ArrayData> arrays = concat(source, new LanceSchema(all, Map.of()), allocator);
    boolean complete = false;
    try {
      ArrayData keys = arrays.get(arrays.size() - 1);
      KeyTable table = new KeyTable(keyField.toArrow(), keys);
      List<Field> fields = columns.fields().stream().map(LanceField::toArrow).toList();
      complete = true;
      return new JoinedRows(fields, arrays.subList(0, arrays.size() - 1), table, keys, allocator);
    } finally {
      if (!complete) {
        arrays.forEach(ArrayData::close);
      }
    }
  }

  private static void requireSameType(Field left, LanceField right) {
    String type = LanceSchema.fromArrow(new Schema(List.of(left))).fields().get(0).logicalType();
    if (!type.equals(right.logicalType())) {
      throw new SchemaMismatchException(
          String.format(
              "The keys differ in type: '%s' of the table is %s, '%s' of the right side is %s",
              left.getName(), type, right.name(), right.logicalType()));
    }
  }

  private static List<ArrayData> concat(
      BatchSource source, LanceSchema schema, BufferAllocator allocator) {
    List<List<ArrayData>> parts = new ArrayList<>();
    schema.fields().forEach(field -> parts.add(new ArrayList<>()));
    List<ArrayData> joined = new ArrayList<>();
    boolean complete = false;
    try (JsonTextColumns rows = new JsonTextColumns(source, allocator)) {
      for (VectorSchemaRoot batch = rows.next(); batch != null; batch = rows.next()) {
        List<ArrayData> arrays = FieldArrays.of(schema, batch, rows.dictionaries());
        for (int i = 0; i < parts.size(); i++) {
          parts.get(i).add(copy(schema.fields().get(i).toArrow(), arrays.get(i), allocator));
        }
      }
      if (parts.get(0).isEmpty()) {
        throw new InvalidInputException("The right side has no batches");
      }
      for (int i = 0; i < parts.size(); i++) {
        List<ArrayData> column = List.copyOf(parts.get(i));
        parts.get(i).clear();
        joined.add(ArrayConcat.concat(schema.fields().get(i).toArrow(), column, allocator));
      }
      complete = true;
      return joined;
    } finally {
      parts.forEach(column -> column.forEach(ArrayData::close));
      if (!complete) {
        joined.forEach(ArrayData::close);
      }
    }
  }

  /** A copy, since the source may use the memory of a batch again; takes the array over. */
  private static ArrayData copy(Field field, ArrayData array, BufferAllocator allocator) {
    return ArrayConcat.concat(field, List.of(array, NullArrays.of(field, 0, allocator)), allocator);
  }

  /** For each key the row that has it, or {@link KeyTable#NONE}. */
  int[] find(ArrayData probe) {
    int[] rows = new int[probe.length()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = table.find(probe, i);
    }
    return rows;
  }

  /**
   * The values of rows.
   *
   * @param rows in any order; {@link KeyTable#NONE} gives nulls
   * @return one array for each column, owned by the caller
   */
  List<ArrayData> gather(int[] rows) {
    List<ArrayData> gathered = new ArrayList<>(fields.size());
    boolean complete = false;
    try {
      for (int i = 0; i < fields.size(); i++) {
        gathered.add(ArrayGather.gather(fields.get(i), values.get(i), rows, allocator));
      }
      complete = true;
      return gathered;
    } finally {
      if (!complete) {
        gathered.forEach(ArrayData::close);
      }
    }
  }

  @Override
  public void close() {
    values.forEach(ArrayData::close);
    keys.close();
  }
}
