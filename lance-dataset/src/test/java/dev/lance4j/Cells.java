package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.Text;

/** Tables as lists of rows, each a list of Java values. */
final class Cells {
  static final ArrowType INT32 = new ArrowType.Int(32, true);
  static final ArrowType INT64 = new ArrowType.Int(64, true);
  static final ArrowType UINT64 = new ArrowType.Int(64, false);
  static final ArrowType UTF8 = ArrowType.Utf8.INSTANCE;

  private Cells() {}

  static Field nullable(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), List.of(children));
  }

  static Field required(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.notNullable(type), List.of(children));
  }

  static Field struct(String name, Field... children) {
    return nullable(name, ArrowType.Struct.INSTANCE, children);
  }

  static Schema schema(Field... fields) {
    return new Schema(List.of(fields));
  }

  static List<Object> row(Object... values) {
    return Arrays.asList(values);
  }

  /** A batch; structs are lists of the values of their children. */
  @SafeVarargs
  static VectorSchemaRoot batch(BufferAllocator allocator, Schema schema, List<Object>... rows) {
    List<List<Object>> all = new ArrayList<>();
    for (List<Object> row : rows) {
      all.add(row);
    }
    return batch(allocator, schema, all);
  }

  static VectorSchemaRoot batch(BufferAllocator allocator, Schema schema, List<List<Object>> rows) {
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    root.allocateNew();
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < schema.getFields().size(); column++) {
        set(root.getVector(column), row, rows.get(row).get(column));
      }
    }
    root.setRowCount(rows.size());
    return root;
  }

  private static void set(FieldVector vector, int row, Object value) {
    if (value == null) {
      vector.setNull(row);
    } else if (vector instanceof IntVector ints) {
      ints.setSafe(row, ((Number) value).intValue());
    } else if (vector instanceof SmallIntVector shorts) {
      shorts.setSafe(row, ((Number) value).intValue());
    } else if (vector instanceof BigIntVector longs) {
      longs.setSafe(row, ((Number) value).longValue());
    } else if (vector instanceof UInt8Vector longs) {
      longs.setSafe(row, ((Number) value).longValue());
    } else if (vector instanceof Float8Vector doubles) {
      doubles.setSafe(row, ((Number) value).doubleValue());
    } else if (vector instanceof VarCharVector texts) {
      texts.setSafe(row, ((String) value).getBytes(UTF_8));
    } else if (vector instanceof BitVector bits) {
      bits.setSafe(row, (boolean) value ? 1 : 0);
    } else if (vector instanceof UInt4Vector ints) {
      ints.setSafe(row, ((Number) value).intValue());
    } else if (vector instanceof DateDayVector days) {
      days.setSafe(row, (int) ((LocalDate) value).toEpochDay());
    } else if (vector instanceof TimeStampVector times) {
      times.setSafe(row, ((Number) value).longValue());
    } else if (vector instanceof ListVector list) {
      setList(list, row, (List<?>) value);
    } else if (vector instanceof LargeVarCharVector texts) {
      texts.setSafe(row, ((String) value).getBytes(UTF_8));
    } else if (vector instanceof LargeVarBinaryVector bytes) {
      bytes.setSafe(row, ((String) value).getBytes(UTF_8));
    } else {
      StructVector struct = (StructVector) vector;
      struct.setIndexDefined(row);
      for (int i = 0; i < struct.size(); i++) {
        set((FieldVector) struct.getChildByOrdinal(i), row, ((List<?>) value).get(i));
      }
    }
  }

  private static void setList(ListVector list, int row, List<?> items) {
    int start = list.startNewValue(row);
    for (int i = 0; i < items.size(); i++) {
      set(list.getDataVector(), start + i, items.get(i));
    }
    list.endValue(row, items.size());
  }

  /** All rows of a reader, which is closed. */
  static List<List<Object>> rows(ArrowReader reader) {
    List<List<Object>> rows = new ArrayList<>();
    try (reader) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        for (int row = 0; row < root.getRowCount(); row++) {
          List<Object> values = new ArrayList<>();
          for (FieldVector vector : root.getFieldVectors()) {
            values.add(get(vector, row));
          }
          rows.add(values);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  private static Object get(FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return null;
    } else if (vector instanceof StructVector struct) {
      List<Object> values = new ArrayList<>();
      for (FieldVector child : struct.getChildrenFromFields()) {
        values.add(get(child, row));
      }
      return values;
    }
    Object value = vector.getObject(row);
    if (value instanceof byte[] bytes) {
      return new String(bytes, UTF_8);
    }
    return value instanceof Text ? value.toString() : value;
  }

  /** All rows of a table. */
  static List<List<Object>> rows(Dataset dataset) {
    return rows(dataset.scan().withBlobBytes().open());
  }
}
