package dev.lance4j.rowid.internal;

import com.google.protobuf.ByteString;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.rowids.EncodedU64Array.ArrayCase;
import dev.lance4j.format.proto.rowids.EncodedU64Array.U16Array;
import dev.lance4j.format.proto.rowids.EncodedU64Array.U32Array;
import dev.lance4j.format.proto.rowids.EncodedU64Array.U64Array;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Unsigned 64-bit values, each stored as the distance to a common base in 2 or 4 bytes, or as it is
 * in 8 bytes. Immutable; kept as the bytes that are on disk.
 */
public final class EncodedU64Array {
  /** An array without values. */
  public static final EncodedU64Array EMPTY = new EncodedU64Array(0, 8, new byte[0]);

  private static final VarHandle U16 =
      MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle U32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MAX_U16 = 0xFFFFL;
  private static final long MAX_U32 = 0xFFFFFFFFL;
  private static final int OBJECT_BYTES = 48;

  private final long base;
  private final int width;
  private final byte[] bytes;

  private EncodedU64Array(long base, int width, byte[] bytes) {
    this.base = base;
    this.width = width;
    this.bytes = bytes;
  }

  /** Encodes a part of an array in the least width, keeping the order. */
  public static EncodedU64Array of(long[] values, int from, int to) {
    if (from == to) {
      return EMPTY;
    }
    long min = values[from];
    long max = min;
    for (int i = from + 1; i < to; i++) {
      min = Long.compareUnsigned(values[i], min) < 0 ? values[i] : min;
      max = Long.compareUnsigned(values[i], max) > 0 ? values[i] : max;
    }
    int width = width(max - min);
    long base = width == 8 ? 0 : min;
    byte[] bytes = new byte[Math.multiplyExact(to - from, width)];
    for (int i = from; i < to; i++) {
      put(bytes, (i - from) * width, width, values[i] - base);
    }
    return new EncodedU64Array(base, width, bytes);
  }

  /** Encodes all values. */
  public static EncodedU64Array of(long... values) {
    return of(values, 0, values.length);
  }

  private static int width(long spread) {
    if (Long.compareUnsigned(spread, MAX_U16) <= 0) {
      return 2;
    }
    return Long.compareUnsigned(spread, MAX_U32) <= 0 ? 4 : 8;
  }

  private static void put(byte[] bytes, int at, int width, long value) {
    switch (width) {
      case 2 -> U16.set(bytes, at, (char) value);
      case 4 -> U32.set(bytes, at, (int) value);
      default -> U64.set(bytes, at, value);
    }
  }

  /**
   * @param path where the message is from, for errors
   * @throws CorruptFileException if the message has no form or if its bytes are cut off
   */
  static EncodedU64Array parse(
      dev.lance4j.format.proto.rowids.EncodedU64Array message, String path) {
    return switch (message.getArrayCase()) {
      case U16_ARRAY -> {
        U16Array array = message.getU16Array();
        yield parse(array.getBase(), 2, array.getOffsets(), path);
      }
      case U32_ARRAY -> {
        U32Array array = message.getU32Array();
        yield parse(array.getBase(), 4, array.getOffsets(), path);
      }
      case U64_ARRAY -> parse(0, 8, message.getU64Array().getValues(), path);
      case ARRAY_NOT_SET ->
          throw new CorruptFileException(
              path, -1, "an encoded array of row ids has no form, expected one of " + knownForms());
    };
  }

  private static String knownForms() {
    return ArrayCase.U16_ARRAY + ", " + ArrayCase.U32_ARRAY + ", " + ArrayCase.U64_ARRAY;
  }

  private static EncodedU64Array parse(long base, int width, ByteString bytes, String path) {
    if (bytes.size() % width != 0) {
      throw new CorruptFileException(
          path,
          -1,
          "an encoded array of row ids has "
              + bytes.size()
              + " bytes, expected a multiple of "
              + width);
    }
    EncodedU64Array array = new EncodedU64Array(base, width, bytes.toByteArray());
    if (array.overflows()) {
      throw new CorruptFileException(
          path,
          -1,
          "an encoded array of row ids starts at "
              + Long.toUnsignedString(base)
              + " and leaves the 64-bit numbers");
    }
    return array;
  }

  private boolean overflows() {
    int length = length();
    if (width == 8 || Long.compareUnsigned(base, ~MAX_U32) <= 0) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (Long.compareUnsigned(get(i), base) < 0) {
        return true;
      }
    }
    return false;
  }

  dev.lance4j.format.proto.rowids.EncodedU64Array toMessage() {
    var message = dev.lance4j.format.proto.rowids.EncodedU64Array.newBuilder();
    ByteString content = ByteString.copyFrom(bytes);
    switch (width) {
      case 2 -> message.setU16Array(U16Array.newBuilder().setBase(base).setOffsets(content));
      case 4 -> message.setU32Array(U32Array.newBuilder().setBase(base).setOffsets(content));
      default -> message.setU64Array(U64Array.newBuilder().setValues(content));
    }
    return message.build();
  }

  /** The number of values. */
  public int length() {
    return bytes.length / width;
  }

  /** The value at an index below {@link #length}. */
  public long get(int index) {
    return switch (width) {
      case 2 -> base + (char) U16.get(bytes, index * 2);
      case 4 -> base + Integer.toUnsignedLong((int) U32.get(bytes, index * 4));
      default -> (long) U64.get(bytes, index * 8);
    };
  }

  /** Copies values from an index on. */
  void copy(int from, int count, long[] target, int at) {
    switch (width) {
      case 2 -> {
        for (int i = 0; i < count; i++) {
          target[at + i] = base + (char) U16.get(bytes, (from + i) * 2);
        }
      }
      case 4 -> {
        for (int i = 0; i < count; i++) {
          target[at + i] = base + Integer.toUnsignedLong((int) U32.get(bytes, (from + i) * 4));
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          target[at + i] = (long) U64.get(bytes, (from + i) * 8);
        }
      }
    }
  }

  /** All values. */
  long[] toArray() {
    long[] values = new long[length()];
    copy(0, values.length, values, 0);
    return values;
  }

  /**
   * Searches ascending values between two indices.
   *
   * @return the index of the value, or {@code -(insertion point) - 1} if it is missing
   */
  public int search(long value, int from, int to) {
    int low = from;
    int high = to - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(get(middle), value);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  /** Searches all values, which must ascend; the result is that of {@link #search}. */
  int search(long value) {
    return search(value, 0, length());
  }

  /** The index of the first occurrence of a value, or -1. */
  int indexOf(long value) {
    int length = length();
    for (int i = 0; i < length; i++) {
      if (get(i) == value) {
        return i;
      }
    }
    return -1;
  }

  /** Whether each value is greater than the one before. */
  boolean ascends() {
    int length = length();
    for (int i = 1; i < length; i++) {
      if (Long.compareUnsigned(get(i - 1), get(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** Bytes of memory. */
  public long memoryBytes() {
    return (long) OBJECT_BYTES + bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EncodedU64Array that
        && base == that.base
        && width == that.width
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes) * 31 + Long.hashCode(base) + width;
  }
}
