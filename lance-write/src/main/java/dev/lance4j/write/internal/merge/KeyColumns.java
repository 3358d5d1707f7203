package dev.lance4j.write.internal.merge;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.data.DictionaryIndex;
import dev.lance4j.format.internal.data.Keys;
import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.PrimaryKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.Text;

/** The columns whose values identify a row in a merge. Values are equal if their bits are. */
final class KeyColumns {
  private final List<LanceField> fields;
  private final List<Field> arrowFields;

  private KeyColumns(List<LanceField> fields) {
    this.fields = List.copyOf(fields);
    this.arrowFields = fields.stream().map(LanceField::toArrow).toList();
  }

  /**
   * @param on names of top-level columns, in any case, also in back-ticks; none for the table's
   *     primary key
   * @throws InvalidInputException if there is no such column, or it is named twice, or there is no
   *     primary key
   */
  static KeyColumns of(LanceSchema table, List<String> on) {
    if (on.isEmpty()) {
      List<LanceField> primary = PrimaryKey.of(table);
      if (primary.isEmpty()) {
        throw new InvalidInputException(
            "A merge needs key columns: name them, or declare a primary key in the table's schema");
      }
      return new KeyColumns(primary);
    }
    List<LanceField> fields = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (String name : on) {
      LanceField field = find(table, name);
      if (BlobV2Fields.isBlob(field)) {
        throw new InvalidInputException(
            "The merge key column '" + name + "' holds blobs, which cannot be compared");
      }
      if (!seen.add(field.id())) {
        throw new InvalidInputException("The merge key names column '" + name + "' twice");
      }
      fields.add(field);
    }
    return new KeyColumns(fields);
  }

  private static LanceField find(LanceSchema table, String name) {
    LanceField exact = table.field(name);
    if (exact != null) {
      return exact;
    }
    List<String> path = FieldPath.parse(name);
    String column = path.size() == 1 ? path.get(0) : name;
    LanceField unquoted = table.field(column);
    if (unquoted != null) {
      return unquoted;
    }
    for (LanceField field : table.fields()) {
      if (field.name().equalsIgnoreCase(column)) {
        return field;
      }
    }
    throw new InvalidInputException(
        "The merge key column '"
            + name
            + "' does not exist; the table has "
            + table.fields().stream().map(LanceField::name).toList());
  }

  /** The columns, in the order of the key. */
  List<LanceField> fields() {
    return fields;
  }

  List<Integer> fieldIds() {
    return fields.stream().map(LanceField::id).toList();
  }

  /**
   * The keys of rows.
   *
   * @param columns the values of the key columns, in the order of the key; borrowed
   */
  RowKeys read(List<ArrayData> columns, int rows) {
    long[] nulls = nulls(columns, rows);
    ArrayLayout layout = ArrayLayout.of(arrowFields.get(0));
    if (columns.size() == 1
        && layout.kind() == ArrayLayout.Kind.FIXED
        && layout.bits() <= Long.SIZE
        && Long.bitCount(layout.bits()) == 1
        && columns.get(0).dictionary() == null) {
      return new LongKeys(FixedValues.read(columns.get(0), layout.bits(), rows), rows, nulls);
    }
    KeyBytes bytes = new KeyBytes(arrowFields, columns, rows);
    return bytes.encode(nulls);
  }

  private long[] nulls(List<ArrayData> columns, int rows) {
    long[] nulls = null;
    for (int i = 0; i < columns.size(); i++) {
      ArrayData column = columns.get(i);
      boolean nullEntries = column.dictionary() != null && column.dictionary().nullCount() > 0;
      if (column.nullCount() == 0 && !nullEntries) {
        continue;
      }
      if (nulls == null) {
        nulls = new long[(rows + Long.SIZE - 1) / Long.SIZE];
      }
      for (int row = 0; row < rows; row++) {
        if (isNull(column, row, arrowFields.get(i))) {
          nulls[row >> 6] |= 1L << row;
        }
      }
    }
    return nulls;
  }

  private static boolean isNull(ArrayData column, int row, Field field) {
    // Arrays of the null type have no validity.
    if (column.bufferCount() == 0 || !column.isValid(row)) {
      return true;
    }
    if (column.dictionary() == null) {
      return false;
    }
    return !column.dictionary().isValid(entry(column, row, field));
  }

  /** The entry of its dictionary that a row has. */
  private static int entry(ArrayData column, int row, Field field) {
    int width = field.getDictionary().getIndexType().getBitWidth() / Byte.SIZE;
    return (int) Keys.get(column.buffer(1), row, width);
  }

  /** A key for people to read, such as {@code k = 4, name = "x"}. */
  String describe(List<ArrayData> columns, int row, BufferAllocator allocator) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      parts.add(
          fields.get(i).name() + " = " + text(arrowFields.get(i), columns.get(i), row, allocator));
    }
    return String.join(", ", parts);
  }

  private static String text(Field field, ArrayData column, int row, BufferAllocator allocator) {
    if (!column.isValid(row)) {
      return "NULL";
    }
    if (column.dictionary() != null) {
      return text(
          DictionaryIndex.values(field), column.dictionary(), entry(column, row, field), allocator);
    }
    try (ArrayData one = ArrayGather.gather(field, column, new int[] {row}, allocator);
        FieldVector vector = field.createVector(allocator)) {
      ArrayDataVectors.load(one, vector, allocator);
      Object value = vector.getObject(0);
      return value instanceof Text || value instanceof String
          ? '"' + value.toString() + '"'
          : value.toString();
    }
  }
}
