package dev.lance4j.scan.internal.expr.eval;

/** A set of longs by open addressing, filled once. */
final class LongSet {
  private final long[] slots;
  private final boolean[] used;
  private final int mask;

  LongSet(long[] members) {
    int capacity = Integer.highestOneBit(Math.max(4, members.length)) * 4;
    slots = new long[capacity];
    used = new boolean[capacity];
    mask = capacity - 1;
    for (long member : members) {
      int slot = slot(member);
      slots[slot] = member;
      used[slot] = true;
    }
  }

  boolean contains(long value) {
    return used[slot(value)];
  }

  private int slot(long value) {
    long hash = value * 0x9e37_79b9_7f4a_7c15L;
    int slot = (int) (hash >>> 33) & mask;
    while (used[slot] && slots[slot] != value) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
