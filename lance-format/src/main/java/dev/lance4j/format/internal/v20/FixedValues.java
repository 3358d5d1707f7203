package dev.lance4j.format.internal.v20;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Values of whole bytes, written as they are, whatever lies in the slots of nulls. */
final class FixedValues implements PageValues {
  private final String path;
  private final int width;
  private final GrowableBuffer values;

  /**
   * @param width of a value in bytes
   */
  FixedValues(String path, int width, BufferAllocator allocator) {
    this.path = path;
    this.width = width;
    this.values = new GrowableBuffer(allocator, 0);
  }

  @Override
  public void append(ArrayData rows, ByteBuffer validity, RowRanges ranges) {
    ArrowBuf buffer = rows.buffer(1);
    checkSize(path, buffer, ranges.limit() * width);
    for (int i = 0; i < ranges.size(); i++) {
      long length = (ranges.end(i) - ranges.start(i)) * width;
      values.append(buffer, ranges.start(i) * width, length);
    }
  }

  /** Checks that a buffer of values is as long as the number of values demands. */
  static void checkSize(String path, ArrowBuf buffer, long bytes) {
    if (bytes > 0 && (buffer == null || buffer.capacity() < bytes)) {
      throw new InvalidInputException(
          "Field '"
              + path
              + "' has a buffer that is shorter than its "
              + bytes
              + " bytes of values");
    }
  }

  @Override
  public long bytesOf(ArrayData rows, RowRanges ranges) {
    return ranges.rows() * width;
  }

  @Override
  public long bytes() {
    return values.size();
  }

  @Override
  public ArrayEncoding encode(PageBuilder page) {
    ByteBuffer bytes = values.buffer().nioBuffer(0, Math.toIntExact(values.size()));
    return Encodings.flat((long) width * Byte.SIZE, page.add(bytes));
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
