package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.write.MergeOptions.Duplicates;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatchedBySource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A table as a list of rows, and merges of such lists by the plainest of means. Besides key columns
 * and values of several types there is a column {@code mark}, different in each row that was ever
 * written. Rows keep their stable ids; those that a merge inserts are told theirs afterwards.
 */
final class MergeTwin {
  /** The number of different key values. */
  static final int KEYS = 12;

  private static final List<Field> POSSIBLE_KEYS =
      List.of(
          Field.nullable("i64", new ArrowType.Int(64, true)),
          Field.nullable("i16", new ArrowType.Int(16, true)),
          Field.nullable("text", ArrowType.Utf8.INSTANCE),
          Field.nullable("flag", ArrowType.Bool.INSTANCE),
          Field.nullable("real", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)),
          Field.nullable("bytes", new ArrowType.FixedSizeBinary(3)));

  private static final Field ITEM = Field.nullable("item", new ArrowType.Int(32, true));
  private static final Field A = Field.nullable("a", new ArrowType.Int(32, true));
  private static final Field B = Field.nullable("b", ArrowType.Utf8.INSTANCE);
  private static final List<Field> VALUES =
      List.of(
          Field.nullable("v", new ArrowType.Int(64, true)),
          new Field("list", FieldType.nullable(ArrowType.List.INSTANCE), List.of(ITEM)),
          new Field("st", FieldType.nullable(ArrowType.Struct.INSTANCE), List.of(A, B)),
          Field.nullable("mark", new ArrowType.Int(64, true)));

  private static final List<String> VALUE_NAMES = VALUES.stream().map(Field::getName).toList();

  /**
   * A row: values by column; a struct is a map, and its null fields are in it.
   *
   * @param id the stable row id, or {@link #NEW} while that is not known
   */
  record Row(Map<String, Object> values, long id) {
    static final long NEW = -1;

    Row(Map<String, Object> values) {
      this(values, NEW);
    }

    Object value(String column) {
      return values.get(column);
    }

    Row withId(long newId) {
      return new Row(values, newId);
    }

    @Override
    public String toString() {
      return id + " " + new TreeMap<>(values);
    }
  }

  /** What a merge counts. */
  record Outcome(long inserted, long updated, long deleted) {}

  /**
   * A merge.
   *
   * @param columns of the source, {@code st.a} for a struct of that field only
   */
  record Job(
      List<String> columns,
      List<Row> source,
      WhenMatched matched,
      boolean inserts,
      WhenNotMatchedBySource bySource,
      Duplicates duplicates) {}

  private final List<Field> keyFields = new ArrayList<>();
  private List<Row> rows = new ArrayList<>();
  private final boolean nullStructs;
  private long nextMark;

  /**
   * @param nullStructs whether the table can store them; those of version 2.0 cannot
   */
  MergeTwin(Random random, boolean nullStructs) {
    this.nullStructs = nullStructs;
    int count = random.nextInt(4) == 0 ? 2 : 1;
    while (keyFields.size() < count) {
      Field field = POSSIBLE_KEYS.get(random.nextInt(POSSIBLE_KEYS.size()));
      if (!keyFields.contains(field)) {
        keyFields.add(field);
      }
    }
    int size = random.nextInt(40);
    for (int i = 0; i < size; i++) {
      rows.add(randomRow(random, VALUE_NAMES).withId(i));
    }
  }

  List<String> keys() {
    return keyFields.stream().map(Field::getName).toList();
  }

  List<Row> rows() {
    return rows;
  }

  void setRows(List<Row> newRows) {
    rows = new ArrayList<>(newRows);
  }

  Schema schema() {
    List<Field> fields = new ArrayList<>(VALUES.subList(0, 2));
    fields.addAll(keyFields);
    fields.addAll(VALUES.subList(2, VALUES.size()));
    return new Schema(fields);
  }

  Schema schema(List<String> columns) {
    List<Field> fields = new ArrayList<>();
    for (String column : columns) {
      if (column.equals("st.a")) {
        fields.add(new Field("st", FieldType.nullable(ArrowType.Struct.INSTANCE), List.of(A)));
      } else {
        fields.add(schema().findField(column));
      }
    }
    return new Schema(fields);
  }

  void deleteWhere(Predicate<Row> condition) {
    rows = new ArrayList<>(rows.stream().filter(condition.negate()).toList());
  }

  private Row randomRow(Random random, List<String> columns) {
    Map<String, Object> values = new HashMap<>();
    for (Field key : keyFields) {
      values.put(key.getName(), random.nextInt(12) == 0 ? null : key(key, random));
    }
    for (String column : columns) {
      Object value =
          switch (column) {
            case "v" -> (long) random.nextInt(KEYS);
            case "list" -> Arrays.asList(random.nextInt(9), random.nextInt(2) == 0 ? null : 5);
            case "st" -> struct(random.nextInt(9), random.nextBoolean() ? "b" + nextMark : null);
            case "st.a" -> struct(random.nextInt(9));
            default -> nextMark++;
          };
      boolean mayBeNull = !column.equals("mark") && (nullStructs || !column.startsWith("st"));
      values.put(
          column.equals("st.a") ? "st" : column,
          mayBeNull && random.nextInt(5) == 0 ? null : value);
    }
    return new Row(values);
  }

  private static Map<String, Object> struct(int a) {
    Map<String, Object> struct = new TreeMap<>();
    struct.put("a", a);
    return struct;
  }

  private static Map<String, Object> struct(int a, String b) {
    Map<String, Object> struct = struct(a);
    struct.put("b", b);
    return struct;
  }

  private static Object key(Field field, Random random) {
    int number = random.nextInt(KEYS);
    return switch (field.getName()) {
      case "i64" -> number * 0x100000000L - 5;
      case "i16" -> (short) (number - 5);
      case "text" -> "x".repeat(number % 7) + number;
      case "flag" -> number % 2 == 0;
      case "real" -> number == 0 ? -0.0 : number == 1 ? 0.0 : number / 3.0;
      default -> HexFormat.of().formatHex(new byte[] {(byte) number, 0, (byte) (number / 5)});
    };
  }

  Job randomJob(Random random) {
    List<String> columns = new ArrayList<>(keys());
    boolean full = random.nextInt(3) == 0;
    for (String column : VALUE_NAMES) {
      boolean chosen = full || (random.nextBoolean() && !column.equals("mark"));
      if (chosen) {
        columns.add(column.equals("st") && !full && random.nextBoolean() ? "st.a" : column);
      }
    }
    java.util.Collections.shuffle(columns, random);
    List<Row> source = new ArrayList<>();
    boolean distinct = random.nextInt(4) != 0;
    for (int i = random.nextInt(20); i > 0; i--) {
      Row row = randomRow(random, columns.stream().filter(c -> !keys().contains(c)).toList());
      if (!distinct || source.stream().noneMatch(other -> sameKey(row, other))) {
        source.add(row);
      }
    }
    boolean hasV = columns.contains("v");
    WhenMatched matched =
        switch (random.nextInt(8)) {
          case 0 -> WhenMatched.doNothing();
          case 1 -> WhenMatched.delete();
          case 2 -> random.nextInt(4) == 0 ? WhenMatched.fail() : WhenMatched.doNothing();
          case 3, 4 -> hasV ? WhenMatched.updateIf("source.v > target.v") : WhenMatched.updateAll();
          default -> WhenMatched.updateAll();
        };
    WhenNotMatchedBySource bySource =
        switch (random.nextInt(6)) {
          case 0 -> WhenNotMatchedBySource.delete();
          case 1 -> WhenNotMatchedBySource.deleteIf("v >= 6");
          default -> WhenNotMatchedBySource.keep();
        };
    boolean nothing = matched.equals(WhenMatched.doNothing()) && !bySource.deletes();
    boolean inserts = nothing || random.nextInt(4) != 0;
    Duplicates duplicates = random.nextInt(3) == 0 ? Duplicates.KEEP_FIRST : Duplicates.FAIL;
    return new Job(columns, source, matched, inserts, bySource, duplicates);
  }

  private boolean sameKey(Row left, Row right) {
    for (String key : keys()) {
      Object value = left.value(key);
      // Objects of doubles are equal if their bits are.
      if (value == null || !value.equals(right.value(key))) {
        return false;
      }
    }
    return true;
  }

  /** Merges; null if that is an error, in which case nothing changes. */
  Outcome merge(Job job) {
    List<Row> source = new ArrayList<>();
    for (Row row : job.source()) {
      boolean known = source.stream().anyMatch(other -> sameKey(row, other));
      if (!known || job.duplicates() == Duplicates.FAIL) {
        source.add(row);
      }
    }
    List<Row> after = new ArrayList<>();
    long updated = 0;
    long deleted = 0;
    for (Row row : rows) {
      List<Row> partners = source.stream().filter(other -> sameKey(row, other)).toList();
      if (partners.isEmpty()) {
        boolean gone =
            job.bySource().deletes()
                && (job.bySource().condition().isEmpty()
                    || (row.value("v") != null && (Long) row.value("v") >= 6));
        deleted += gone ? 1 : 0;
        if (!gone) {
          after.add(row);
        }
        continue;
      }
      List<Row> acting = partners.stream().filter(other -> acts(job, row, other)).toList();
      boolean doesNothing = job.matched().action() == WhenMatched.Action.DO_NOTHING;
      boolean updates = job.matched().action() == WhenMatched.Action.UPDATE;
      if (job.matched().action() == WhenMatched.Action.FAIL || (acting.size() > 1 && updates)) {
        return null;
      }
      if (acting.isEmpty() || doesNothing) {
        after.add(row);
      } else if (job.matched().action() == WhenMatched.Action.DELETE) {
        deleted++;
      } else {
        updated++;
        after.add(updated(row, acting.get(0), job.columns()));
      }
    }
    long inserted = 0;
    for (Row row : source) {
      if (job.inserts() && rows.stream().noneMatch(other -> sameKey(row, other))) {
        inserted++;
        after.add(inserted(row, job.columns()));
      }
    }
    rows = after;
    return new Outcome(inserted, updated, deleted);
  }

  private static boolean acts(Job job, Row target, Row source) {
    if (job.matched().condition().isEmpty()) {
      return true;
    }
    Long left = (Long) source.value("v");
    Long right = (Long) target.value("v");
    return left != null && right != null && left > right;
  }

  private static Row updated(Row target, Row source, List<String> columns) {
    Map<String, Object> values = new HashMap<>(target.values());
    for (String column : columns) {
      if (column.equals("st.a")) {
        values.put("st", withB(source.value("st"), target.value("st")));
      } else {
        values.put(column, source.value(column));
      }
    }
    return new Row(values, target.id());
  }

  private Row inserted(Row source, List<String> columns) {
    Map<String, Object> values = new HashMap<>();
    schema().getFields().forEach(field -> values.put(field.getName(), null));
    return updated(new Row(values), source, columns);
  }

  private static Object withB(Object source, Object target) {
    if (source == null) {
      return null;
    }
    Object a = ((Map<?, ?>) source).get("a");
    Object b = target == null ? null : ((Map<?, ?>) target).get("b");
    return struct((Integer) a, (String) b);
  }

  /** The source in batches of random size, to be closed by the caller. */
  List<VectorSchemaRoot> batches(Job job, Random random, BufferAllocator allocator) {
    List<VectorSchemaRoot> batches = new ArrayList<>();
    int from = 0;
    while (from < job.source().size()) {
      int to = Math.min(job.source().size(), from + random.nextInt(8));
      batches.add(root(schema(job.columns()), job.source().subList(from, to), allocator));
      from = to;
    }
    return batches;
  }

  VectorSchemaRoot root(Schema schema, List<Row> content, BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    for (FieldVector vector : root.getFieldVectors()) {
      for (int i = 0; i < content.size(); i++) {
        Object value = content.get(i).value(vector.getName());
        if (value != null) {
          write(vector, i, value);
        }
      }
      vector.setValueCount(content.size());
    }
    root.setRowCount(content.size());
    return root;
  }

  private static void write(FieldVector vector, int i, Object value) {
    if (vector instanceof BigIntVector v) {
      v.setSafe(i, (Long) value);
    } else if (vector instanceof IntVector v) {
      v.setSafe(i, (Integer) value);
    } else if (vector instanceof SmallIntVector v) {
      v.setSafe(i, (Short) value);
    } else if (vector instanceof VarCharVector v) {
      v.setSafe(i, ((String) value).getBytes(UTF_8));
    } else if (vector instanceof BitVector v) {
      v.setSafe(i, (Boolean) value ? 1 : 0);
    } else if (vector instanceof Float8Vector v) {
      v.setSafe(i, (Double) value);
    } else if (vector instanceof FixedSizeBinaryVector v) {
      v.setSafe(i, HexFormat.of().parseHex((String) value));
    } else if (vector instanceof ListVector v) {
      List<?> items = (List<?>) value;
      int start = v.startNewValue(i);
      for (int k = 0; k < items.size(); k++) {
        if (items.get(k) != null) {
          write(v.getDataVector(), start + k, items.get(k));
        } else {
          ((IntVector) v.getDataVector()).setNull(start + k);
        }
      }
      v.endValue(i, items.size());
    } else {
      StructVector v = (StructVector) vector;
      v.setIndexDefined(i);
      ((Map<?, ?>) value)
          .forEach(
              (name, child) -> {
                if (child != null) {
                  write(v.getChild((String) name), i, child);
                }
              });
    }
  }

  /** A value as rows hold it. */
  static Object read(FieldVector vector, int i) {
    if (vector.isNull(i)) {
      return null;
    }
    if (vector instanceof VarCharVector) {
      return vector.getObject(i).toString();
    } else if (vector instanceof FixedSizeBinaryVector bytes) {
      return HexFormat.of().formatHex(bytes.get(i));
    } else if (vector instanceof ListVector list) {
      List<Object> items = new ArrayList<>();
      for (int k = list.getElementStartIndex(i); k < list.getElementEndIndex(i); k++) {
        items.add(read(list.getDataVector(), k));
      }
      return items;
    } else if (vector instanceof StructVector struct) {
      Map<String, Object> values = new TreeMap<>();
      struct.getChildrenFromFields().forEach(child -> values.put(child.getName(), read(child, i)));
      return values;
    }
    return vector.getObject(i);
  }
}
