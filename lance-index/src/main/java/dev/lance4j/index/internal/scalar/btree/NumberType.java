package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.index.internal.query.ScalarValue;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Values of up to 64 bits: truth values, numbers and times. */
final class NumberType extends KeyType {
  private enum Form {
    SIGNED,
    UNSIGNED,
    FLOAT
  }

  private final int bits;
  private final Form form;

  private NumberType(int bits, Form form) {
    this.bits = bits;
    this.form = form;
  }

  static NumberType of(ArrowType type, int bits) {
    if (type instanceof ArrowType.FloatingPoint) {
      return new NumberType(bits, Form.FLOAT);
    }
    boolean unsigned = bits == 1 || (type instanceof ArrowType.Int number && !number.getIsSigned());
    return new NumberType(bits, unsigned ? Form.UNSIGNED : Form.SIGNED);
  }

  @Override
  Keys keys(ArrayData values, int from, int to) {
    long[] numbers = new long[to - from];
    read(values, from, to, numbers, 0);
    return new NumberKeys(numbers);
  }

  @Override
  SearchKey key(ScalarValue value) {
    byte[] stored = value.bytes();
    long number = 0;
    for (int i = stored.length - 1; i >= 0; i--) {
      number = number << Byte.SIZE | (stored[i] & 0xFF);
    }
    int unused = Long.SIZE - stored.length * Byte.SIZE;
    long[] key = {form == Form.UNSIGNED ? number : number << unused >> unused};
    toKeys(key, 0, 1);
    return new SearchKey(key[0], null);
  }

  /** Reads the keys of rows, none of which is null, into an array. */
  void read(ArrayData values, int from, int to, long[] into, int at) {
    ArrowBuf buffer = values.buffer(1);
    int count = to - from;
    if (count == 0) {
      return;
    }
    int width = bits / Byte.SIZE;
    ByteBuffer bytes =
        buffer.nioBuffer((long) from * width, count * width).order(ByteOrder.LITTLE_ENDIAN);
    switch (bits) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = buffer.getByte((from + i) >> 3) >> ((from + i) & 7) & 1;
        }
      }
      case 8 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = form == Form.UNSIGNED ? bytes.get(i) & 0xFF : bytes.get(i);
        }
      }
      case 16 -> {
        for (int i = 0; i < count; i++) {
          short value = bytes.getShort(2 * i);
          into[at + i] = form == Form.UNSIGNED ? value & 0xFFFF : value;
        }
      }
      case 32 -> {
        IntBuffer ints = bytes.asIntBuffer();
        for (int i = 0; i < count; i++) {
          into[at + i] = form == Form.UNSIGNED ? ints.get(i) & 0xFFFFFFFFL : ints.get(i);
        }
      }
      default -> bytes.asLongBuffer().get(into, at, count);
    }
    toKeys(into, at, at + count);
  }

  /** Writes the values that keys stand for; truth values to a buffer of zeros. */
  void write(long[] keys, int count, ArrowBuf into) {
    for (int i = 0; i < count; i++) {
      long value = isRaw() ? keys[i] : turned(keys[i]);
      switch (bits) {
        case 1 -> into.setByte(i >> 3, into.getByte(i >> 3) | (int) (value << (i & 7)));
        case 8 -> into.setByte(i, (int) value);
        case 16 -> into.setShort(2L * i, (int) value);
        case 32 -> into.setInt(4L * i, (int) value);
        default -> into.setLong(8L * i, value);
      }
    }
  }

  /** The number of bytes that values take. */
  long bytes(int values) {
    return ((long) values * bits + Byte.SIZE - 1) / Byte.SIZE;
  }

  private void toKeys(long[] numbers, int from, int to) {
    if (!isRaw()) {
      for (int i = from; i < to; i++) {
        numbers[i] = turned(numbers[i]);
      }
    }
  }

  /** Whether values, extended to 64 bits, are keys as they are. */
  private boolean isRaw() {
    return form == Form.SIGNED || (form == Form.UNSIGNED && bits < Long.SIZE);
  }

  /** Turns a value into its key, and back. */
  private long turned(long number) {
    // Negative floating-point numbers are greater the smaller their magnitude is.
    return form == Form.FLOAT
        ? number ^ (number >> (Long.SIZE - 1) & ((1L << (bits - 1)) - 1))
        : number ^ Long.MIN_VALUE;
  }
}
