package dev.lance4j.format.internal.data;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;

/**
 * The buffers of one Arrow array, in the layout of the Arrow columnar format, without a vector
 * around them. Owns one reference to each buffer; closing releases them.
 *
 * <p>Buffers by type: fixed width and boolean {validity, values}; utf8 and binary {validity, 32-bit
 * offsets, bytes}; the large kinds with 64-bit offsets; list and map {validity, 32-bit offsets};
 * large list {validity, 64-bit offsets}; struct and fixed-size list {validity}; null {}. Offsets
 * may start above 0 and are absent (null) only when the length is 0. The validity buffer is null
 * when there are no nulls.
 */
public final class ArrayData implements AutoCloseable {
  private final int length;
  private final int nullCount;
  private final ArrowBuf[] buffers;
  private final ArrayData[] children;
  private final ArrayData dictionary;

  /**
   * Takes over the caller's references.
   *
   * @param length in values
   * @param nullCount the exact number of nulls; for the null type the length
   * @param buffers as in the class comment
   * @param children of nested types
   */
  public ArrayData(int length, int nullCount, ArrowBuf[] buffers, ArrayData... children) {
    this(length, nullCount, buffers, children, null);
  }

  /** As above, for keys into a dictionary. */
  public ArrayData(
      int length, int nullCount, ArrowBuf[] buffers, ArrayData[] children, ArrayData dictionary) {
    this.length = length;
    this.nullCount = nullCount;
    this.buffers = buffers;
    this.children = children;
    this.dictionary = dictionary;
  }

  /** The number of values. */
  public int length() {
    return length;
  }

  /** The number of nulls of this array itself. */
  public int nullCount() {
    return nullCount;
  }

  /** A buffer by its position in the layout; null when absent. */
  public ArrowBuf buffer(int i) {
    return buffers[i];
  }

  /** The validity buffer, or null when there are no nulls. */
  public ArrowBuf validity() {
    return buffers.length == 0 ? null : buffers[0];
  }

  public int bufferCount() {
    return buffers.length;
  }

  public ArrayData child(int i) {
    return children[i];
  }

  public List<ArrayData> children() {
    return Arrays.asList(children);
  }

  /**
   * The same buffers with other children, which take the place of this array; it ends with that.
   */
  ArrayData withChildren(ArrayData[] newChildren) {
    return new ArrayData(length, nullCount, buffers, newChildren, dictionary);
  }

  /** The values that the keys point into, or null when this is not dictionary encoded. */
  public ArrayData dictionary() {
    return dictionary;
  }

  /** Whether value {@code i} is not null. */
  public boolean isValid(int i) {
    ArrowBuf validity = validity();
    return validity == null || (validity.getByte(i >> 3) >> (i & 7) & 1) != 0;
  }

  /** The number of bytes in all buffers. */
  public long bytes() {
    long bytes = dictionary == null ? 0 : dictionary.bytes();
    for (ArrowBuf buffer : buffers) {
      bytes += buffer == null ? 0 : buffer.capacity();
    }
    for (ArrayData child : children) {
      bytes += child.bytes();
    }
    return bytes;
  }

  /** A second owner of the same buffers. */
  public ArrayData retain() {
    for (ArrowBuf buffer : buffers) {
      if (buffer != null) {
        buffer.getReferenceManager().retain();
      }
    }
    for (ArrayData child : children) {
      child.retain();
    }
    if (dictionary != null) {
      dictionary.retain();
    }
    return this;
  }

  @Override
  public void close() {
    for (ArrowBuf buffer : buffers) {
      if (buffer != null) {
        buffer.close();
      }
    }
    for (ArrayData child : children) {
      child.close();
    }
    if (dictionary != null) {
      dictionary.close();
    }
  }
}
