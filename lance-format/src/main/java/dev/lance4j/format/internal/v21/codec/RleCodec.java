package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Runs of equal values: the values of the runs, and their lengths of one byte each. */
final class RleCodec implements ChunkCodec, BlockCodec {
  private final int bits;

  /**
   * @param bits width of the values: 8, 16, 32 or 64
   */
  RleCodec(int bits) {
    this.bits = bits;
  }

  @Override
  public int bufferCount() {
    return 2;
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count) {
    return decode(buffers[first], buffers[first + 1], count);
  }

  @Override
  public Block decode(ByteBuffer in, int count) {
    if (count == 0) {
      return new Block.Empty();
    }
    Bytes.require(in, Long.BYTES, "run-length data");
    long valueBytes = in.getLong(0);
    if (valueBytes < 0 || valueBytes > in.limit() - Long.BYTES) {
      throw new IllegalArgumentException("run values of " + valueBytes + " bytes");
    }
    int lengthsAt = Long.BYTES + (int) valueBytes;
    return decode(
        Bytes.slice(in, Long.BYTES, (int) valueBytes),
        Bytes.slice(in, lengthsAt, in.limit() - lengthsAt),
        count);
  }

  private Block decode(ByteBuffer values, ByteBuffer lengths, int count) {
    int runs = checkedRuns(values, lengths, count);
    byte[] out = new byte[Math.multiplyExact(count, bits / 8)];
    switch (bits) {
      case 8 -> expandBytes(values, lengths, runs, out, count);
      case 16 -> {
        short[] expanded = new short[count];
        expandShorts(values, lengths, runs, expanded);
        Bytes.wrap(out).asShortBuffer().put(expanded);
      }
      case 32 -> {
        int[] expanded = new int[count];
        expandInts(values, lengths, runs, expanded);
        Bytes.wrap(out).asIntBuffer().put(expanded);
      }
      default -> {
        long[] expanded = new long[count];
        expandLongs(values, lengths, runs, expanded);
        Bytes.wrap(out).asLongBuffer().put(expanded);
      }
    }
    return new Block.Fixed(Bytes.wrap(out), bits, false);
  }

  /** The number of runs that make up {@code count} values; the last may be longer than needed. */
  private int checkedRuns(ByteBuffer values, ByteBuffer lengths, int count) {
    int runs = 0;
    long total = 0;
    while (total < count) {
      if (runs == lengths.limit()) {
        throw new IllegalArgumentException("the runs make " + total + " values of " + count);
      }
      int length = lengths.get(runs++) & 0xff;
      if (length == 0) {
        throw new IllegalArgumentException("a run without length");
      }
      total += length;
    }
    Bytes.require(values, (long) runs * bits / 8, runs + " runs");
    return runs;
  }

  private static void expandBytes(
      ByteBuffer values, ByteBuffer lengths, int runs, byte[] out, int count) {
    int at = 0;
    for (int i = 0; i < runs; i++) {
      int end = Math.min(count, at + (lengths.get(i) & 0xff));
      Arrays.fill(out, at, end, values.get(i));
      at = end;
    }
  }

  private static void expandShorts(ByteBuffer values, ByteBuffer lengths, int runs, short[] out) {
    int at = 0;
    for (int i = 0; i < runs; i++) {
      int end = Math.min(out.length, at + (lengths.get(i) & 0xff));
      Arrays.fill(out, at, end, values.getShort(2 * i));
      at = end;
    }
  }

  private static void expandInts(ByteBuffer values, ByteBuffer lengths, int runs, int[] out) {
    int at = 0;
    for (int i = 0; i < runs; i++) {
      int end = Math.min(out.length, at + (lengths.get(i) & 0xff));
      Arrays.fill(out, at, end, values.getInt(4 * i));
      at = end;
    }
  }

  private static void expandLongs(ByteBuffer values, ByteBuffer lengths, int runs, long[] out) {
    int at = 0;
    for (int i = 0; i < runs; i++) {
      int end = Math.min(out.length, at + (lengths.get(i) & 0xff));
      Arrays.fill(out, at, end, values.getLong(8 * i));
      at = end;
    }
  }
}
