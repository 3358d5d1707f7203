package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.container.FileBatches;
import dev.lance4j.format.internal.container.FileProjection;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * An open file of values and the numbers of their rows, ordered by values, nulls first. Safe for
 * use by many threads.
 */
final class PageFile implements AutoCloseable {
  static final String VALUES = "values";

  /** The column of row numbers. */
  static final Field ROW_IDS = Field.notNullable("ids", new ArrowType.Int(64, false));

  private final LanceFileReader file;
  private final Field values;
  private final KeyType keyType;
  private final PageBounds bounds;
  private final FileProjection both;
  private final FileProjection valuesOnly;
  private final FileProjection idsOnly;

  /**
   * @param file closed with this
   * @param values the type of the values
   * @param pageRows the number of rows of a page, for files that do not tell it
   * @throws CorruptFileException if the file has other columns
   */
  PageFile(LanceFileReader file, Field values, long pageRows) {
    this.file = file;
    this.values = values;
    this.keyType = KeyType.of(values);
    List<LanceField> columns = columns(file, List.of(values, ROW_IDS));
    this.both = file.projection(schema(columns), false);
    this.valuesOnly = file.projection(schema(columns.subList(0, 1)), false);
    this.idsOnly = file.projection(schema(columns.subList(1, 2)), false);
    this.bounds = PageBounds.of(file, pageRows);
  }

  private static LanceSchema schema(List<LanceField> fields) {
    return new LanceSchema(fields, Map.of());
  }

  /**
   * Some first columns of a file of the index. They are known by their places, as the first writers
   * gave them other names.
   *
   * @throws CorruptFileException if there are none of the types
   */
  static List<LanceField> columns(LanceFileReader file, List<Field> wanted) {
    List<LanceField> found = file.schema().fields();
    List<LanceField> expected = LanceSchema.fromArrow(new Schema(wanted)).fields();
    for (int i = 0; i < expected.size(); i++) {
      String type = expected.get(i).logicalType();
      if (i >= found.size() || !found.get(i).logicalType().equals(type)) {
        throw new CorruptFileException(
            file.path(), -1, "column " + i + ", '" + wanted.get(i).getName() + "', is no " + type);
      }
    }
    return found.subList(0, expected.size());
  }

  String path() {
    return file.path();
  }

  Field values() {
    return values;
  }

  KeyType keyType() {
    return keyType;
  }

  PageBounds bounds() {
    return bounds;
  }

  long memoryBytes() {
    return file.metadataBytes();
  }

  /** The values of neighbouring rows and the numbers of the rows; the caller's. */
  ArrayBatch read(long from, long to, BufferAllocator allocator) {
    List<ArrayData> arrays = both.read(RowRanges.of(from, to), allocator);
    return new ArrayBatch((int) (to - from), arrays);
  }

  /** The values of neighbouring rows; the caller's. */
  ArrayData readValues(long from, long to, BufferAllocator allocator) {
    return valuesOnly.read(RowRanges.of(from, to), allocator).get(0);
  }

  /** The values of some rows; the caller's. */
  ArrayData takeValues(long[] rows, BufferAllocator allocator) {
    return FileBatches.take(valuesOnly, rows, allocator).get(0);
  }

  /** The numbers of neighbouring rows. */
  long[] readIds(long from, long to, BufferAllocator allocator) {
    try (ArrayData ids = idsOnly.read(RowRanges.of(from, to), allocator).get(0)) {
      return ids(ids);
    }
  }

  /** Row numbers as they are stored. */
  long[] ids(ArrayData ids) {
    if (ids.nullCount() > 0) {
      throw corrupt("a row has no number");
    }
    long[] numbers = new long[ids.length()];
    if (numbers.length > 0) {
      Longs.read(ids.buffer(1), 0, numbers, 0, numbers.length);
    }
    return numbers;
  }

  CorruptFileException corrupt(String what) {
    return new CorruptFileException(path(), -1, what);
  }

  @Override
  public void close() {
    file.close();
  }
}
