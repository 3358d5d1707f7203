package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import java.nio.ByteBuffer;

/** Fixed-width values as they are. */
final class FlatChunks implements ValueChunks {
  private final FixedBlock block;
  private final CompressiveEncoding encoding;

  /**
   * @param encoding how the page describes the values: flat, or a packed struct of flat values
   */
  FlatChunks(FixedBlock block, CompressiveEncoding encoding) {
    this.block = block;
    this.encoding = encoding;
  }

  FlatChunks(FixedBlock block) {
    this(block, Encodings.flat(block.bits()));
  }

  @Override
  public CompressiveEncoding encoding() {
    return encoding;
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
    return Math.min(block.count() - from, valuesPerChunk(block.bits()));
  }

  /** The power of two of values that fill a chunk. */
  static int valuesPerChunk(long bitsPerValue) {
    int values = bitsPerValue % Byte.SIZE == 0 ? 2 : Byte.SIZE;
    long bytes = (values * bitsPerValue + 7) >> 3;
    while (2 * bytes < TARGET_BYTES && 2 * values <= MAX_VALUES) {
      values *= 2;
      bytes *= 2;
    }
    return values;
  }

  @Override
  public long maxBytes(int from, int count) {
    return ValueChunks.padded(bytes(count));
  }

  private int bytes(int count) {
    return Bits.bytes((long) count * block.bits());
  }

  @Override
  public void write(int from, int count, ChunkSink out) {
    if (block.bits() > 1) {
      out.values(block.values(), from * block.width(), bytes(count));
    } else {
      bits(block.values(), from, count, out);
    }
  }

  /** Adds a buffer of bits, with zeros after the last one. */
  static void bits(ByteBuffer from, int start, int count, ChunkSink out) {
    int bytes = Bits.bytes(count);
    ByteBuffer to = out.room(bytes);
    if (bytes > 0) {
      to.put(out.at() + bytes - 1, (byte) 0);
    }
    Bits.copy(from, start, to, out.at() * Byte.SIZE, count);
    out.endValues(bytes);
  }
}
