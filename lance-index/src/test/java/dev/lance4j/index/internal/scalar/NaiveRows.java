package dev.lance4j.index.internal.scalar;

import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Rows as plain objects, looked through one by one, and the literals of queries as plain objects
 * too: what indices are compared with.
 */
public final class NaiveRows {
  private final TreeMap<Long, Object> valuesByRow = new TreeMap<>();
  private final Map<ScalarValue, Object> literals;

  /**
   * @param literals what each value of a query is as an object
   */
  public NaiveRows(Map<ScalarValue, Object> literals) {
    this.literals = literals;
  }

  /** Adds a row, or changes its value. */
  public void put(long row, Object value) {
    valuesByRow.put(row, value);
  }

  /** Removes a row. */
  public void remove(long row) {
    valuesByRow.remove(row);
  }

  /** All rows, ascending. */
  public List<Long> rows() {
    return new ArrayList<>(valuesByRow.keySet());
  }

  /** The value of a row. */
  public Object value(long row) {
    return valuesByRow.get(row);
  }

  /** The rows for which a query is true, ascending. */
  public List<Long> matches(ScalarQuery query) {
    return rows().stream().filter(row -> Boolean.TRUE.equals(test(query, value(row)))).toList();
  }

  /** The rows for which a query is neither true nor false, ascending. */
  public List<Long> nulls(ScalarQuery query) {
    return rows().stream().filter(row -> test(query, value(row)) == null).toList();
  }

  private Boolean test(ScalarQuery query, Object value) {
    if (query instanceof ScalarQuery.IsNull) {
      return value == null;
    }
    if (value == null) {
      return null;
    }
    if (query instanceof ScalarQuery.Equals equals) {
      return compare(value, literal(equals.value())) == 0;
    }
    if (query instanceof ScalarQuery.In in) {
      return in.values().stream().anyMatch(one -> compare(value, literal(one)) == 0);
    }
    if (query instanceof ScalarQuery.Range range) {
      return range.lower().map(end -> fits(end, compare(value, literal(end.value())))).orElse(true)
          && range.upper().map(end -> fits(end, compare(literal(end.value()), value))).orElse(true);
    }
    List<?> items = (List<?>) value;
    if (query instanceof ScalarQuery.HasAny any) {
      return any.items().stream().anyMatch(item -> has(items, literal(item)))
          || (any.nullToo() && items.contains(null));
    }
    ScalarQuery.HasAll all = (ScalarQuery.HasAll) query;
    return all.items().stream().allMatch(item -> has(items, literal(item)))
        && (!all.nullToo() || items.contains(null));
  }

  private boolean has(List<?> items, Object wanted) {
    return items.stream().anyMatch(item -> item != null && compare(item, wanted) == 0);
  }

  private Object literal(ScalarValue value) {
    return literals.get(value);
  }

  private static boolean fits(ScalarQuery.Bound end, int order) {
    return order > 0 || (order == 0 && end.inclusive());
  }

  /** A value of a vector as an object that {@link #compare} orders; null for nulls. */
  public static Object object(FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return null;
    }
    if (vector instanceof ListVector list) {
      return items(
          list.getDataVector(), list.getElementStartIndex(row), list.getElementEndIndex(row));
    }
    if (vector instanceof LargeListVector list) {
      return items(
          list.getDataVector(),
          (int) list.getElementStartIndex(row),
          (int) list.getElementEndIndex(row));
    }
    Object object = vector.getObject(row);
    return switch (vector.getField().getType().getTypeID()) {
      case Int ->
          ((ArrowType.Int) vector.getField().getType()).getIsSigned()
              ? object
              : unsigned(vector, object);
      // Their objects do not tell large values apart.
      case Date, Time, Timestamp, Duration -> number((BaseFixedWidthVector) vector, row);
      case FloatingPoint -> total(object);
      case Utf8, LargeUtf8 -> object.toString().getBytes(StandardCharsets.UTF_8);
      default -> object;
    };
  }

  private static List<Object> items(FieldVector vector, int from, int to) {
    List<Object> items = new ArrayList<>();
    for (int i = from; i < to; i++) {
      items.add(object(vector, i));
    }
    return items;
  }

  private static Object unsigned(FieldVector vector, Object object) {
    return switch (vector.getMinorType()) {
      case UINT1 -> ((Number) object).longValue() & 0xFF;
      case UINT2 -> (long) (Character) object;
      case UINT4 -> ((Number) object).longValue() & 0xFFFF_FFFFL;
      default -> new Unsigned((Long) object);
    };
  }

  private static Object number(BaseFixedWidthVector vector, int row) {
    return vector.getTypeWidth() == Integer.BYTES
        ? (Object) vector.getDataBuffer().getInt(4L * row)
        : (Object) vector.getDataBuffer().getLong(8L * row);
  }

  private static Total total(Object object) {
    if (object instanceof Short half) {
      return new Total(Float16.toFloat(half), half);
    }
    if (object instanceof Float single) {
      return new Total(single, Float.floatToRawIntBits(single));
    }
    double number = (Double) object;
    return new Total(number, Double.doubleToRawLongBits(number));
  }

  /** The order of two values of one type. */
  @SuppressWarnings("unchecked")
  public static int compare(Object a, Object b) {
    if (a instanceof byte[] bytes) {
      return Arrays.compareUnsigned(bytes, (byte[]) b);
    }
    return ((Comparable<Object>) a).compareTo(b);
  }

  private record Unsigned(long value) implements Comparable<Unsigned> {
    @Override
    public int compareTo(Unsigned that) {
      return Long.compareUnsigned(value, that.value);
    }
  }

  /**
   * Negative ones that are no numbers, numbers with two zeros, and positive ones that are none.
   *
   * @param bits with which those that are no numbers differ
   */
  private record Total(double value, long bits) implements Comparable<Total> {
    @Override
    public int compareTo(Total that) {
      int order = Integer.compare(group(), that.group());
      if (order != 0) {
        return order;
      }
      return switch (group()) {
        case 0 -> Double.compare(value, that.value);
        case 1 -> Long.compare(bits, that.bits);
        default -> Long.compare(that.bits, bits);
      };
    }

    private int group() {
      if (!Double.isNaN(value)) {
        return 0;
      }
      return bits < 0 ? -1 : 1;
    }
  }
}
