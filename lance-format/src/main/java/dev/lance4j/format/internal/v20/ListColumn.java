package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.FieldRead;
import dev.lance4j.format.internal.page.FieldReader;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Lists: a column of offsets, and the items in columns after it. */
final class ListColumn implements FieldReader {
  /**
   * A page of offsets.
   *
   * @param ends of its lists; null when it has none
   * @param firstItem the number of the page's first item in the items' column
   */
  private record Page(PageInfo info, EndOffsets ends, long firstItem) {}

  private final ColumnInfo column;
  private final List<Page> pages;
  private final FieldReader items;
  private final boolean wide;

  /**
   * @param column of the offsets
   * @param items reads the items, numbered through all pages
   * @param wide whether the Arrow offsets have 64 bits
   */
  ListColumn(ColumnInfo column, FieldReader items, boolean wide) {
    this.column = column;
    this.items = items;
    this.wide = wide;
    this.pages = new ArrayList<>(column.pages().size());
    long firstItem = 0;
    for (PageInfo info : column.pages()) {
      ArrayEncoding encoding = PageArrays.encoding(info);
      if (!encoding.hasList() && info.rows() > 0) {
        throw info.corrupt("offsets of lists in another encoding");
      }
      EndOffsets ends =
          encoding.hasList() && info.rows() > 0
              ? Guard.call(info, () -> open(info, encoding))
              : null;
      pages.add(new Page(info, ends, firstItem));
      firstItem = addItems(info, firstItem, encoding.getList().getNumItems());
    }
  }

  private static EndOffsets open(PageInfo page, ArrayEncoding encoding) {
    return new PageArrays(page).listEnds(encoding.getList(), page.rows());
  }

  private static long addItems(PageInfo page, long before, long count) {
    if (count < 0 || before > Long.MAX_VALUE - count) {
      throw page.corrupt(Long.toUnsignedString(count) + " items");
    }
    return before + count;
  }

  @Override
  public FieldRead read(RowRanges rows) {
    List<Part> parts = new ArrayList<>();
    for (PageSplit split : PageSplit.of(column, rows)) {
      Page page = pages.get(split.page());
      parts.add(new Part(page, split.rows()));
    }
    return new Read(parts);
  }

  /** The offsets of the rows that fall into one page. */
  private static final class Part {
    private final Page page;
    private final RowRanges rows;
    private final FixedWidthRead read;
    private RowSlots slots;

    Part(Page page, RowRanges rows) {
      this.page = page;
      this.rows = rows;
      this.read = Guard.call(page.info(), () -> page.ends().read(rows));
    }

    boolean request(RangeRequests requests) {
      return read.request(requests);
    }

    void addItems(RangeList ranges) {
      slots = Guard.call(page.info(), () -> page.ends().slots(rows, read));
      Guard.call(page.info(), () -> ranges.addAll(slots.values(), page.firstItem()));
    }
  }

  private final class Read implements FieldRead {
    private final List<Part> parts;
    private FieldRead itemsRead;

    Read(List<Part> parts) {
      this.parts = parts;
    }

    @Override
    public boolean request(RangeRequests requests) {
      if (itemsRead != null) {
        return itemsRead.request(requests);
      }
      boolean asked = false;
      for (Part part : parts) {
        asked |= part.request(requests);
      }
      if (asked) {
        return true;
      }
      RangeList ranges = new RangeList();
      for (Part part : parts) {
        part.addItems(ranges);
      }
      itemsRead = items.read(ranges.toRanges());
      return itemsRead.request(requests);
    }

    @Override
    public ArrayData decode(BufferAllocator allocator) {
      RowSlots slots = RowSlots.concat(parts.stream().map(part -> part.slots).toList());
      try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
        ArrowBuf validity = slots.validity(owned);
        ArrowBuf offsets = slots.offsets(wide, owned);
        ArrayData child = owned.own(itemsRead.decode(allocator));
        ArrowBuf[] buffers = {validity, offsets};
        return owned.release(new ArrayData(slots.count(), slots.nulls(), buffers, child));
      }
    }
  }
}
