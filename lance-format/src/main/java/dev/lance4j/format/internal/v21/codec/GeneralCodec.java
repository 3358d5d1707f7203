package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.kernel.Compression;
import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Bytes of another codec, compressed by a general scheme. */
final class GeneralCodec {
  private static final long ALWAYS_ALLOWED = 64L << 20;
  private static final long MAX_RATIO = 1 << 12;

  private GeneralCodec() {}

  private static ByteBuffer decompress(Compression.Scheme scheme, ByteBuffer in) {
    long limit = Math.max(ALWAYS_ALLOWED, in.limit() * MAX_RATIO);
    ByteBuffer out = Compression.decompress(scheme, in, Math.min(limit, Integer.MAX_VALUE - 8));
    return out.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Chunks whose first buffer is compressed. */
  record Chunk(Compression.Scheme scheme, ChunkCodec inner) implements ChunkCodec {
    @Override
    public int bufferCount() {
      return inner.bufferCount();
    }

    @Override
    public Block decode(ByteBuffer[] buffers, int first, int count) {
      return decode(buffers, first, count, ItemRuns.all(count));
    }

    @Override
    public Block decode(ByteBuffer[] buffers, int first, int count, ItemRuns wanted) {
      ByteBuffer[] plain = buffers.clone();
      plain[first] = decompress(scheme, buffers[first]);
      return inner.decode(plain, first, count, wanted);
    }
  }

  /** Compressed blocks. */
  record Whole(Compression.Scheme scheme, BlockCodec inner) implements BlockCodec {
    @Override
    public Block decode(ByteBuffer in, int count) {
      return inner.decode(decompress(scheme, in), count);
    }
  }

  /** Values that are compressed one by one. */
  record Values(Compression.Scheme scheme, ZipCodec inner) implements ZipCodec {
    @Override
    public Block decode(ByteBuffer in, int[] starts, int[] lengths, int count) {
      ByteBuffer[] plain = new ByteBuffer[count];
      int[] plainStarts = new int[count];
      int[] plainLengths = new int[count];
      int total = 0;
      for (int i = 0; i < count; i++) {
        plainStarts[i] = total;
        plainLengths[i] = lengths[i];
        if (lengths[i] > 0) {
          plain[i] = decompress(scheme, Bytes.slice(in, starts[i], lengths[i]));
          plainLengths[i] = plain[i].limit();
          total = Math.addExact(total, plainLengths[i]);
        }
      }
      ByteBuffer joined = Bytes.allocate(total);
      for (int i = 0; i < count; i++) {
        if (plain[i] != null) {
          joined.put(plainStarts[i], plain[i], 0, plainLengths[i]);
        }
      }
      return inner.decode(joined, plainStarts, plainLengths, count);
    }
  }
}
