package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.nio.ByteBuffer;

/** Values of the null type, of which nothing is stored. */
final class NullValues implements PageValues {
  @Override
  public void append(ArrayData rows, ByteBuffer validity, RowRanges ranges) {}

  @Override
  public long bytesOf(ArrayData rows, RowRanges ranges) {
    return 0;
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public ArrayEncoding encode(PageBuilder page) {
    return Encodings.allNulls();
  }

  @Override
  public void clear() {}

  @Override
  public void close() {}
}
