package dev.lance4j.format.internal.v21.level;

import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Turns the levels of one column back into validity bitmaps and list offsets, one layer at a time
 * from the leaf outwards. Levels that contradict each other or the number of values give an {@link
 * IllegalArgumentException}.
 */
public final class Unraveler {
  private final BufferAllocator allocator;
  private final short[] repetition;
  private final short[] definition;
  private int count;
  // The definition numbers that the layers unravelled so far have used up.
  private int base;

  /**
   * @param entries taken over
   */
  public Unraveler(LevelEntries entries, BufferAllocator allocator) {
    this.allocator = allocator;
    this.repetition = entries.repetition();
    this.definition = entries.definition();
    this.count = entries.count();
  }

  /**
   * Unravels an item layer: a leaf, a struct or a fixed-size list of structs.
   *
   * @param outerItems the number of item layers between this one and the next list outside
   * @param length the number of values built so far
   */
  public Validity items(int outerItems, int length) {
    int valid = base;
    base++;
    if (definition == null) {
      check(count == length, length, count);
      return new Validity(length, 0, null);
    }
    int limit = base + outerItems;
    BitWriter bits = new BitWriter(length);
    if (repetition == null) {
      // Without lists, every entry is a slot of every layer.
      check(count == length, length, count);
      bits.setAll(definition, count, valid);
      return bits.toValidity(allocator, count);
    }
    int slots = 0;
    for (int i = 0; i < count; i++) {
      int level = definition[i];
      if (level <= limit) {
        check(slots < length, length, slots + 1);
        bits.set(slots++, level <= valid);
      }
    }
    check(slots == length, length, slots);
    return bits.toValidity(allocator, slots);
  }

  private static void check(boolean consistent, int values, int slots) {
    if (!consistent) {
      throw new IllegalArgumentException(values + " values for " + slots + " slots of a layer");
    }
  }

  /**
   * Drops all but the first entry of each fixed-size list of structs.
   *
   * @param dimension the number of structs in each list
   * @param outerItems the number of item layers from the list's own on to the next list outside
   */
  public void collapse(int dimension, int outerItems) {
    int limit = base + outerItems;
    int kept = 0;
    int position = 0;
    for (int i = 0; i < count; i++) {
      boolean slot = definition == null || definition[i] <= limit;
      if (!slot || position == 0) {
        keep(i, kept++, 0);
      }
      if (slot) {
        position = position + 1 == dimension ? 0 : position + 1;
      }
    }
    if (position != 0) {
      throw new IllegalArgumentException("a fixed-size list of structs ends early");
    }
    count = kept;
  }

  private void keep(int from, int to, int repetitionUsed) {
    if (repetition != null) {
      repetition[to] = (short) (repetition[from] - repetitionUsed);
    }
    if (definition != null) {
      definition[to] = definition[from];
    }
  }

  /**
   * Unravels a list layer.
   *
   * @param outerItems the number of item layers between this one and the next list outside
   * @param length the number of list items built so far
   * @param large whether the offsets have 64 bits
   */
  public ListSlots lists(int outerItems, int length, boolean large) {
    int nullNumber = base + 1;
    int emptyNumber = base + 2;
    int limit = emptyNumber + outerItems;
    int[] offsets = new int[count + 1];
    BitWriter bits = new BitWriter(count);
    int slots = 0;
    int items = 0;
    int kept = 0;
    boolean open = false;
    for (int i = 0; i < count; i++) {
      int level = definition == null ? 0 : definition[i];
      if (repetition[i] == 0) {
        if (!open || level > base) {
          throw new IllegalArgumentException("a list item outside any list");
        }
        items++;
        continue;
      }
      if (level <= limit) {
        boolean valid = level != nullNumber && level <= emptyNumber;
        open = level <= base;
        bits.set(slots, valid);
        offsets[slots++] = items;
        items += open ? 1 : 0;
      } else {
        open = false;
      }
      keep(i, kept++, 1);
    }
    offsets[slots] = items;
    check(items == length, length, items);
    count = kept;
    base = emptyNumber;
    return slots(bits, offsets, slots, large);
  }

  private ListSlots slots(BitWriter bits, int[] offsets, int slots, boolean large) {
    Validity validity = bits.toValidity(allocator, slots);
    if (slots == 0) {
      return new ListSlots(validity, null);
    }
    boolean complete = false;
    try {
      int width = large ? 8 : 4;
      long size = (slots + 1L) * width;
      ArrowBuf buffer = allocator.buffer(size);
      if (large) {
        for (int i = 0; i <= slots; i++) {
          buffer.setLong(8L * i, offsets[i]);
        }
      } else {
        buffer
            .nioBuffer(0, Math.toIntExact(size))
            .order(ByteOrder.LITTLE_ENDIAN)
            .asIntBuffer()
            .put(offsets, 0, slots + 1);
      }
      buffer.writerIndex(size);
      complete = true;
      return new ListSlots(validity, buffer);
    } finally {
      if (!complete) {
        validity.close();
      }
    }
  }

  /** Bits on the heap, to become a validity buffer if any of them is clear. */
  private static final class BitWriter {
    private long[] words;
    private long word;
    private int ones;

    BitWriter(int length) {
      this.words = new long[(length + 63) >>> 6];
    }

    /** Appends bit {@code i}, where bits come in order. */
    void set(int i, boolean bit) {
      word |= (bit ? 1L : 0L) << i;
      if ((i & 63) == 63) {
        store(i);
      }
    }

    private void store(int i) {
      words[i >>> 6] = word;
      ones += Long.bitCount(word);
      word = 0;
    }

    /** Sets the first bits where levels are at most {@code valid}. */
    void setAll(short[] levels, int count, int valid) {
      for (int i = 0; i < count; i += Long.SIZE) {
        int end = Math.min(count, i + Long.SIZE);
        long word = 0;
        for (int j = i; j < end; j++) {
          // The sign bit of the difference, shifted to the entry's place.
          word |= (((long) levels[j] - valid - 1) >>> 63) << j;
        }
        words[i >>> 6] = word;
        ones += Long.bitCount(word);
      }
    }

    Validity toValidity(BufferAllocator allocator, int length) {
      if (word != 0) {
        store(length - 1);
      }
      if (ones == length) {
        return new Validity(length, 0, null);
      }
      int used = (length + 63) >>> 6;
      words = Arrays.copyOf(words, used);
      ArrowBuf buffer = allocator.buffer(8L * used);
      for (int i = 0; i < used; i++) {
        buffer.setLong(8L * i, words[i]);
      }
      buffer.writerIndex((length + 7) >>> 3);
      return new Validity(length, length - ones, buffer);
    }
  }
}
