package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.DoubleValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.Arrays;

/**
 * Loops that compare two columns of one type, or a column and a constant. All types have a total
 * order, so equal and less are enough; the others swap the operands or negate.
 */
final class CompareKernels {
  private CompareKernels() {}

  /** A bit for each row where left = right. Rows with a null have any bit. */
  static long[] equal(Values left, Values right, Kind kind) {
    if (left instanceof LongValues l && right instanceof LongValues r) {
      return equal(l.values(), r.values());
    } else if (left instanceof DoubleValues l && right instanceof DoubleValues r) {
      return equal(keys(l), keys(r));
    } else if (left instanceof BytesValues l && right instanceof BytesValues r) {
      return equal(l, r);
    }
    return generic(left, right, 0);
  }

  /** A bit for each row where left &lt; right. Rows with a null have any bit. */
  static long[] less(Values left, Values right, Kind kind) {
    if (left instanceof LongValues l && right instanceof LongValues r) {
      long flip = flip(kind);
      return less(flipped(l.values(), flip), flipped(r.values(), flip));
    } else if (left instanceof DoubleValues l && right instanceof DoubleValues r) {
      return less(keys(l), keys(r));
    }
    return generic(left, right, -1);
  }

  /** A bit for each row that equals a constant. */
  static long[] equalConstant(Values left, Values constant, Kind kind) {
    if (left instanceof LongValues l && constant instanceof LongValues c) {
      return equal(l.values(), c.get(0));
    } else if (left instanceof DoubleValues l && constant instanceof DoubleValues c) {
      return equal(l.values(), DoubleValues.orderKey(c.get(0)));
    } else if (left instanceof BytesValues l && constant instanceof BytesValues c) {
      return equalConstant(l, c);
    } else if (left instanceof BoolValues l && constant instanceof BoolValues c) {
      return c.get(0) ? l.bits() : not(l.bits(), l.size());
    }
    return genericConstant(left, constant, 0);
  }

  /** A bit for each row that is less than a constant. */
  static long[] lessConstant(Values left, Values constant, Kind kind) {
    if (left instanceof LongValues l && constant instanceof LongValues c) {
      long flip = flip(kind);
      return less(flipped(l.values(), flip), c.get(0) ^ flip);
    } else if (left instanceof DoubleValues l && constant instanceof DoubleValues c) {
      return less(l.values(), DoubleValues.orderKey(c.get(0)));
    }
    return genericConstant(left, constant, -1);
  }

  /** A bit for each row that is greater than a constant. */
  static long[] greaterConstant(Values left, Values constant, Kind kind) {
    if (left instanceof LongValues l && constant instanceof LongValues c) {
      long flip = flip(kind);
      return greater(flipped(l.values(), flip), c.get(0) ^ flip);
    } else if (left instanceof DoubleValues l && constant instanceof DoubleValues c) {
      return greater(l.values(), DoubleValues.orderKey(c.get(0)));
    }
    return genericConstant(left, constant, 1);
  }

  static long[] not(long[] bits, int size) {
    long[] result = new long[bits.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = ~bits[i];
    }
    Bits.trim(result, size);
    return result;
  }

  /** Unsigned numbers order as signed ones do with the highest bit flipped. */
  private static long flip(Kind kind) {
    return kind == Kind.UINT64 ? Long.MIN_VALUE : 0;
  }

  private static long[] flipped(long[] values, long flip) {
    if (flip == 0) {
      return values;
    }
    long[] result = new long[values.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = values[i] ^ flip;
    }
    return result;
  }

  private static long[] keys(DoubleValues values) {
    double[] numbers = values.values();
    long[] keys = new long[numbers.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = DoubleValues.orderKey(numbers[i]);
    }
    return keys;
  }

  private static long[] equal(long[] left, long right) {
    long[] result = new long[Bits.words(left.length)];
    for (int word = 0, row = 0; word < result.length; word++) {
      int end = Math.min(left.length, row + 64);
      long bits = 0;
      for (int bit = 0; row < end; bit++, row++) {
        bits |= (left[row] == right ? 1L : 0L) << bit;
      }
      result[word] = bits;
    }
    return result;
  }

  private static long[] less(long[] left, long right) {
    long[] result = new long[Bits.words(left.length)];
    for (int word = 0, row = 0; word < result.length; word++) {
      int end = Math.min(left.length, row + 64);
      long bits = 0;
      for (int bit = 0; row < end; bit++, row++) {
        bits |= (left[row] < right ? 1L : 0L) << bit;
      }
      result[word] = bits;
    }
    return result;
  }

  private static long[] greater(long[] left, long right) {
    long[] result = new long[Bits.words(left.length)];
    for (int word = 0, row = 0; word < result.length; word++) {
      int end = Math.min(left.length, row + 64);
      long bits = 0;
      for (int bit = 0; row < end; bit++, row++) {
        bits |= (left[row] > right ? 1L : 0L) << bit;
      }
      result[word] = bits;
    }
    return result;
  }

  private static long[] equal(double[] left, long key) {
    long[] result = new long[Bits.words(left.length)];
    for (int word = 0, row = 0; word < result.length; word++) {
      int end = Math.min(left.length, row + 64);
      long bits = 0;
      for (int bit = 0; row < end; bit++, row++) {
        bits |= (DoubleValues.orderKey(left[row]) == key ? 1L : 0L) << bit;
      }
      result[word] = bits;
    }
    return result;
  }

  private static long[] less(double[] left, long key) {
    long[] result = new long[Bits.words(left.length)];
    for (int word = 0, row = 0; word < result.length; word++) {
      int end = Math.min(left.length, row + 64);
      long bits = 0;
      for (int bit = 0; row < end; bit++, row++) {
        bits |= (DoubleValues.orderKey(left[row]) < key ? 1L : 0L) << bit;
      }
      result[word] = bits;
    }
    return result;
  }

  private static long[] greater(double[] left, long key) {
    long[] result = new long[Bits.words(left.length)];
    for (int word = 0, row = 0; word < result.length; word++) {
      int end = Math.min(left.length, row + 64);
      long bits = 0;
      for (int bit = 0; row < end; bit++, row++) {
        bits |= (DoubleValues.orderKey(left[row]) > key ? 1L : 0L) << bit;
      }
      result[word] = bits;
    }
    return result;
  }

  private static long[] equal(long[] left, long[] right) {
    long[] result = new long[Bits.words(left.length)];
    for (int word = 0, row = 0; word < result.length; word++) {
      int end = Math.min(left.length, row + 64);
      long bits = 0;
      for (int bit = 0; row < end; bit++, row++) {
        bits |= (left[row] == right[row] ? 1L : 0L) << bit;
      }
      result[word] = bits;
    }
    return result;
  }

  private static long[] less(long[] left, long[] right) {
    long[] result = new long[Bits.words(left.length)];
    for (int word = 0, row = 0; word < result.length; word++) {
      int end = Math.min(left.length, row + 64);
      long bits = 0;
      for (int bit = 0; row < end; bit++, row++) {
        bits |= (left[row] < right[row] ? 1L : 0L) << bit;
      }
      result[word] = bits;
    }
    return result;
  }

  private static long[] equal(BytesValues left, BytesValues right) {
    long[] result = new long[Bits.words(left.size())];
    for (int row = 0; row < left.size(); row++) {
      if (left.equal(row, right, row)) {
        Bits.set(result, row);
      }
    }
    return result;
  }

  private static long[] equalConstant(BytesValues left, BytesValues constant) {
    byte[] bytes = left.bytes();
    int[] starts = left.starts();
    int[] ends = left.ends();
    byte[] wanted = constant.copy(0);
    long[] result = new long[Bits.words(starts.length)];
    for (int row = 0; row < starts.length; row++) {
      int start = starts[row];
      int length = ends[row] - start;
      if (length == wanted.length
          && (length == 0
              || (bytes[start] == wanted[0]
                  && Arrays.equals(bytes, start, ends[row], wanted, 0, length)))) {
        Bits.set(result, row);
      }
    }
    return result;
  }

  private static long[] generic(Values left, Values right, int wanted) {
    long[] result = new long[Bits.words(left.size())];
    for (int row = 0; row < left.size(); row++) {
      if (!left.isNull(row)
          && !right.isNull(row)
          && Integer.signum(left.compare(row, right, row)) == wanted) {
        Bits.set(result, row);
      }
    }
    return result;
  }

  private static long[] genericConstant(Values left, Values constant, int wanted) {
    long[] result = new long[Bits.words(left.size())];
    for (int row = 0; row < left.size(); row++) {
      if (!left.isNull(row) && Integer.signum(left.compare(row, constant, 0)) == wanted) {
        Bits.set(result, row);
      }
    }
    return result;
  }
}
