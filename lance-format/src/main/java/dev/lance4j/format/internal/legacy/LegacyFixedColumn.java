package dev.lance4j.format.internal.legacy;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.FieldRead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Values of one width, back to back, or fixed-size lists of them. Never null. */
final class LegacyFixedColumn implements LegacyColumn {
  private final LegacyMetadata file;
  private final LegacyMetadata.Page[] pages;
  private final Field field;
  private final long bitsPerRow;

  LegacyFixedColumn(LegacyMetadata file, LegacyMetadata.Page[] pages, Field field) {
    this.file = file;
    this.pages = pages;
    this.field = field;
    this.bitsPerRow = bitsPerRow(field);
  }

  private static long bitsPerRow(Field field) {
    ArrayLayout layout = ArrayLayout.of(field);
    return layout.kind() == ArrayLayout.Kind.FIXED_SIZE_LIST
        ? Math.multiplyExact(layout.bits(), bitsPerRow(field.getChildren().get(0)))
        : layout.bits();
  }

  @Override
  public FieldRead read(List<BatchRange> parts) {
    return new Read(parts);
  }

  private final class Read implements FieldRead {
    private final List<BatchRange> parts;
    private final List<RangeRequests.Slot> slots = new ArrayList<>();

    Read(List<BatchRange> parts) {
      this.parts = parts;
    }

    @Override
    public boolean request(RangeRequests requests) {
      if (!slots.isEmpty() || parts.isEmpty()) {
        return false;
      }
      for (BatchRange part : parts) {
        LegacyMetadata.Page page = pages[part.batch()];
        if (part.end() > page.length()) {
          throw file.corrupt("a page of field '" + field.getName() + "' is too short");
        }
        long first = Math.multiplyExact(part.start(), bitsPerRow) / 8;
        long end = (Math.multiplyExact(part.end(), bitsPerRow) + 7) / 8;
        slots.add(requests.add(page.position() + first, end - first));
      }
      return true;
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      int length = BatchRange.total(parts);
      ArrowBuf values = allocator.buffer((Math.multiplyExact(length, bitsPerRow) + 7) / 8);
      long bit = 0;
      for (int i = 0; i < parts.size(); i++) {
        ByteBuffer bytes = slots.get(i).bytes();
        long count = parts.get(i).length() * bitsPerRow;
        int skip = (int) (parts.get(i).start() * bitsPerRow % 8);
        if (bitsPerRow % 8 == 0) {
          values.setBytes(bit / 8, bytes, 0, (int) (count / 8));
        } else {
          copyBits(bytes, skip, count, values, bit);
        }
        bit += count;
      }
      values.writerIndex((bit + 7) / 8);
      return wrap(field, length, values);
    }

    private static void copyBits(
        ByteBuffer from, int skip, long count, ArrowBuf to, long firstBit) {
      for (long i = 0; i < count; i++) {
        int source = (int) (skip + i);
        int bit = from.get(source >> 3) >> (source & 7) & 1;
        long target = firstBit + i;
        int old = (target & 7) == 0 ? 0 : to.getByte(target >> 3);
        to.setByte(target >> 3, old | (bit << (target & 7)));
      }
    }

    private static ArrayData wrap(Field field, int length, ArrowBuf values) {
      ArrayLayout layout = ArrayLayout.of(field);
      if (layout.kind() == ArrayLayout.Kind.FIXED_SIZE_LIST) {
        int items = Math.multiplyExact(length, layout.bits());
        ArrayData child = wrap(field.getChildren().get(0), items, values);
        return new ArrayData(length, 0, new ArrowBuf[] {null}, child);
      }
      return new ArrayData(length, 0, new ArrowBuf[] {null, values});
    }
  }
}
