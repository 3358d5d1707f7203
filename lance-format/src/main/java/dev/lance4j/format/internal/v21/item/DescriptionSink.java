package dev.lance4j.format.internal.v21.item;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Gathers the descriptions of blobs, a position and a size each, on the heap. */
public final class DescriptionSink implements BlockSink {
  private static final int BYTES = 2 * Long.BYTES;

  private long[] positions;
  private long[] sizes;
  private int count;

  /**
   * @param expected the number of descriptions to come
   */
  public DescriptionSink(int expected) {
    positions = new long[expected];
    sizes = new long[expected];
  }

  @Override
  public void append(Block block, int from, int to) {
    if (!(block instanceof Block.Fixed fixed) || fixed.bits() != 8 * BYTES) {
      throw ItemSink.misfit(block, "blob descriptions");
    }
    reserve(to - from);
    ByteBuffer bytes = fixed.bytes();
    for (int i = from; i < to; i++) {
      positions[count] = bytes.getLong(i * BYTES);
      sizes[count++] = bytes.getLong(i * BYTES + Long.BYTES);
    }
  }

  @Override
  public void appendEmpty(int n) {
    reserve(n);
    count += n;
  }

  private void reserve(int n) {
    int needed = Math.addExact(count, n);
    if (needed > positions.length) {
      positions = Arrays.copyOf(positions, Math.max(needed, 2 * count));
      sizes = Arrays.copyOf(sizes, positions.length);
    }
  }

  /** The number of descriptions. */
  public int count() {
    return count;
  }

  /** Where blob {@code i} is in the file; for a null its levels. */
  public long position(int i) {
    return positions[i];
  }

  /** The size of blob {@code i} in bytes. */
  public long size(int i) {
    return sizes[i];
  }
}
