package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.CorruptFileException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A Bloom filter of blocks of eight words, in each of which a value sets one bit: that of the
 * Parquet format. Kept as it is stored. For use by one thread while it is changed.
 */
final class SplitBlockFilter {
  /** The number of bytes of a block. */
  static final int BLOCK_BYTES = 32;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int[] SALT = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };

  private final byte[] blocks;

  private SplitBlockFilter(byte[] blocks) {
    this.blocks = blocks;
  }

  /**
   * A filter without values.
   *
   * @param bytes a multiple of {@link #BLOCK_BYTES}
   */
  static SplitBlockFilter empty(int bytes) {
    return new SplitBlockFilter(new byte[bytes]);
  }

  /**
   * A stored filter.
   *
   * @param bytes taken over
   * @param path of the file, for errors
   * @throws CorruptFileException if they are no whole blocks
   */
  static SplitBlockFilter of(byte[] bytes, String path) {
    if (bytes.length == 0 || bytes.length % BLOCK_BYTES != 0) {
      throw new CorruptFileException(
          path, -1, "a Bloom filter has " + bytes.length + " bytes, no whole number of blocks");
    }
    return new SplitBlockFilter(bytes);
  }

  /** The bytes as they are stored; must not be changed. */
  byte[] bytes() {
    return blocks;
  }

  /** Adds a value by its hash. */
  void add(long hash) {
    int block = block(hash);
    for (int i = 0; i < SALT.length; i++) {
      int at = block + i * Integer.BYTES;
      WORD.set(blocks, at, (int) WORD.get(blocks, at) | bit(hash, i));
    }
  }

  /** Whether a value may have been added; if not, it was not. */
  boolean mayHave(long hash) {
    int block = block(hash);
    for (int i = 0; i < SALT.length; i++) {
      if (((int) WORD.get(blocks, block + i * Integer.BYTES) & bit(hash, i)) == 0) {
        return false;
      }
    }
    return true;
  }

  private int block(long hash) {
    long count = blocks.length / BLOCK_BYTES;
    return (int) (((hash >>> 32) * count) >>> 32) * BLOCK_BYTES;
  }

  private static int bit(long hash, int word) {
    return 1 << (((int) hash * SALT[word]) >>> 27);
  }
}
