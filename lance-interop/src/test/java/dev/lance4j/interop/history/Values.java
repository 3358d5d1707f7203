package dev.lance4j.interop.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Values of columns as Java objects: integers of any width are longs, structs are maps in which
 * null fields are, lists are lists.
 */
final class Values {
  static final ArrowType INT32 = new ArrowType.Int(32, true);
  static final ArrowType INT64 = new ArrowType.Int(64, true);
  static final ArrowType DOUBLE = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
  static final ArrowType FLOAT = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
  static final ArrowType UTF8 = ArrowType.Utf8.INSTANCE;

  private Values() {}

  /** Columns of the kinds that tables have. */
  static List<Field> sampleFields() {
    Field x = Content.nullable("x", INT32);
    Field y = Content.nullable("y", UTF8);
    return List.of(
        Content.nullable("k", INT32),
        Content.nullable("v", INT64),
        Content.nullable("s", UTF8),
        Content.nullable("d", DOUBLE),
        Content.nullable("flag", ArrowType.Bool.INSTANCE),
        Content.nullable("items", ArrowType.List.INSTANCE, Content.nullable("item", INT32)),
        Content.nullable(
            "st",
            ArrowType.Struct.INSTANCE,
            Content.nullable("a", INT32),
            Content.nullable("b", UTF8)),
        Content.nullable(
            "pairs",
            ArrowType.List.INSTANCE,
            Content.nullable("item", ArrowType.Struct.INSTANCE, x, y)),
        Content.nullable("vec", new ArrowType.FixedSizeList(2), Content.nullable("item", FLOAT)));
  }

  static Map<String, Object> randomRow(List<Field> fields, boolean nullStructs, Random random) {
    Map<String, Object> row = new HashMap<>();
    for (Field field : fields) {
      row.put(field.getName(), random(field, nullStructs, random));
    }
    return row;
  }

  private static Object random(Field field, boolean nullStructs, Random random) {
    boolean struct = field.getType() instanceof ArrowType.Struct;
    if (random.nextInt(7) == 0 && (nullStructs || !struct)) {
      return null;
    }
    List<Field> children = field.getChildren();
    return switch (field.getType().getTypeID()) {
      case Int -> (long) random.nextInt(16) - 3;
      case Utf8, LargeUtf8 -> "x" + random.nextInt(12) + "y".repeat(random.nextInt(3));
      case FloatingPoint -> random.nextInt(20) / 2.0;
      case Bool -> random.nextBoolean();
      case List -> list(children.get(0), random.nextInt(4), nullStructs, random);
      case FixedSizeList -> List.of(random.nextInt(9) / 4.0, random.nextInt(9) / 4.0);
      default -> randomRow(children, nullStructs, random);
    };
  }

  private static List<Object> list(Field item, int size, boolean nullStructs, Random random) {
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      items.add(random(item, nullStructs, random));
    }
    return items;
  }

  /** A row with nulls for the columns, and fields of structs, that it lacks. */
  static Map<String, Object> complete(Map<String, Object> row, List<Field> fields) {
    Map<String, Object> full = new HashMap<>();
    for (Field field : fields) {
      Object value = row.get(field.getName());
      full.put(field.getName(), value instanceof Map ? struct(value, field) : value);
    }
    return full;
  }

  /** The fields of a struct, those it lacks and those of a null struct as nulls. */
  static Map<String, Object> struct(Object value, Field field) {
    Map<String, Object> struct = new HashMap<>();
    field.getChildren().forEach(child -> struct.put(child.getName(), null));
    if (value != null) {
      ((Map<?, ?>) value).forEach((name, child) -> struct.put((String) name, child));
    }
    return struct;
  }

  /** Makes null structs and structs of nulls the same. */
  static Object withoutNullStructs(Object value) {
    if (value instanceof List<?> list) {
      List<Object> items = new ArrayList<>();
      list.forEach(item -> items.add(withoutNullStructs(item)));
      return items;
    }
    if (!(value instanceof Map<?, ?> struct)) {
      return value;
    }
    Map<String, Object> fields = new HashMap<>();
    struct.forEach((name, field) -> fields.put((String) name, withoutNullStructs(field)));
    return fields.values().stream().allMatch(field -> field == null) ? null : fields;
  }

  static VectorSchemaRoot batch(
      List<Field> fields, List<Map<String, Object>> rows, BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator);
    root.allocateNew();
    for (FieldVector vector : root.getFieldVectors()) {
      for (int i = 0; i < rows.size(); i++) {
        set(vector, i, rows.get(i).get(vector.getName()));
      }
    }
    root.setRowCount(rows.size());
    return root;
  }

  private static void set(FieldVector vector, int i, Object value) {
    if (value == null) {
      vector.setNull(i);
    } else if (vector instanceof IntVector v) {
      v.setSafe(i, ((Long) value).intValue());
    } else if (vector instanceof BigIntVector v) {
      v.setSafe(i, (Long) value);
    } else if (vector instanceof Float8Vector v) {
      v.setSafe(i, (Double) value);
    } else if (vector instanceof Float4Vector v) {
      v.setSafe(i, ((Double) value).floatValue());
    } else if (vector instanceof BitVector v) {
      v.setSafe(i, (Boolean) value ? 1 : 0);
    } else if (vector instanceof VarCharVector v) {
      v.setSafe(i, ((String) value).getBytes(UTF_8));
    } else if (vector instanceof LargeVarCharVector v) {
      v.setSafe(i, ((String) value).getBytes(UTF_8));
    } else {
      setNested(vector, i, value);
    }
  }

  private static void setNested(FieldVector vector, int i, Object value) {
    if (vector instanceof StructVector struct) {
      struct.setIndexDefined(i);
      for (FieldVector child : struct.getChildrenFromFields()) {
        set(child, i, ((Map<?, ?>) value).get(child.getName()));
      }
      return;
    }
    List<?> items = (List<?>) value;
    FieldVector data;
    int start;
    if (vector instanceof ListVector list) {
      data = list.getDataVector();
      start = list.startNewValue(i);
      list.endValue(i, items.size());
    } else {
      FixedSizeListVector list = (FixedSizeListVector) vector;
      data = list.getDataVector();
      start = list.startNewValue(i);
    }
    for (int item = 0; item < items.size(); item++) {
      set(data, start + item, items.get(item));
    }
  }

  static Map<String, Object> row(VectorSchemaRoot root, int i) {
    Map<String, Object> values = new HashMap<>();
    for (FieldVector vector : root.getFieldVectors()) {
      values.put(vector.getName(), get(vector, i));
    }
    return values;
  }

  private static Object get(FieldVector vector, int i) {
    if (vector.isNull(i)) {
      return null;
    } else if (vector instanceof IntVector v) {
      return (long) v.get(i);
    } else if (vector instanceof BigIntVector v) {
      return v.get(i);
    } else if (vector instanceof UInt8Vector v) {
      return v.get(i);
    } else if (vector instanceof Float8Vector v) {
      return v.get(i);
    } else if (vector instanceof Float4Vector v) {
      return (double) v.get(i);
    } else if (vector instanceof BitVector v) {
      return v.get(i) == 1;
    } else if (vector instanceof StructVector v) {
      Map<String, Object> fields = new HashMap<>();
      v.getChildrenFromFields().forEach(child -> fields.put(child.getName(), get(child, i)));
      return fields;
    } else if (vector instanceof ListVector v) {
      return items(v.getDataVector(), v.getElementStartIndex(i), v.getElementEndIndex(i));
    } else if (vector instanceof FixedSizeListVector v) {
      return items(v.getDataVector(), v.getElementStartIndex(i), v.getElementEndIndex(i));
    }
    return vector.getObject(i).toString();
  }

  private static List<Object> items(FieldVector data, int from, int to) {
    List<Object> items = new ArrayList<>();
    for (int i = from; i < to; i++) {
      items.add(get(data, i));
    }
    return items;
  }
}
