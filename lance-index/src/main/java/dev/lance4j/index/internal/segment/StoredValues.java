package dev.lance4j.index.internal.segment;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.data.OwnedBuffers;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Makes arrays of single values as {@link dev.lance4j.format.internal.sort.ValueKeys} has them. */
public final class StoredValues {
  private StoredValues() {}

  /**
   * A batch of values.
   *
   * @param fields that are not nested
   * @param columns the values of each field
   * @return owned by the caller
   */
  public static ArrayBatch batch(
      List<Field> fields, List<List<byte[]>> columns, BufferAllocator allocator) {
    List<ArrayData> arrays = new ArrayList<>(fields.size());
    boolean complete = false;
    try {
      for (int i = 0; i < fields.size(); i++) {
        arrays.add(array(fields.get(i), columns.get(i), allocator));
      }
      complete = true;
      return new ArrayBatch(columns.get(0).size(), arrays);
    } finally {
      if (!complete) {
        arrays.forEach(ArrayData::close);
      }
    }
  }

  /** A number as it is stored: little-endian. */
  public static byte[] number(long value, int width) {
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      bytes[i] = (byte) (value >>> (8 * i));
    }
    return bytes;
  }

  /**
   * An array of values.
   *
   * @param field that is not nested
   * @param values the bytes of each value, null for nulls
   * @return owned by the caller
   */
  public static ArrayData array(Field field, List<byte[]> values, BufferAllocator allocator) {
    int length = values.size();
    ArrayLayout layout = ArrayLayout.of(field);
    if (layout.kind() == ArrayLayout.Kind.NULL) {
      return new ArrayData(length, length, new ArrowBuf[0]);
    }
    int nulls = 0;
    for (byte[] value : values) {
      nulls += value == null ? 1 : 0;
    }
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      ArrowBuf validity = nulls == 0 ? null : validity(values, owned);
      if (layout.isVariable()) {
        ArrowBuf offsets = offsets(values, layout.hasLongOffsets(), owned);
        ArrowBuf bytes = bytes(values, owned);
        return owned.release(
            new ArrayData(length, nulls, new ArrowBuf[] {validity, offsets, bytes}));
      }
      ArrowBuf fixed =
          layout.bits() == 1 ? bits(values, owned) : fixed(values, layout.bits() / 8, owned);
      return owned.release(new ArrayData(length, nulls, new ArrowBuf[] {validity, fixed}));
    }
  }

  private static ArrowBuf validity(List<byte[]> values, OwnedBuffers owned) {
    ArrowBuf validity = owned.zeros(Bitmaps.bytes(values.size()));
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) != null) {
        setBit(validity, i);
      }
    }
    return validity;
  }

  private static ArrowBuf bits(List<byte[]> values, OwnedBuffers owned) {
    ArrowBuf bits = owned.zeros(Bitmaps.bytes(values.size()));
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) != null && values.get(i)[0] != 0) {
        setBit(bits, i);
      }
    }
    return bits;
  }

  private static void setBit(ArrowBuf bits, int i) {
    bits.setByte(i >> 3, bits.getByte(i >> 3) | (1 << (i & 7)));
  }

  private static ArrowBuf fixed(List<byte[]> values, int width, OwnedBuffers owned) {
    ArrowBuf fixed = owned.zeros((long) values.size() * width);
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) != null) {
        fixed.setBytes((long) i * width, values.get(i));
      }
    }
    return fixed;
  }

  private static ArrowBuf offsets(List<byte[]> values, boolean wide, OwnedBuffers owned) {
    int width = wide ? Long.BYTES : Integer.BYTES;
    ArrowBuf offsets = owned.zeros((values.size() + 1L) * width);
    long end = 0;
    for (int i = 0; i < values.size(); i++) {
      end += values.get(i) == null ? 0 : values.get(i).length;
      if (wide) {
        offsets.setLong((i + 1L) * width, end);
      } else {
        offsets.setInt((i + 1L) * width, Math.toIntExact(end));
      }
    }
    return offsets;
  }

  private static ArrowBuf bytes(List<byte[]> values, OwnedBuffers owned) {
    long size = 0;
    for (byte[] value : values) {
      size += value == null ? 0 : value.length;
    }
    ArrowBuf bytes = owned.allocate(size);
    long at = 0;
    for (byte[] value : values) {
      if (value != null) {
        bytes.setBytes(at, value);
        at += value.length;
      }
    }
    return bytes;
  }
}
