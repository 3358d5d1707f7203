package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** Values with a bit each for whether they are valid, unless all or none are. */
final class NullableValues implements PageValues {
  private final BitValues validity;
  private final PageValues values;

  /**
   * @param values closed with this
   */
  NullableValues(PageValues values, BufferAllocator allocator) {
    this.values = values;
    this.validity = new BitValues(allocator);
  }

  @Override
  public void append(ArrayData rows, ByteBuffer valid, RowRanges ranges) {
    validity.append(valid, ranges);
    values.append(rows, valid, ranges);
  }

  @Override
  public long bytesOf(ArrayData rows, RowRanges ranges) {
    return values.bytesOf(rows, ranges) + Bitmaps.bytes(ranges.rows());
  }

  @Override
  public long bytes() {
    return values.bytes() + (validity.zeros() == 0 ? 0 : Bitmaps.bytes(validity.count()));
  }

  @Override
  public ArrayEncoding encode(PageBuilder page) {
    if (validity.zeros() == validity.count()) {
      return Encodings.allNulls();
    }
    if (validity.zeros() == 0) {
      return Encodings.noNulls(values.encode(page));
    }
    ArrayEncoding bits = Encodings.flat(1, page.add(validity.bytes()));
    return Encodings.someNulls(bits, values.encode(page));
  }

  @Override
  public void clear() {
    validity.clear();
    values.clear();
  }

  @Override
  public void close() {
    validity.close();
    values.close();
  }
}
