package dev.lance4j.format.internal.v21.item;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The distinct values of one page. */
public final class Dictionary {
  private final Block items;
  private final int size;
  // The bytes of strings on the heap, from where small copies are fastest.
  private final byte[] bytes;

  /**
   * @param items the values
   * @param size their number
   */
  public Dictionary(Block items, int size) {
    this.items = items;
    this.size = size;
    this.bytes = items instanceof Block.Variable variable ? copy(variable.bytes()) : null;
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.limit()];
    buffer.get(0, bytes);
    return bytes;
  }

  Block items() {
    return items;
  }

  /** The number of values. */
  public int size() {
    return size;
  }

  /** The bytes of one value. */
  ByteBuffer item(int position) {
    if (items instanceof Block.Variable variable) {
      int start = variable.offsets()[position];
      return variable.bytes().slice(start, variable.offsets()[position + 1] - start);
    }
    if (items instanceof Block.Fixed fixed && fixed.bits() > 1) {
      int width = fixed.bits() / Byte.SIZE;
      return fixed.bytes().slice(position * width, width);
    }
    throw new IllegalArgumentException("a dictionary of nested values or booleans");
  }

  /** The items at some positions; a negative position gives an empty item. */
  Block gather(int[] indices, int from, int to) {
    if (items instanceof Block.Fixed fixed) {
      return gatherFixed(fixed, indices, from, to);
    }
    if (items instanceof Block.Variable variable) {
      return gatherVariable(variable, indices, from, to);
    }
    throw new IllegalArgumentException("a dictionary of nested values");
  }

  private static Block gatherFixed(Block.Fixed items, int[] indices, int from, int to) {
    if (items.bits() == 1) {
      throw new IllegalArgumentException("a dictionary of booleans");
    }
    int width = items.bits() / 8;
    byte[] out = new byte[Math.multiplyExact(to - from, width)];
    ByteBuffer in = items.bytes();
    for (int i = from; i < to; i++) {
      int index = indices[i];
      if (index >= 0) {
        in.get(index * width, out, (i - from) * width, width);
      }
    }
    ByteBuffer bytes = ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN);
    return new Block.Fixed(bytes, items.bits(), false);
  }

  private Block gatherVariable(Block.Variable items, int[] indices, int from, int to) {
    int[] starts = items.offsets();
    int[] offsets = new int[to - from + 1];
    long total = 0;
    for (int i = from; i < to; i++) {
      int index = indices[i];
      total += index < 0 ? 0 : starts[index + 1] - starts[index];
      offsets[i - from + 1] = Math.toIntExact(total);
    }
    byte[] out = new byte[(int) total];
    for (int i = from; i < to; i++) {
      int index = indices[i];
      if (index >= 0) {
        int at = offsets[i - from];
        System.arraycopy(bytes, starts[index], out, at, offsets[i - from + 1] - at);
      }
    }
    return new Block.Variable(ByteBuffer.wrap(out), offsets);
  }

  /** Whether both hold the same values in the same order. */
  boolean sameItems(Dictionary other) {
    if (size != other.size) {
      return false;
    }
    if (items instanceof Block.Fixed a && other.items instanceof Block.Fixed b) {
      int bytes = (int) (((long) size * a.bits() + 7) / 8);
      return a.bits() == b.bits() && sameBytes(a.bytes(), 0, b.bytes(), 0, bytes);
    }
    if (items instanceof Block.Variable a && other.items instanceof Block.Variable b) {
      return sameStrings(a, b);
    }
    return false;
  }

  private boolean sameStrings(Block.Variable a, Block.Variable b) {
    int startA = a.offsets()[0];
    int startB = b.offsets()[0];
    for (int i = 1; i <= size; i++) {
      if (a.offsets()[i] - startA != b.offsets()[i] - startB) {
        return false;
      }
    }
    return sameBytes(a.bytes(), startA, b.bytes(), startB, a.offsets()[size] - startA);
  }

  private static boolean sameBytes(ByteBuffer a, int startA, ByteBuffer b, int startB, int length) {
    return a.slice(startA, length).equals(b.slice(startB, length));
  }
}
