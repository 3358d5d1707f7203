package dev.lance4j.format.internal.v21.write;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Finds the distinct values of a page, where there are few enough for a dictionary. */
final class DictionaryBuilder {
  private static final int MIN_VALUES = 100;
  private static final int MAX_DISTINCT = 100_000;
  private static final int SAMPLE = 4096;

  /** A sample with more distinct values than this part of it is not worth a full scan. */
  private static final double MAX_SAMPLE_DISTINCT = 0.98;

  private static final int EMPTY = -1;

  private final ValueBytes values;
  private final int count;
  private final int budget;
  // For each distinct value the first place where it stands.
  private int[] firsts = new int[MIN_VALUES];
  private int distinct;
  private int[] table;

  private DictionaryBuilder(ValueBytes values, int count, int budget) {
    this.values = values;
    this.count = count;
    this.budget = budget;
    this.table = newTable(MIN_VALUES);
  }

  /** Values as byte ranges of a buffer. */
  private interface ValueBytes {
    ByteBuffer bytes();

    int start(int i);

    int length(int i);
  }

  /**
   * The values as keys of 32 bits into a dictionary in the order of first appearance.
   *
   * @param block of strings, binary values or fixed-width values
   * @param valid for each value whether it counts; null when all do. Others get the key before
   * @return null if a dictionary would not make the page smaller
   */
  static DictionaryBlock build(LeafBlock block, boolean[] valid, EncodingOptions options) {
    int count = block.count();
    if (count < MIN_VALUES) {
      return null;
    }
    int budget = Math.min(count / options.dictionaryDivisor(), MAX_DISTINCT);
    DictionaryBuilder builder = new DictionaryBuilder(bytes(block), count, budget);
    if (builder.isNearlyUnique()) {
      return null;
    }
    int[] keys = builder.keys(valid);
    if (keys == null) {
      return null;
    }
    LeafBlock dictionary = builder.dictionary(block);
    long encoded = dictionary.bytes() + (long) count * Integer.BYTES;
    if (encoded >= options.dictionarySizeRatio() * block.bytes()) {
      return null;
    }
    ByteBuffer keyBytes = Buffers.heap((long) count * Integer.BYTES);
    keyBytes.asIntBuffer().put(keys);
    return new DictionaryBlock(new FixedBlock(Integer.SIZE, count, keyBytes), dictionary);
  }

  private static ValueBytes bytes(LeafBlock block) {
    if (block instanceof VariableBlock variable) {
      return new ValueBytes() {
        @Override
        public ByteBuffer bytes() {
          return variable.values();
        }

        @Override
        public int start(int i) {
          return variable.start(i);
        }

        @Override
        public int length(int i) {
          return variable.length(i);
        }
      };
    }
    FixedBlock fixed = (FixedBlock) block;
    int width = fixed.width();
    return new ValueBytes() {
      @Override
      public ByteBuffer bytes() {
        return fixed.values();
      }

      @Override
      public int start(int i) {
        return i * width;
      }

      @Override
      public int length(int i) {
        return width;
      }
    };
  }

  private boolean isNearlyUnique() {
    int step = Math.max(1, count / SAMPLE);
    int sampled = 0;
    for (int i = 0; i < count && sampled < SAMPLE; i += step) {
      key(i);
      sampled++;
    }
    boolean nearlyUnique = distinct >= sampled * MAX_SAMPLE_DISTINCT;
    distinct = 0;
    Arrays.fill(table, EMPTY);
    return nearlyUnique;
  }

  private int[] keys(boolean[] valid) {
    int[] keys = new int[count];
    for (int i = 0; i < count; i++) {
      if (valid == null || valid[i]) {
        keys[i] = key(i);
        if (distinct > budget) {
          return null;
        }
      } else {
        keys[i] = i == 0 ? 0 : keys[i - 1];
      }
    }
    return keys;
  }

  /** The key of a value, a new one if it was not seen before. */
  private int key(int i) {
    int mask = table.length - 1;
    int at = hash(i) & mask;
    while (table[at] != EMPTY) {
      if (equal(firsts[table[at]], i)) {
        return table[at];
      }
      at = (at + 1) & mask;
    }
    table[at] = distinct;
    if (distinct == firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * distinct);
    }
    firsts[distinct] = i;
    distinct++;
    if (2 * distinct > table.length) {
      rehash();
    }
    return distinct - 1;
  }

  private static int[] newTable(int values) {
    int[] table = new int[Integer.highestOneBit(values) * 4];
    Arrays.fill(table, EMPTY);
    return table;
  }

  private void rehash() {
    table = newTable(2 * distinct);
    int mask = table.length - 1;
    for (int k = 0; k < distinct; k++) {
      int at = hash(firsts[k]) & mask;
      while (table[at] != EMPTY) {
        at = (at + 1) & mask;
      }
      table[at] = k;
    }
  }

  private int hash(int i) {
    ByteBuffer bytes = values.bytes();
    int start = values.start(i);
    int end = start + values.length(i);
    long hash = values.length(i);
    int at = start;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = mix(hash ^ bytes.getLong(at));
    }
    for (; at < end; at++) {
      hash = mix(hash ^ bytes.get(at));
    }
    return (int) (hash >>> Integer.SIZE);
  }

  private static long mix(long hash) {
    long product = hash * 0x9E3779B97F4A7C15L;
    return product ^ (product >>> Integer.SIZE);
  }

  private boolean equal(int a, int b) {
    int length = values.length(a);
    if (length != values.length(b)) {
      return false;
    }
    ByteBuffer bytes = values.bytes();
    int left = values.start(a);
    int right = values.start(b);
    for (int i = 0; i < length; i++) {
      if (bytes.get(left + i) != bytes.get(right + i)) {
        return false;
      }
    }
    return true;
  }

  private LeafBlock dictionary(LeafBlock block) {
    int[] offsets = new int[distinct + 1];
    for (int k = 0; k < distinct; k++) {
      offsets[k + 1] = Math.addExact(offsets[k], values.length(firsts[k]));
    }
    ByteBuffer bytes = Buffers.heap(offsets[distinct]);
    for (int k = 0; k < distinct; k++) {
      bytes.put(offsets[k], values.bytes(), values.start(firsts[k]), values.length(firsts[k]));
    }
    return block instanceof VariableBlock variable
        ? new VariableBlock(variable.offsetBits(), distinct, offsets, 0, bytes)
        : new FixedBlock(((FixedBlock) block).bits(), distinct, bytes);
  }
}
