package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.index.internal.query.ScalarValue;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Text and binary, whose keys are their bytes, and decimals, whose keys are big-endian. */
final class BytesType extends KeyType {
  private final ArrayLayout layout;
  private final boolean decimal;

  BytesType(ArrayLayout layout, ArrowType type) {
    this.layout = layout;
    this.decimal = type instanceof ArrowType.Decimal;
  }

  @Override
  Keys keys(ArrayData values, int from, int to) {
    int[] ends = new int[to - from];
    if (ends.length == 0) {
      return new BytesKeys(new byte[0], ends);
    }
    return layout.isVariable() ? variable(values, from, ends) : fixed(values, from, ends);
  }

  private Keys variable(ArrayData values, int from, int[] ends) {
    long start = offset(values, from);
    long size = offset(values, from + ends.length) - start;
    if (size > Integer.MAX_VALUE - Long.BYTES) {
      throw new UnsupportedFormatException(
          "A page of an index with " + size + " bytes of values is too large; use smaller pages");
    }
    byte[] bytes = new byte[(int) size];
    values.buffer(2).getBytes(start, bytes);
    for (int i = 0; i < ends.length; i++) {
      ends[i] = (int) (offset(values, from + i + 1) - start);
    }
    return new BytesKeys(bytes, ends);
  }

  private long offset(ArrayData values, int row) {
    ArrowBuf offsets = values.buffer(1);
    return layout.hasLongOffsets()
        ? offsets.getLong((long) row * Long.BYTES)
        : offsets.getInt((long) row * Integer.BYTES);
  }

  private Keys fixed(ArrayData values, int from, int[] ends) {
    int width = layout.bits() / Byte.SIZE;
    byte[] bytes = new byte[Math.multiplyExact(width, ends.length)];
    values.buffer(1).getBytes((long) from * width, bytes);
    for (int i = 0; i < ends.length; i++) {
      ends[i] = (i + 1) * width;
      if (decimal) {
        toBigEndian(bytes, i * width, ends[i]);
      }
    }
    return new BytesKeys(bytes, ends);
  }

  private static void toBigEndian(byte[] bytes, int from, int to) {
    for (int i = from, j = to - 1; i < j; i++, j--) {
      byte low = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = low;
    }
    bytes[from] ^= Byte.MIN_VALUE;
  }

  @Override
  SearchKey key(ScalarValue value) {
    byte[] bytes = value.bytes();
    if (decimal) {
      bytes = bytes.clone();
      toBigEndian(bytes, 0, bytes.length);
    }
    return new SearchKey(0, bytes);
  }
}
