package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.values.BytesValues;
import java.util.Arrays;

/**
 * A set of byte strings by open addressing, filled once and asked with ranges of a larger array.
 */
final class BytesSet {
  private final byte[][] slots;
  private final int mask;
  private final int shortest;
  private final int longest;

  BytesSet(byte[][] members) {
    int capacity = Integer.highestOneBit(Math.max(4, members.length)) * 4;
    slots = new byte[capacity][];
    mask = capacity - 1;
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (byte[] member : members) {
      slots[slot(member, 0, member.length)] = member;
      least = Math.min(least, member.length);
      most = Math.max(most, member.length);
    }
    shortest = least;
    longest = most;
  }

  boolean contains(BytesValues values, int row) {
    int start = values.starts()[row];
    int end = values.ends()[row];
    int length = end - start;
    return length >= shortest
        && length <= longest
        && slots[slot(values.bytes(), start, end)] != null;
  }

  private int slot(byte[] bytes, int start, int end) {
    int hash = 1;
    for (int i = start; i < end; i++) {
      hash = 31 * hash + bytes[i];
    }
    int slot = ((hash * 0x9e37_79b9) >>> 7) & mask;
    while (slots[slot] != null
        && !Arrays.equals(slots[slot], 0, slots[slot].length, bytes, start, end)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
