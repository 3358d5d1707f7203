package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.kernel.Compression;
import dev.lance4j.format.proto.encodings21.BufferCompression;
import dev.lance4j.format.proto.encodings21.CompressionScheme;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.General;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Large values compressed with zstd one by one.
 *
 * @param values the compressed values
 * @param encoding how the page describes them
 */
record CompressedValues(VariableBlock values, CompressiveEncoding encoding) {
  private static final int LARGE_VALUE = 32 * 1024;
  private static final int MIN_BYTES = 32 * 1024;

  /** Compresses a block; null where that is not wanted or not smaller. */
  static CompressedValues of(VariableBlock block, EncodingOptions options) {
    boolean wanted =
        switch (options.codec()) {
          case DEFAULT -> block.maxValueBytes() > LARGE_VALUE;
          case LZ4, ZSTD -> true;
          case NONE, FSST -> false;
        };
    if (!wanted || block.dataBytes(0, block.count()) < MIN_BYTES) {
      return null;
    }
    return compress(block);
  }

  private static CompressedValues compress(VariableBlock block) {
    int limit = block.dataBytes(0, block.count());
    byte[] bytes = new byte[limit];
    int[] offsets = new int[block.count() + 1];
    int at = 0;
    for (int i = 0; i < block.count(); i++) {
      if (block.length(i) > 0) {
        ByteBuffer value =
            Compression.compress(
                Compression.Scheme.ZSTD,
                0,
                Buffers.slice(block.values(), block.start(i), block.length(i)));
        if (at + value.remaining() >= limit) {
          return null;
        }
        value.get(value.position(), bytes, at, value.remaining());
        at += value.remaining();
      }
      offsets[i + 1] = at;
    }
    ByteBuffer compressed =
        ByteBuffer.wrap(Arrays.copyOf(bytes, at)).order(ByteOrder.LITTLE_ENDIAN);
    return new CompressedValues(
        new VariableBlock(block.offsetBits(), block.count(), offsets, 0, compressed),
        encoding(block.offsetBits()));
  }

  private static CompressiveEncoding encoding(int offsetBits) {
    return CompressiveEncoding.newBuilder()
        .setGeneral(
            General.newBuilder()
                .setCompression(
                    BufferCompression.newBuilder()
                        .setScheme(CompressionScheme.COMPRESSION_ALGORITHM_ZSTD)
                        .setLevel(0))
                .setValues(Encodings.variable(offsetBits)))
        .build();
  }
}
