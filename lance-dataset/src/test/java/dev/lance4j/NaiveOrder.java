package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.scan.Ordering;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** The order of values as Java objects, the slow way. */
final class NaiveOrder {
  private NaiveOrder() {}

  /** Orders the values of a column as {@link Rows#value} gives them. */
  static Comparator<Object> of(Field field, Ordering ordering) {
    return (left, right) -> compare(field, left, right, ordering);
  }

  private static int compare(Field field, Object left, Object right, Ordering ordering) {
    if (left == null || right == null) {
      int order = Boolean.compare(left != null, right != null);
      return ordering.nullsFirst() ? order : -order;
    }
    if (left instanceof Map<?, ?> struct) {
      for (Field child : field.getChildren()) {
        Object mine = struct.get(child.getName());
        Object theirs = ((Map<?, ?>) right).get(child.getName());
        int order = compare(child, mine, theirs, ordering);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
    if (left instanceof List<?> list) {
      return compareLists(field.getChildren().get(0), list, (List<?>) right, ordering);
    }
    int order = compareValues(field.getType(), left, right);
    return ordering.ascending() ? order : -order;
  }

  private static int compareLists(Field item, List<?> left, List<?> right, Ordering ordering) {
    Iterator<?> theirs = right.iterator();
    for (Object mine : left) {
      if (!theirs.hasNext()) {
        return ordering.ascending() ? 1 : -1;
      }
      int order = compare(item, mine, theirs.next(), ordering);
      if (order != 0) {
        return order;
      }
    }
    int order = theirs.hasNext() ? -1 : 0;
    return ordering.ascending() ? order : -order;
  }

  @SuppressWarnings("unchecked") // both are values of one type
  private static int compareValues(ArrowType type, Object left, Object right) {
    if (type instanceof ArrowType.Int number && !number.getIsSigned()) {
      return Long.compareUnsigned(unsigned(number, left), unsigned(number, right));
    }
    if (left instanceof Double number) {
      return Long.compare(total(number), total((Double) right));
    }
    if (left instanceof Float number) {
      return Integer.compare(total(number), total((Float) right));
    }
    if (type instanceof ArrowType.FloatingPoint) {
      return Integer.compare(total((Short) left), total((Short) right));
    }
    if (left instanceof String text) {
      return Arrays.compareUnsigned(text.getBytes(UTF_8), ((String) right).getBytes(UTF_8));
    }
    return ((Comparable<Object>) left).compareTo(right);
  }

  private static long unsigned(ArrowType.Int type, Object value) {
    long number = value instanceof Character c ? c : ((Number) value).longValue();
    int bits = type.getBitWidth();
    return bits == Long.SIZE ? number : number & ((1L << bits) - 1);
  }

  private static long total(double value) {
    long bits = Double.doubleToRawLongBits(value);
    return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
  }

  private static int total(float value) {
    int bits = Float.floatToRawIntBits(value);
    return bits < 0 ? bits ^ Integer.MAX_VALUE : bits;
  }

  private static int total(short bits) {
    return bits < 0 ? bits ^ Short.MAX_VALUE : bits;
  }
}
