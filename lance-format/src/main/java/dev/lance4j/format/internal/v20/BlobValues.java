package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Blobs: each is written at once as a buffer of its own, and its position and size wait for a page;
 * see {@link BlobArray} for the stored form.
 */
final class BlobValues implements PageValues {
  private final InputOffsets input;
  private final BufferSink sink;
  private final GrowableBuffer descriptors;

  BlobValues(String path, BufferSink sink, BufferAllocator allocator) {
    this.input = new InputOffsets(path, true);
    this.sink = sink;
    this.descriptors = new GrowableBuffer(allocator, 0);
  }

  @Override
  public void append(ArrayData rows, ByteBuffer validity, RowRanges ranges) {
    ArrowBuf blobs = rows.buffer(2);
    RowSlots slots = input.slots(rows, validity, ranges, blobs == null ? 0 : blobs.capacity());
    long at = descriptors.size();
    int length = Math.multiplyExact(slots.count(), BlobArray.DESCRIPTOR);
    descriptors.grow(length);
    ByteBuffer out = descriptors.buffer().nioBuffer(at, length).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < slots.count(); i++) {
      int size = Math.max(0, slots.length(i));
      long position = 0;
      if (slots.isNull(i)) {
        position = BlobArray.NULL_POSITION;
      } else if (size > 0) {
        position = sink.write(blobs.nioBuffer(slots.start(i), size));
      }
      out.putLong(position).putLong(size);
    }
  }

  @Override
  public long bytesOf(ArrayData rows, RowRanges ranges) {
    return ranges.rows() * BlobArray.DESCRIPTOR;
  }

  @Override
  public long bytes() {
    return descriptors.size();
  }

  @Override
  public ArrayEncoding encode(PageBuilder page) {
    page.add(descriptors.buffer().nioBuffer(0, Math.toIntExact(descriptors.size())));
    ArrayEncoding number = Encodings.noNulls(Encodings.flat(Long.SIZE, 0));
    return Encodings.packedStruct(List.of(number, number));
  }

  @Override
  public void clear() {
    descriptors.clear();
  }

  @Override
  public void close() {
    descriptors.close();
  }
}
