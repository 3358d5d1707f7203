package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The bytes of blobs, each in a buffer of its own that a descriptor names by position and size. An
 * empty blob has both 0, a null has position 1 and size 0.
 *
 * @param wide whether the Arrow offsets have 64 bits
 */
record BlobArray(PageInfo page, FixedWidthArray descriptors, boolean wide) implements PageArray {
  /** The bytes of a descriptor. */
  static final int DESCRIPTOR = 2 * Long.BYTES;

  /** With size 0, the position that says null. */
  static final long NULL_POSITION = 1;

  @Override
  public FieldRead read(RowRanges rows) {
    return new Read(ReadLimits.count(rows.rows()), descriptors.read(rows));
  }

  private final class Read implements FieldRead {
    private final int count;
    private final FixedWidthRead descriptorsRead;
    private RangeRequests.Slot[] blobs;
    private RowSlots slots;

    Read(int count, FixedWidthRead descriptorsRead) {
      this.count = count;
      this.descriptorsRead = descriptorsRead;
    }

    @Override
    public boolean request(RangeRequests requests) {
      if (blobs != null) {
        return false;
      }
      return descriptorsRead.request(requests) || requestBlobs(requests);
    }

    private boolean requestBlobs(RangeRequests requests) {
      ByteBuffer bytes = descriptorsRead.bytes();
      int[] lengths = new int[count];
      int nulls = 0;
      long total = 0;
      blobs = new RangeRequests.Slot[count];
      for (int i = 0; i < count; i++) {
        long position = bytes.getLong(i * DESCRIPTOR);
        long size = bytes.getLong(i * DESCRIPTOR + Long.BYTES);
        boolean isNull = position == NULL_POSITION && size == 0;
        blobs[i] = requests.add(position, size);
        lengths[i] = isNull ? -1 : (int) size;
        nulls += isNull ? 1 : 0;
        total += size;
        if (total > requests.fileSize()) {
          throw page.corrupt("blobs that are together larger than the file");
        }
      }
      slots = new RowSlots(new long[count], lengths, nulls);
      return total > 0;
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
        long total = 0;
        for (RangeRequests.Slot blob : blobs) {
          total += blob.bytes().limit();
        }
        ArrowBuf validity = slots.validity(owned);
        ArrowBuf offsets = slots.offsets(wide, owned);
        ArrowBuf values = owned.allocate(total);
        long at = 0;
        for (RangeRequests.Slot blob : blobs) {
          ByteBuffer bytes = blob.bytes();
          if (bytes.limit() > 0) {
            values.setBytes(at, bytes, 0, bytes.limit());
          }
          at += bytes.limit();
        }
        ArrowBuf[] buffers = {validity, offsets, values};
        return owned.release(new ArrayData(count, slots.nulls(), buffers));
      }
    }
  }
}
