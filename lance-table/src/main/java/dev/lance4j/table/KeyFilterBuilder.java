package dev.lance4j.table;

import com.google.protobuf.ByteString;
import dev.lance4j.format.internal.hash.XxHash64;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Collects the keys that a merge inserts into a split-block Bloom filter of the size that all
 * writers use, so that filters of different writers can be compared. Not safe for use by many
 * threads.
 */
public final class KeyFilterBuilder {
  private static final int BLOCK_BITS = 10;
  private static final int BLOCKS = 1 << BLOCK_BITS;
  private static final int WORDS = 8;
  private static final long ITEMS = 8192;
  private static final double PROBABILITY = 0.00057;
  private static final int[] SALT = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };

  private final List<Integer> fieldIds;
  private final int[] words = new int[BLOCKS * WORDS];

  /**
   * @param fieldIds the fields that form the key, in the order of the key
   */
  public KeyFilterBuilder(List<Integer> fieldIds) {
    this.fieldIds = List.copyOf(fieldIds);
  }

  /** Adds a key by its bytes. */
  public void add(byte[] bytes, int offset, int length) {
    long hash = XxHash64.hash(bytes, offset, length);
    int block = (int) (hash >>> (Long.SIZE - BLOCK_BITS));
    int low = (int) hash;
    for (int i = 0; i < WORDS; i++) {
      words[block * WORDS + i] |= 1 << ((low * SALT[i]) >>> 27);
    }
  }

  /** The keys added so far. */
  public KeyFilter build() {
    ByteBuffer bytes =
        ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(words);
    return new KeyFilter(
        fieldIds,
        new KeyFilter.Bloom(
            ByteString.copyFrom(bytes), words.length * Integer.SIZE, ITEMS, PROBABILITY));
  }
}
