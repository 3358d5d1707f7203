package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.kernel.Compression;
import dev.lance4j.format.proto.encodings21.BufferCompression;
import dev.lance4j.format.proto.encodings21.CompressionScheme;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.General;
import java.nio.ByteBuffer;
import java.util.List;

/** Chunks whose first buffer is compressed with LZ4 or zstd. */
final class GeneralChunks implements ValueChunks {
  private static final int MIN_BYTES = 4096;

  private final ValueChunks values;
  private final Compression.Scheme scheme;
  private final int level;
  private long bytesBefore;
  private long bytesAfter;

  GeneralChunks(ValueChunks values, Compression.Scheme scheme, int level) {
    this.values = values;
    this.scheme = scheme;
    this.level = level;
  }

  @Override
  public CompressiveEncoding encoding() {
    return encoding(values.encoding(), scheme, level);
  }

  /** Compressed bytes of an encoding. */
  static CompressiveEncoding encoding(
      CompressiveEncoding values, Compression.Scheme scheme, int level) {
    BufferCompression.Builder compression =
        BufferCompression.newBuilder()
            .setScheme(
                scheme == Compression.Scheme.LZ4
                    ? CompressionScheme.COMPRESSION_ALGORITHM_LZ4
                    : CompressionScheme.COMPRESSION_ALGORITHM_ZSTD);
    if (level != 0) {
      compression.setLevel(level);
    }
    return CompressiveEncoding.newBuilder()
        .setGeneral(General.newBuilder().setCompression(compression).setValues(values))
        .build();
  }

  /** Whether what was written so far is worth it. */
  boolean pays() {
    return bytesBefore >= MIN_BYTES && bytesAfter < bytesBefore;
  }

  /** The same values as they are without compression. */
  ValueChunks uncompressed() {
    return values;
  }

  @Override
  public int buffers() {
    return values.buffers();
  }

  @Override
  public int count() {
    return values.count();
  }

  @Override
  public int propose(int from) {
    return values.propose(from);
  }

  @Override
  public boolean divisible() {
    return values.divisible();
  }

  /** Bytes that do not compress grow a little. */
  @Override
  public long maxBytes(int from, int count) {
    long bytes = values.maxBytes(from, count);
    return ValueChunks.padded(bytes + (bytes >> 7) + 128);
  }

  @Override
  public void write(int from, int count, ChunkSink out) {
    CapturedChunk chunk = new CapturedChunk();
    values.write(from, count, chunk);
    List<ByteBuffer> buffers = chunk.buffers();
    ByteBuffer first = Compression.compress(scheme, level, buffers.get(0));
    bytesBefore += buffers.get(0).remaining();
    bytesAfter += first.remaining();
    out.values(first, first.position(), first.remaining());
    for (ByteBuffer buffer : buffers.subList(1, buffers.size())) {
      out.values(buffer, 0, buffer.remaining());
    }
  }
}
