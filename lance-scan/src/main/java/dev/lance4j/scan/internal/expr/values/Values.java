package dev.lance4j.scan.internal.expr.values;

import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import java.math.BigInteger;

/**
 * The values of one expression for the rows of a batch, in primitive arrays. Immutable once handed
 * out; the arrays are shared freely.
 */
public abstract sealed class Values
    permits BoolValues,
        LongValues,
        DoubleValues,
        DecimalValues,
        BytesValues,
        IntervalValues,
        ListValues,
        StructValues,
        NullValues {
  private final int size;
  private final long[] valid;

  Values(int size, long[] valid) {
    this.size = size;
    this.valid = valid;
  }

  public final int size() {
    return size;
  }

  /** A bit per row that is not null; null if no row is. */
  public final long[] valid() {
    return valid;
  }

  public final boolean isNull(int row) {
    return valid != null && !Bits.get(valid, row);
  }

  /** The values of some rows in the order given; a negative row gives null. */
  public abstract Values gather(int[] rows);

  /** The same values with another validity. */
  public abstract Values withValid(long[] valid);

  /** Orders two values that are not null; nulls inside nested values come last. */
  public abstract int compare(int row, Values other, int otherRow);

  /** The values of a type for which every row is null. */
  public static Values nulls(Type type, int size) {
    long[] none = new long[Bits.words(size)];
    return switch (type.kind()) {
      case NULL -> new NullValues(size);
      case BOOLEAN -> new BoolValues(size, new long[none.length], none);
      case FLOAT16, FLOAT32, FLOAT64 -> new DoubleValues(new double[size], none);
      case DECIMAL128, DECIMAL256 -> new DecimalValues(zeros(size), none);
      case UTF8, LARGE_UTF8, BINARY, LARGE_BINARY, FIXED_BINARY ->
          new BytesValues(new byte[0], new int[size], new int[size], none);
      case INTERVAL -> new IntervalValues(new int[size], new int[size], new long[size], none);
      case LIST, LARGE_LIST, FIXED_LIST ->
          new ListValues(new int[size], new int[size], nulls(type.item(), 0), none);
      case MAP -> new ListValues(new int[size], new int[size], nulls(entry(type), 0), none);
      case STRUCT -> nullStruct(type, size, none);
      case DICTIONARY -> nulls(type.decoded(), size);
      default -> new LongValues(new long[size], none);
    };
  }

  /** The type of a map's entries. */
  public static Type entry(Type map) {
    return new Type(Kind.STRUCT, 0, 0, null, null, map.children());
  }

  private static BigInteger[] zeros(int size) {
    BigInteger[] zeros = new BigInteger[size];
    java.util.Arrays.fill(zeros, BigInteger.ZERO);
    return zeros;
  }

  private static Values nullStruct(Type type, int size, long[] none) {
    Values[] fields = new Values[type.children().size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = nulls(type.children().get(i).type(), size);
    }
    return new StructValues(size, fields, none);
  }
}
