package dev.lance4j.index.internal.scalar;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarQuery.Bound;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.rowid.RowAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Few values of a random type, rows that have them, and queries for them. */
public final class RandomSegments implements AutoCloseable {
  private static final int VALUES = 14;
  private static final long[] FRAGMENTS = {0, 3, 70_000};

  private final Random random;
  private final Field field;
  private final ArrowTable pool;
  private final Map<ScalarValue, Object> literals = new HashMap<>();
  private final List<ScalarValue> values = new ArrayList<>();

  /**
   * @param field named {@code value}
   */
  public RandomSegments(Random random, Field field, BufferAllocator allocator) {
    this.random = random;
    this.field = field;
    NullPattern nulls = random.nextInt(4) == 0 ? NullPattern.NONE : NullPattern.SOME;
    this.pool = RandomData.table(List.of(field), nulls, VALUES, random.nextLong(), allocator);
    addSpecialNumbers(pool.root().getVector(0));
    collectLiterals();
  }

  /** The types that are neither nested nor encoded with dictionaries. */
  public static List<Field> flatFields() {
    return SampleFields.of(FileVersion.V2_1).stream()
        .filter(one -> one.getChildren().isEmpty() && one.getDictionary() == null)
        .map(one -> value(one.getType()))
        .toList();
  }

  /** The field of values of a type. */
  public static Field value(ArrowType type) {
    return new Field("value", FieldType.nullable(type), null);
  }

  private static void addSpecialNumbers(FieldVector vector) {
    if (vector instanceof Float2Vector halves) {
      short[] special = {0x7E00, (short) 0xFE00, 0, (short) 0x8000, 0x7C00, (short) 0xFC00};
      for (int i = 0; i < special.length; i++) {
        halves.set(i, special[i]);
      }
    }
    if (vector instanceof Float4Vector || vector instanceof Float8Vector) {
      double[] special = {
        Double.NaN, -Double.NaN, 0.0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
      };
      for (int i = 0; i < special.length; i++) {
        if (vector instanceof Float4Vector floats) {
          floats.set(i, (float) special[i]);
        } else {
          ((Float8Vector) vector).set(i, special[i]);
        }
      }
    }
    if (vector instanceof Float8Vector doubles) {
      doubles.getDataBuffer().setLong(8, 0xFFF8_0000_0000_0000L);
    }
  }

  private void collectLiterals() {
    FieldVector vector = pool.root().getVector(0);
    boolean list = !field.getChildren().isEmpty();
    FieldVector literal = list ? vector.getChildrenFromFields().get(0) : vector;
    Field literalField = list ? field.getChildren().get(0) : field;
    if (ArrayLayout.of(literalField).kind() == ArrayLayout.Kind.NULL) {
      return;
    }
    int count = literal.getValueCount();
    try (ArrayData array = ArrayDataVectors.of(literal, count, "value", pool.dictionaries())) {
      for (int i = 0; i < count; i++) {
        if (!literal.isNull(i)) {
          ScalarValue value = ScalarValue.of(literalField, array, i, "literal " + i);
          literals.put(value, NaiveRows.object(literal, i));
          values.add(value);
        }
      }
    }
  }

  public ArrowTable pool() {
    return pool;
  }

  public Map<ScalarValue, Object> literals() {
    return literals;
  }

  /** Which values some rows have. */
  public int[] picks(int rows) {
    // Stretches of rows have similar values, so that some zones lack some.
    int[] picks = new int[rows];
    int around = 0;
    for (int i = 0; i < rows; i++) {
      if (random.nextInt(6) == 0) {
        around = random.nextInt(VALUES);
      }
      picks[i] = random.nextInt(4) == 0 ? random.nextInt(VALUES) : around;
    }
    return picks;
  }

  /** The addresses of rows of a few fragments, ascending, with some deleted. */
  public long[] addresses(int rows) {
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      long fragment = FRAGMENTS[i * FRAGMENTS.length / rows];
      boolean same =
          !addresses.isEmpty()
              && RowAddress.fragmentId(addresses.get(addresses.size() - 1)) == fragment;
      long offset = same ? RowAddress.offset(addresses.get(addresses.size() - 1)) + 1 : 0;
      addresses.add(RowAddress.pack(fragment, offset + Math.max(0, random.nextInt(6) - 3)));
    }
    return addresses.stream().mapToLong(Long::longValue).toArray();
  }

  /** The ids of rows in any order. */
  public long[] rowIds(int rows) {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      ids.add(random.nextBoolean() ? i : (1L << 33) + i);
    }
    Collections.shuffle(ids, random);
    return ids.stream().mapToLong(Long::longValue).toArray();
  }

  /** Puts rows beside an index. */
  public void fill(NaiveRows naive, int[] picks, long[] rows) {
    for (int i = 0; i < rows.length; i++) {
      naive.put(rows[i], NaiveRows.object(pool.root().getVector(0), picks[i]));
    }
  }

  /** Some queries of all forms that go with the type. */
  public List<ScalarQuery> queries() {
    List<ScalarQuery> queries = new ArrayList<>(List.of(new ScalarQuery.IsNull()));
    queries.add(new ScalarQuery.Range(Optional.empty(), Optional.empty()));
    queries.add(new ScalarQuery.In(List.of()));
    if (!field.getChildren().isEmpty()) {
      return listQueries();
    }
    if (values.isEmpty()) {
      return queries;
    }
    for (ScalarValue value : values) {
      queries.add(new ScalarQuery.Equals(value));
    }
    for (int i = 0; i < 20; i++) {
      queries.add(new ScalarQuery.Range(bound(), bound()));
    }
    queries.add(new ScalarQuery.In(some()));
    queries.add(new ScalarQuery.In(some()));
    return queries;
  }

  private List<ScalarQuery> listQueries() {
    List<ScalarQuery> queries = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      queries.add(new ScalarQuery.HasAny(some(), random.nextInt(4) == 0));
      queries.add(new ScalarQuery.HasAll(some(), random.nextInt(4) == 0));
    }
    return queries;
  }

  private Optional<Bound> bound() {
    return random.nextInt(4) == 0
        ? Optional.empty()
        : Optional.of(new Bound(any(), random.nextBoolean()));
  }

  private ScalarValue any() {
    return values.get(random.nextInt(values.size()));
  }

  private List<ScalarValue> some() {
    ScalarValue[] some = new ScalarValue[values.isEmpty() ? 0 : random.nextInt(5)];
    Arrays.setAll(some, i -> any());
    return List.of(some);
  }

  @Override
  public void close() {
    pool.close();
  }
}
