package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Runs of equal values: the values of the runs, and their lengths of one byte each. */
final class RleCodec implements ChunkCodec, BlockCodec {
  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);

  private final int bits;

  /**
   * @param bits width of the values: 8, 16, 32 or 64
   */
  RleCodec(int bits) {
    this.bits = bits;
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public int bufferCount() {
    return 2;
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count) {
    return decode(buffers[first], buffers[first + 1], 0, count);
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count, ItemRuns wanted) {
    return decode(buffers[first], buffers[first + 1], wanted.from(), wanted.to());
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
        0,
        count);
  }

  /** Expands the items from {@code from} to {@code to}; those before have any value. */
  private Block decode(ByteBuffer values, ByteBuffer lengths, int from, int to) {
    byte[] out = new byte[Math.multiplyExact(to, bits / 8)];
    int run = 0;
    int start = 0;
    while (start < to) {
      int end = start + runLength(lengths, run, start, to);
      Bytes.require(values, (run + 1L) * bits / 8, "the values of runs");
      if (end > from) {
        fill(out, Math.max(start, from), Math.min(end, to), values, run);
      }
      start = end;
      run++;
    }
    return new Block.Fixed(Bytes.wrap(out), bits, false);
  }

  private static int runLength(ByteBuffer lengths, int run, int start, int needed) {
    if (run == lengths.limit()) {
      throw new IllegalArgumentException("the runs make " + start + " values of " + needed);
    }
    int length = lengths.get(run) & 0xff;
    if (length == 0) {
      throw new IllegalArgumentException("a run without length");
    }
    return length;
  }

  private void fill(byte[] out, int start, int end, ByteBuffer values, int run) {
    switch (bits) {
      case 8 -> Arrays.fill(out, start, end, values.get(run));
      case 16 -> {
        short value = values.getShort(run * Short.BYTES);
        for (int i = start; i < end; i++) {
          SHORTS.set(out, i * Short.BYTES, value);
        }
      }
      case 32 -> {
        int value = values.getInt(run * Integer.BYTES);
        for (int i = start; i < end; i++) {
          INTS.set(out, i * Integer.BYTES, value);
        }
      }
      default -> {
        long value = values.getLong(run * Long.BYTES);
        for (int i = start; i < end; i++) {
          LONGS.set(out, i * Long.BYTES, value);
        }
      }
    }
  }
}
