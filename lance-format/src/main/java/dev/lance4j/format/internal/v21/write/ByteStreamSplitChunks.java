package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.kernel.ByteStreamSplit;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import java.nio.ByteBuffer;

/** The first bytes of all values, then the second ones, and so on; for general compression. */
final class ByteStreamSplitChunks implements ValueChunks {
  private static final int CHUNK_BYTES = 4096;
  private static final int SAMPLE = 64;

  /** Below this many bits of information per byte, split bytes compress better than values. */
  private static final double MAX_ENTROPY = 4;

  private final FixedBlock block;

  ByteStreamSplitChunks(FixedBlock block) {
    this.block = block;
  }

  /** Whether values have a width that can be split. */
  static boolean applies(FixedBlock block) {
    return block.bits() == Integer.SIZE || block.bits() == Long.SIZE;
  }

  /** Whether the bytes at each place in the first values are alike. */
  static boolean promises(FixedBlock block) {
    int sample = Math.min(SAMPLE, block.count());
    double entropy = 0;
    for (int place = 0; place < block.width(); place++) {
      int[] counts = new int[1 << Byte.SIZE];
      for (int i = 0; i < sample; i++) {
        counts[block.values().get(i * block.width() + place) & 0xFF]++;
      }
      entropy += entropy(counts, sample);
    }
    return entropy / block.width() < MAX_ENTROPY;
  }

  private static double entropy(int[] counts, int total) {
    double entropy = 0;
    for (int count : counts) {
      if (count > 0) {
        double part = (double) count / total;
        entropy -= part * Math.log(part) / Math.log(2);
      }
    }
    return entropy;
  }

  @Override
  public CompressiveEncoding encoding() {
    return CompressiveEncoding.newBuilder()
        .setByteStreamSplit(
            dev.lance4j.format.proto.encodings21.ByteStreamSplit.newBuilder()
                .setValues(Encodings.flat(block.bits())))
        .build();
  }

  @Override
  public int buffers() {
    return 1;
  }

  @Override
  public int count() {
    return block.count();
  }

  @Override
  public int propose(int from) {
    return Math.min(CHUNK_BYTES / block.width(), block.count() - from);
  }

  @Override
  public long maxBytes(int from, int count) {
    return ValueChunks.padded((long) count * block.width());
  }

  @Override
  public void write(int from, int count, ChunkSink out) {
    byte[] bytes = new byte[count * block.width()];
    block.values().get(from * block.width(), bytes);
    ByteBuffer to = out.room(bytes.length);
    ByteStreamSplit.split(bytes, count, block.width(), to, out.at());
    out.endValues(bytes.length);
  }
}
