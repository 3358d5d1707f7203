package dev.lance4j.index.internal.query;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.ValueKeys;
import java.util.Arrays;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A value of an indexed column that is not null. Its order is that of the format: numbers by size,
 * floating-point ones by the total order of IEEE 754, text and binary by unsigned bytes.
 */
public final class ScalarValue implements Comparable<ScalarValue> {
  private final byte[] key;
  private final byte[] bytes;
  private final String text;

  private ScalarValue(byte[] key, byte[] bytes, String text) {
    this.key = key;
    this.bytes = bytes;
    this.text = text;
  }

  /**
   * A value of an array.
   *
   * @param field of the array, with the type of the column
   * @param row whose value is not null
   * @param text the value as people write it
   */
  public static ScalarValue of(Field field, ArrayData array, int row, String text) {
    ValueKeys keys = ValueKeys.of(field);
    return new ScalarValue(keys.key(array, row), keys.bytes(array, row), text);
  }

  /** Bytes that, compared without sign, are ordered as the values are; must not be changed. */
  public byte[] key() {
    return key;
  }

  /** The value as it is stored: little-endian, or the bytes of text; must not be changed. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int compareTo(ScalarValue that) {
    return Arrays.compareUnsigned(key, that.key);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ScalarValue that && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key);
  }

  /** As people write it. */
  @Override
  public String toString() {
    return text;
  }
}
