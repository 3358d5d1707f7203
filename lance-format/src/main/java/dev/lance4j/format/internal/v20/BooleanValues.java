package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** Booleans, one bit each. */
final class BooleanValues implements PageValues {
  private final String path;
  private final BitValues values;

  BooleanValues(String path, BufferAllocator allocator) {
    this.path = path;
    this.values = new BitValues(allocator);
  }

  @Override
  public void append(ArrayData rows, ByteBuffer validity, RowRanges ranges) {
    int bytes = (int) Bitmaps.bytes(ranges.limit());
    FixedValues.checkSize(path, rows.buffer(1), bytes);
    if (bytes > 0) {
      values.append(rows.buffer(1).nioBuffer(0, bytes), ranges);
    }
  }

  @Override
  public long bytesOf(ArrayData rows, RowRanges ranges) {
    return Bitmaps.bytes(ranges.rows());
  }

  @Override
  public long bytes() {
    return Bitmaps.bytes(values.count());
  }

  @Override
  public ArrayEncoding encode(PageBuilder page) {
    return Encodings.flat(1, page.add(values.bytes()));
  }

  @Override
  public void clear() {
    values.clear();
  }

  @Override
  public void close() {
    values.close();
  }
}
