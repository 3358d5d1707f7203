package dev.lance4j.format.internal.v20;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Strings or bytes of any length. */
final class BinaryValues implements PageValues {
  private final String path;
  private final InputOffsets input;
  private final MarkedEnds ends;
  private final GrowableBuffer bytes;

  /**
   * @param wide whether the Arrow offsets have 64 bits
   */
  BinaryValues(String path, boolean wide, BufferAllocator allocator) {
    this.path = path;
    this.input = new InputOffsets(path, wide);
    this.ends = new MarkedEnds(allocator);
    this.bytes = new GrowableBuffer(allocator, 0);
  }

  @Override
  public void append(ArrayData rows, ByteBuffer validity, RowRanges ranges) {
    ArrowBuf source = rows.buffer(2);
    long limit = source == null ? 0 : source.capacity();
    RowSlots slots = input.slots(rows, validity, ranges, limit);
    RowRanges kept = slots.values();
    if (bytes.size() + kept.rows() > Integer.MAX_VALUE) {
      throw new InvalidInputException(
          "Field '"
              + path
              + "' has more than 2 GiB of bytes in one batch; write fewer rows at once");
    }
    ends.append(slots);
    for (int i = 0; i < kept.size(); i++) {
      bytes.append(source, kept.start(i), kept.end(i) - kept.start(i));
    }
  }

  @Override
  public long bytesOf(ArrayData rows, RowRanges ranges) {
    return input.span(rows, ranges) + ranges.rows() * Long.BYTES;
  }

  @Override
  public long bytes() {
    return bytes.size() + ends.bytes();
  }

  @Override
  public ArrayEncoding encode(PageBuilder page) {
    // Without rows there is nothing to mark, and the real library leaves it out.
    long adjustment = ends.bytes() == 0 ? 0 : ends.total() + 1;
    int indices = page.add(ends.encode(adjustment));
    int values = page.add(bytes.buffer().nioBuffer(0, Math.toIntExact(bytes.size())));
    return Encodings.binary(indices, values, adjustment);
  }

  @Override
  public void clear() {
    ends.clear();
    bytes.clear();
  }

  @Override
  public void close() {
    ends.close();
    bytes.close();
  }
}
