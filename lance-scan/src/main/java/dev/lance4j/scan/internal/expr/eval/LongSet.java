package dev.lance4j.scan.internal.expr.eval;

/**
 * A set of longs by open addressing, filled once. A small bitmap in front of it tells most of the
 * values that are not in it, without a branch that is hard to predict.
 */
final class LongSet {
  private static final int LOG_BITS_PER_MEMBER = 5;
  private static final int MAX_LOG_BITS = 30;

  private final long[] bitmap;
  private final int bitmapShift;
  private final long[] slots;
  private final boolean[] used;
  private final int mask;

  LongSet(long[] members) {
    int rounded = Integer.highestOneBit(Math.max(4, members.length));
    int capacity = rounded * 4;
    slots = new long[capacity];
    used = new boolean[capacity];
    mask = capacity - 1;
    int logBits =
        Math.min(Integer.numberOfTrailingZeros(rounded) + LOG_BITS_PER_MEMBER, MAX_LOG_BITS);
    bitmap = new long[1 << (logBits - 6)];
    bitmapShift = Long.SIZE - logBits;
    for (long member : members) {
      long hash = hash(member);
      int bit = (int) (hash >>> bitmapShift);
      bitmap[bit >>> 6] |= 1L << bit;
      int slot = slot(member, hash);
      slots[slot] = member;
      used[slot] = true;
    }
  }

  boolean contains(long value) {
    long hash = hash(value);
    int bit = (int) (hash >>> bitmapShift);
    return ((bitmap[bit >>> 6] >>> bit) & 1) != 0 && used[slot(value, hash)];
  }

  private static long hash(long value) {
    return value * 0x9e37_79b9_7f4a_7c15L;
  }

  private int slot(long value, long hash) {
    int slot = (int) (hash >>> 33) & mask;
    while (used[slot] && slots[slot] != value) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
