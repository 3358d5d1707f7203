package dev.lance4j.table.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A set of names in little memory. Of each name it holds 128 bits of a cryptographic digest, so
 * that nobody finds two names that it takes for one. Not safe for use by many threads.
 */
public final class NameSet {
  private static final int INITIAL_SLOTS = 64;

  private final MessageDigest digest = sha256();
  // Two longs for each slot; both are 0 in an empty one.
  private long[] slots = new long[2 * INITIAL_SLOTS];
  private int size;

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  /** Adds a name. */
  public void add(String name) {
    ByteBuffer hash = hash(name);
    long high = hash.getLong(0);
    long low = hash.getLong(Long.BYTES);
    int slot = find(slots, high, low);
    if (isEmpty(slots, slot)) {
      slots[slot] = high;
      slots[slot + 1] = low;
      size++;
      if (4L * size > slots.length) {
        grow();
      }
    }
  }

  /** Whether the name was added. */
  public boolean contains(String name) {
    ByteBuffer hash = hash(name);
    return !isEmpty(slots, find(slots, hash.getLong(0), hash.getLong(Long.BYTES)));
  }

  private ByteBuffer hash(String name) {
    return ByteBuffer.wrap(digest.digest(name.getBytes(StandardCharsets.UTF_8)));
  }

  /** The position of the pair, or of the empty slot where it belongs. */
  private static int find(long[] slots, long high, long low) {
    int mask = slots.length - 1;
    int slot = (int) (2 * low) & mask;
    while (!isEmpty(slots, slot) && (slots[slot] != high || slots[slot + 1] != low)) {
      slot = (slot + 2) & mask;
    }
    return slot;
  }

  private static boolean isEmpty(long[] slots, int slot) {
    return slots[slot] == 0 && slots[slot + 1] == 0;
  }

  private void grow() {
    long[] larger = new long[Math.multiplyExact(slots.length, 2)];
    for (int slot = 0; slot < slots.length; slot += 2) {
      if (!isEmpty(slots, slot)) {
        int place = find(larger, slots[slot], slots[slot + 1]);
        larger[place] = slots[slot];
        larger[place + 1] = slots[slot + 1];
      }
    }
    slots = larger;
  }
}
