package dev.lance4j.format.internal.sort;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Turns single values of a column into bytes that, compared without sign, are ordered as the values
 * are. For use by one thread.
 */
public final class ValueKeys {
  private final KeyEncoder encoder;
  private final ArrayLayout layout;
  private final KeyBytes bytes = new KeyBytes();

  private ValueKeys(KeyEncoder encoder, ArrayLayout layout) {
    this.encoder = encoder;
    this.layout = layout;
  }

  /** The keys of a column whose type has an order, and which is not dictionary encoded. */
  public static ValueKeys of(Field field) {
    return new ValueKeys(KeyEncoder.of(field, false, true), ArrayLayout.of(field));
  }

  /** Whether a value is null. */
  public boolean isNull(ArrayData array, int row) {
    return encoder.isNull(array, row);
  }

  /** The key of a value that is not null. */
  public byte[] key(ArrayData array, int row) {
    int length = encode(array, row);
    return Arrays.copyOf(bytes.array(), length);
  }

  /**
   * Puts the key of a value that is not null at the start of {@link #encoded}.
   *
   * @return its length
   */
  public int encode(ArrayData array, int row) {
    bytes.clear();
    encoder.appendValue(array, row, bytes);
    return bytes.size();
  }

  /** Where {@link #encode} puts keys; another array after each call. */
  public byte[] encoded() {
    return bytes.array();
  }

  /**
   * The value as Arrow stores it, little-endian; a truth value is a byte.
   *
   * @param array of fixed width or of text or binary
   * @param row whose value is not null
   */
  public byte[] bytes(ArrayData array, int row) {
    if (layout.kind() == ArrayLayout.Kind.FIXED) {
      ArrowBuf values = array.buffer(1);
      if (layout.bits() == 1) {
        return new byte[] {(byte) (values.getByte(row >> 3) >> (row & 7) & 1)};
      }
      int width = layout.bits() / Byte.SIZE;
      byte[] value = new byte[width];
      values.getBytes((long) row * width, value);
      return value;
    }
    long start = KeyEncoder.offset(array, row, layout.hasLongOffsets());
    long end = KeyEncoder.offset(array, row + 1, layout.hasLongOffsets());
    byte[] value = new byte[Math.toIntExact(end - start)];
    array.buffer(2).getBytes(start, value);
    return value;
  }
}
