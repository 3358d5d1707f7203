package dev.lance4j.scan.internal.expr.values;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Collects the values of a type one by one. Used where a value is made per row; loops that fill
 * arrays do without.
 */
public final class ValuesBuilder {
  private static final int MAX_BYTES = Integer.MAX_VALUE - 16;

  private final Type type;
  private final ValuesBuilder[] children;
  private long[] valid = new long[1];
  private long[] longs = {};
  private double[] doubles = {};
  private BigInteger[] decimals = {};
  private int[] starts = {};
  private int[] ends = {};
  private int capacity;
  private byte[] bytes = new byte[0];
  private int byteCount;
  private int nulls;
  private int size;

  public ValuesBuilder(Type type) {
    this.type = type.decoded();
    if (this.type.kind().isList()) {
      children = new ValuesBuilder[] {new ValuesBuilder(this.type.item())};
    } else if (this.type.is(Kind.MAP)) {
      children = new ValuesBuilder[] {new ValuesBuilder(Values.entry(this.type))};
    } else if (this.type.is(Kind.STRUCT)) {
      children = new ValuesBuilder[this.type.children().size()];
      for (int i = 0; i < children.length; i++) {
        children[i] = new ValuesBuilder(this.type.children().get(i).type());
      }
    } else {
      children = new ValuesBuilder[0];
    }
  }

  public int size() {
    return size;
  }

  public void appendNull() {
    ensure();
    if (type.kind().isDecimal()) {
      decimals[size] = BigInteger.ZERO;
    }
    if (type.is(Kind.STRUCT)) {
      for (ValuesBuilder child : children) {
        child.appendNull();
      }
    }
    nulls++;
    size++;
  }

  public void append(long value) {
    ensure();
    longs[size] = value;
    next();
  }

  public void append(boolean value) {
    append(value ? 1L : 0L);
  }

  public void append(double value) {
    ensure();
    doubles[size] = value;
    next();
  }

  public void append(BigInteger value) {
    ensure();
    decimals[size] = value;
    next();
  }

  public void append(String value) {
    byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
    append(encoded, 0, encoded.length);
  }

  public void append(byte[] source, int from, int to) {
    ensure();
    int length = to - from;
    if (length > MAX_BYTES - byteCount) {
      throw new InvalidInputException(
          "The values of one batch exceed 2 GiB; read with a smaller batch size");
    }
    if (bytes.length - byteCount < length) {
      long wanted = Math.max((long) byteCount + length, Math.min(MAX_BYTES, bytes.length * 2L));
      bytes = Arrays.copyOf(bytes, (int) wanted);
    }
    System.arraycopy(source, from, bytes, byteCount, length);
    starts[size] = byteCount;
    byteCount += length;
    ends[size] = byteCount;
    next();
  }

  /** Appends a list; the items were appended to {@link #items()} since the given count. */
  public void appendList(int firstItem) {
    ensure();
    starts[size] = firstItem;
    ends[size] = children[0].size;
    next();
  }

  /** Appends a struct whose fields were appended to {@link #field}. */
  public void appendStruct() {
    ensure();
    next();
  }

  public void appendInterval(int months, int days, long nanos) {
    ensure();
    starts[size] = months;
    ends[size] = days;
    longs[size] = nanos;
    next();
  }

  public ValuesBuilder items() {
    return children[0];
  }

  public ValuesBuilder field(int index) {
    return children[index];
  }

  /** Copies a value of the same type. */
  public void append(Values from, int row) {
    if (from.isNull(row)) {
      appendNull();
    } else if (from instanceof LongValues values) {
      append(values.get(row));
    } else if (from instanceof DoubleValues values) {
      append(values.get(row));
    } else if (from instanceof BoolValues values) {
      append(values.get(row));
    } else if (from instanceof DecimalValues values) {
      append(values.get(row));
    } else if (from instanceof BytesValues values) {
      append(values.bytes(), values.starts()[row], values.ends()[row]);
    } else if (from instanceof IntervalValues values) {
      appendInterval(values.months(row), values.days(row), values.nanos(row));
    } else if (from instanceof ListValues values) {
      int first = children[0].size;
      for (int i = values.start(row); i < values.end(row); i++) {
        children[0].append(values.items(), i);
      }
      appendList(first);
    } else if (from instanceof StructValues values) {
      for (int i = 0; i < children.length; i++) {
        children[i].append(values.field(i), row);
      }
      appendStruct();
    }
  }

  private void next() {
    Bits.set(valid, size);
    size++;
  }

  private void ensure() {
    if (size == valid.length << 6) {
      valid = Arrays.copyOf(valid, valid.length * 2);
    }
    if (size == capacity) {
      capacity = Math.max(16, size * 2);
      grow();
    }
  }

  private void grow() {
    switch (type.kind()) {
      case NULL, STRUCT -> {}
      case FLOAT16, FLOAT32, FLOAT64 -> doubles = Arrays.copyOf(doubles, capacity);
      case DECIMAL128, DECIMAL256 -> decimals = Arrays.copyOf(decimals, capacity);
      case UTF8,
          LARGE_UTF8,
          BINARY,
          LARGE_BINARY,
          FIXED_BINARY,
          LIST,
          LARGE_LIST,
          FIXED_LIST,
          MAP -> {
        starts = Arrays.copyOf(starts, capacity);
        ends = Arrays.copyOf(ends, capacity);
      }
      case INTERVAL -> {
        starts = Arrays.copyOf(starts, capacity);
        ends = Arrays.copyOf(ends, capacity);
        longs = Arrays.copyOf(longs, capacity);
      }
      default -> longs = Arrays.copyOf(longs, capacity);
    }
  }

  /** All values appended so far; the builder must not be used again. */
  public Values build() {
    long[] bits = nulls == 0 ? null : Arrays.copyOf(valid, Bits.words(size));
    return switch (type.kind()) {
      case NULL -> new NullValues(size);
      case BOOLEAN -> new BoolValues(size, packed(), bits);
      case FLOAT16, FLOAT32, FLOAT64 -> new DoubleValues(Arrays.copyOf(doubles, size), bits);
      case DECIMAL128, DECIMAL256 -> new DecimalValues(Arrays.copyOf(decimals, size), bits);
      case UTF8, LARGE_UTF8, BINARY, LARGE_BINARY, FIXED_BINARY ->
          new BytesValues(bytes, Arrays.copyOf(starts, size), Arrays.copyOf(ends, size), bits);
      case INTERVAL ->
          new IntervalValues(
              Arrays.copyOf(starts, size),
              Arrays.copyOf(ends, size),
              Arrays.copyOf(longs, size),
              bits);
      case LIST, LARGE_LIST, FIXED_LIST, MAP ->
          new ListValues(
              Arrays.copyOf(starts, size), Arrays.copyOf(ends, size), children[0].build(), bits);
      case STRUCT ->
          new StructValues(
              size,
              List.of(children).stream().map(ValuesBuilder::build).toArray(Values[]::new),
              bits);
      default -> new LongValues(Arrays.copyOf(longs, size), bits, type.is(Kind.UINT64));
    };
  }

  private long[] packed() {
    long[] bits = new long[Bits.words(size)];
    for (int i = 0; i < size; i++) {
      if (longs[i] != 0) {
        Bits.set(bits, i);
      }
    }
    return bits;
  }
}
