package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import java.nio.ByteBuffer;

/** Strings and binary values: a table of offsets, then the bytes. */
final class VariableChunks implements ValueChunks {
  /** The number of bytes that a chunk should have unless the field's metadata says otherwise. */
  static final int DEFAULT_TARGET = 4096;

  private static final byte PADDING = 0x48;

  private final VariableBlock block;
  private final int target;

  /**
   * @param target the number of bytes that a chunk should have
   */
  VariableChunks(VariableBlock block, int target) {
    this.block = block;
    this.target = target;
  }

  @Override
  public CompressiveEncoding encoding() {
    return Encodings.variable(block.offsetBits());
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
    int left = block.count() - from;
    if (left <= 2 || (left <= MAX_VALUES && bytes(from, left) <= target)) {
      return left;
    }
    int count = 2;
    while (2 * count <= Math.min(left, MAX_VALUES) && bytes(from, 2 * count) <= target) {
      count *= 2;
    }
    return count;
  }

  private long bytes(int from, int count) {
    return block.dataBytes(from, from + count) + (count + 1L) * block.offsetBytes();
  }

  @Override
  public long maxBytes(int from, int count) {
    return ValueChunks.padded(bytes(from, count));
  }

  @Override
  public void write(int from, int count, ChunkSink out) {
    ByteBuffer to = out.room(maxBytes(from, count));
    int at = out.at();
    int width = block.offsetBytes();
    int table = (count + 1) * width;
    int shift = table - block.start(from);
    for (int i = 0; i <= count; i++) {
      int offset = block.start(from + i) + shift;
      if (width == Integer.BYTES) {
        to.putInt(at + i * width, offset);
      } else {
        to.putLong(at + i * width, offset);
      }
    }
    int data = block.dataBytes(from, from + count);
    to.put(at + table, block.values(), block.start(from), data);
    int bytes = table + data;
    while (bytes % width != 0) {
      to.put(at + bytes, PADDING);
      bytes++;
    }
    out.endValues(bytes);
  }
}
