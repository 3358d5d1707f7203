package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.Rle;
import java.nio.ByteBuffer;

/** Runs of equal numbers: a buffer of values and one of lengths. */
final class RleChunks implements ValueChunks {
  /** The longest run that one length can state. */
  static final int MAX_RUN = 255;

  private final FixedBlock block;
  private final long[] values = new long[MAX_VALUES];

  RleChunks(FixedBlock block) {
    this.block = block;
  }

  @Override
  public CompressiveEncoding encoding() {
    return encoding(block.bits());
  }

  /** Runs of values of a width. */
  static CompressiveEncoding encoding(int bits) {
    return CompressiveEncoding.newBuilder()
        .setRle(
            Rle.newBuilder()
                .setValues(Encodings.flat(bits))
                .setRunLengths(Encodings.flat(Byte.SIZE)))
        .build();
  }

  @Override
  public int buffers() {
    return 2;
  }

  @Override
  public int count() {
    return block.count();
  }

  @Override
  public int propose(int from) {
    int left = block.count() - from;
    int limit = Math.min(left, MAX_VALUES);
    FixedValues.read(block, from, limit, values);
    int maxEntries = TARGET_BYTES / (block.width() + 1);
    int count = 2;
    int entries = 0;
    int length = MAX_RUN;
    for (int i = 0; i < limit; i++) {
      if (length == MAX_RUN || values[i] != values[i - 1]) {
        length = 0;
        if (++entries > maxEntries) {
          return Math.min(left, count);
        }
      }
      length++;
      if (Integer.bitCount(i + 1) == 1) {
        count = Math.max(count, i + 1);
      }
    }
    return limit == left ? left : count;
  }

  @Override
  public long maxBytes(int from, int count) {
    FixedValues.read(block, from, count, values);
    int entries = 0;
    int length = MAX_RUN;
    for (int i = 0; i < count; i++) {
      if (length == MAX_RUN || values[i] != values[i - 1]) {
        length = 0;
        entries++;
      }
      length++;
    }
    return ValueChunks.padded((long) entries * block.width()) + ValueChunks.padded(entries);
  }

  @Override
  public void write(int from, int count, ChunkSink out) {
    FixedValues.read(block, from, count, values);
    int width = block.width();
    byte[] lengths = new byte[count];
    ByteBuffer to = out.room((long) count * width);
    int at = out.at();
    int entries = 0;
    int i = 0;
    while (i < count) {
      int end = i + 1;
      while (end < count && end - i < MAX_RUN && values[end] == values[i]) {
        end++;
      }
      FixedValues.put(to, at + entries * width, width, values[i]);
      lengths[entries++] = (byte) (end - i);
      i = end;
    }
    out.endValues(entries * width);
    out.values(ByteBuffer.wrap(lengths), 0, entries);
  }
}
