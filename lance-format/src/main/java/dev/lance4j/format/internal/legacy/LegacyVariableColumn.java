package dev.lance4j.format.internal.legacy;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Strings and binary values: the page is a list of the absolute positions of their bytes. An empty
 * value of a nullable field is null.
 */
final class LegacyVariableColumn implements LegacyColumn {
  private final LegacyMetadata file;
  private final LegacyMetadata.Page[] pages;
  private final boolean nullable;
  private final int offsetWidth;

  LegacyVariableColumn(
      LegacyMetadata file, LegacyMetadata.Page[] pages, boolean nullable, boolean large) {
    this.file = file;
    this.pages = pages;
    this.nullable = nullable;
    this.offsetWidth = large ? 8 : 4;
  }

  @Override
  public FieldRead read(List<BatchRange> parts) {
    return new Read(parts);
  }

  private final class Read implements FieldRead {
    private final List<BatchRange> parts;
    private final List<RangeRequests.Slot> positions = new ArrayList<>();
    private final List<RangeRequests.Slot> bytes = new ArrayList<>();

    Read(List<BatchRange> parts) {
      this.parts = parts;
    }

    @Override
    public boolean request(RangeRequests requests) {
      if (parts.isEmpty() || !bytes.isEmpty()) {
        return false;
      }
      for (int i = 0; i < parts.size(); i++) {
        BatchRange part = parts.get(i);
        if (positions.size() == parts.size()) {
          ByteBuffer ends = positions.get(i).bytes();
          long first = ends.getLong(0);
          bytes.add(requests.add(first, ends.getLong((int) (8 * part.length())) - first));
        } else {
          LegacyMetadata.Page page = pages[part.batch()];
          if (part.end() > page.length()) {
            throw file.corrupt("a page of strings is too short");
          }
          positions.add(requests.add(page.position() + 8 * part.start(), 8 * part.length() + 8));
        }
      }
      return true;
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      int length = BatchRange.total(parts);
      long size = 0;
      for (RangeRequests.Slot slot : bytes) {
        size += slot.bytes().limit();
      }
      checkSize(size);
      ArrowBuf offsets = allocator.buffer((long) offsetWidth * (length + 1));
      ArrowBuf values = allocator.buffer(size);
      ArrowBuf validity = allocator.buffer((length + 7) / 8);
      boolean complete = false;
      try {
        validity.setZero(0, validity.capacity());
        int nulls = fill(offsets, values, validity);
        complete = true;
        return new ArrayData(length, nulls, new ArrowBuf[] {validity, offsets, values});
      } finally {
        if (!complete) {
          offsets.close();
          values.close();
          validity.close();
        }
      }
    }

    private int fill(ArrowBuf offsets, ArrowBuf values, ArrowBuf validity) {
      int row = 0;
      int nulls = 0;
      long written = 0;
      setOffset(offsets, 0, 0);
      for (int i = 0; i < parts.size(); i++) {
        ByteBuffer ends = positions.get(i).bytes();
        ByteBuffer content = bytes.get(i).bytes();
        values.setBytes(written, content, 0, content.limit());
        long first = ends.getLong(0);
        long previous = first;
        for (int k = 1; k <= parts.get(i).length(); k++) {
          long end = ends.getLong(8 * k);
          if (end < previous || end - first > content.limit()) {
            throw file.corrupt("the positions of strings do not ascend");
          }
          if (nullable && end == previous) {
            nulls++;
          } else {
            validity.setByte(row >> 3, validity.getByte(row >> 3) | (1 << (row & 7)));
          }
          row++;
          setOffset(offsets, row, written + end - first);
          previous = end;
        }
        written += content.limit();
      }
      return nulls;
    }

    private void checkSize(long size) {
      if (offsetWidth == 4 && size > Integer.MAX_VALUE) {
        throw file.corrupt("strings of " + size + " bytes do not fit in one batch");
      }
    }

    private void setOffset(ArrowBuf offsets, int index, long value) {
      if (offsetWidth == 4) {
        offsets.setInt(4L * index, (int) value);
      } else {
        offsets.setLong(8L * index, value);
      }
    }
  }
}
