package dev.lance4j.format.internal.legacy;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Lists: a page of offsets into the items of the same batch. Never null. */
final class LegacyListColumn implements LegacyColumn {
  private final LegacyMetadata file;
  private final LegacyMetadata.Page[] pages;
  private final LegacyColumn items;
  private final int offsetWidth;

  LegacyListColumn(
      LegacyMetadata file, LegacyMetadata.Page[] pages, LegacyColumn items, boolean large) {
    this.file = file;
    this.pages = pages;
    this.items = items;
    this.offsetWidth = large ? 8 : 4;
  }

  @Override
  public FieldRead read(List<BatchRange> parts) {
    return new Read(parts);
  }

  private final class Read implements FieldRead {
    private final List<BatchRange> parts;
    private final List<RangeRequests.Slot> slots = new ArrayList<>();
    private FieldRead itemRead;

    Read(List<BatchRange> parts) {
      this.parts = parts;
    }

    @Override
    public boolean request(RangeRequests requests) {
      if (itemRead != null) {
        return itemRead.request(requests);
      }
      if (slots.isEmpty() && !parts.isEmpty()) {
        for (BatchRange part : parts) {
          LegacyMetadata.Page page = pages[part.batch()];
          if (part.end() >= page.length()) {
            throw file.corrupt("a page of list offsets is too short");
          }
          slots.add(
              requests.add(
                  page.position() + offsetWidth * part.start(), offsetWidth * (part.length() + 1)));
        }
        return true;
      }
      List<BatchRange> itemParts = new ArrayList<>(parts.size());
      for (int i = 0; i < parts.size(); i++) {
        long start = offset(i, 0);
        long end = offset(i, parts.get(i).length());
        if (start < 0 || end < start) {
          throw file.corrupt("the offsets of lists do not ascend");
        }
        if (end > start) {
          itemParts.add(new BatchRange(parts.get(i).batch(), start, end));
        }
      }
      itemRead = items.read(itemParts);
      return itemRead.request(requests);
    }

    private long offset(int part, long index) {
      ByteBuffer bytes = slots.get(part).bytes();
      int at = Math.toIntExact(offsetWidth * index);
      return offsetWidth == 4 ? bytes.getInt(at) : bytes.getLong(at);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      int length = BatchRange.total(parts);
      ArrayData child = itemRead.decode(allocator);
      ArrowBuf offsets = null;
      boolean complete = false;
      try {
        offsets = allocator.buffer((long) offsetWidth * (length + 1));
        fill(offsets);
        complete = true;
        return new ArrayData(length, 0, new ArrowBuf[] {null, offsets}, child);
      } finally {
        if (!complete) {
          child.close();
          if (offsets != null) {
            offsets.close();
          }
        }
      }
    }

    private void fill(ArrowBuf offsets) {
      long base = 0;
      int row = 0;
      setOffset(offsets, 0, 0);
      for (int i = 0; i < parts.size(); i++) {
        long start = offset(i, 0);
        long previous = start;
        for (int k = 1; k <= parts.get(i).length(); k++) {
          long end = offset(i, k);
          if (end < previous) {
            throw file.corrupt("the offsets of lists do not ascend");
          }
          previous = end;
          row++;
          setOffset(offsets, row, base + end - start);
        }
        base += previous - start;
      }
    }

    private void setOffset(ArrowBuf offsets, int index, long value) {
      if (offsetWidth == 4) {
        offsets.setInt(4L * index, Math.toIntExact(value));
      } else {
        offsets.setLong(8L * index, value);
      }
    }
  }
}
