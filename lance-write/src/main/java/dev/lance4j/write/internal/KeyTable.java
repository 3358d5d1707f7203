package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Finds the row of an array that has a key. Keys are equal when their bytes are; null is a key too.
 * Of rows with the same key the first is found.
 */
final class KeyTable {
  /** What {@link #find} gives when there is no such key. */
  static final int NONE = -1;

  private static final int FREE = 0;

  private final ArrayLayout layout;
  private final ArrayData keys;
  private final int[] slots;
  private final int shift;

  /**
   * @param field of the keys
   * @param keys stay the caller's, and must outlive the table
   * @throws InvalidInputException if keys of this type cannot be compared
   */
  KeyTable(Field field, ArrayData keys) {
    this.layout = ArrayLayout.of(field);
    this.keys = keys;
    if (field.getDictionary() != null
        || (layout.kind() != ArrayLayout.Kind.FIXED && !layout.isVariable())) {
      throw new InvalidInputException(
          "Column '" + field.getName() + "' of type " + field.getType() + " cannot be a join key");
    }
    this.slots = new int[Integer.highestOneBit(Math.max(keys.length(), 4)) * 4];
    this.shift = Long.numberOfLeadingZeros(slots.length - 1L);
    for (int row = 0; row < keys.length(); row++) {
      insert(row);
    }
  }

  private void insert(int row) {
    int slot = slot(hash(keys, row));
    while (slots[slot] != FREE) {
      if (equal(keys, row, slots[slot] - 1)) {
        return;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = row + 1;
  }

  /**
   * The row with the key that another array of the same type has in a row.
   *
   * @return the row, or {@link #NONE}
   */
  int find(ArrayData probe, int row) {
    int slot = slot(hash(probe, row));
    while (slots[slot] != FREE) {
      if (equal(probe, row, slots[slot] - 1)) {
        return slots[slot] - 1;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    return NONE;
  }

  private int slot(long hash) {
    return (int) ((hash * 0x9E3779B97F4A7C15L) >>> shift);
  }

  private long hash(ArrayData array, int row) {
    if (!array.isValid(row)) {
      return -1;
    }
    if (layout.bits() == 1) {
      return bit(array, row);
    }
    long start = start(array, row);
    long end = end(array, row);
    ArrowBuf bytes = bytes(array);
    long hash = end - start;
    for (; end - start >= Long.BYTES; start += Long.BYTES) {
      hash = (hash ^ bytes.getLong(start)) * 0xFF51AFD7ED558CCDL;
      hash ^= hash >>> 29;
    }
    for (; start < end; start++) {
      hash = (hash ^ bytes.getByte(start)) * 0x100000001B3L;
    }
    return hash;
  }

  private boolean equal(ArrayData array, int row, int key) {
    boolean valid = array.isValid(row);
    if (!valid || !keys.isValid(key)) {
      return valid == keys.isValid(key);
    }
    if (layout.bits() == 1) {
      return bit(array, row) == bit(keys, key);
    }
    long start = start(array, row);
    long length = end(array, row) - start;
    long keyStart = start(keys, key);
    if (length != end(keys, key) - keyStart) {
      return false;
    }
    ArrowBuf left = bytes(array);
    ArrowBuf right = bytes(keys);
    for (long i = 0; i < length; i++) {
      if (left.getByte(start + i) != right.getByte(keyStart + i)) {
        return false;
      }
    }
    return true;
  }

  private static int bit(ArrayData array, int row) {
    return array.buffer(1).getByte(row >> 3) >> (row & 7) & 1;
  }

  private ArrowBuf bytes(ArrayData array) {
    return array.buffer(layout.isVariable() ? 2 : 1);
  }

  private long start(ArrayData array, int row) {
    if (!layout.isVariable()) {
      return (long) row * (layout.bits() / Byte.SIZE);
    }
    return layout.hasLongOffsets()
        ? array.buffer(1).getLong((long) row * Long.BYTES)
        : array.buffer(1).getInt((long) row * Integer.BYTES);
  }

  private long end(ArrayData array, int row) {
    return start(array, row + 1);
  }
}
