package dev.lance4j.format.internal.v21;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.item.ItemSink;
import dev.lance4j.format.internal.v21.layout.Guard;
import dev.lance4j.format.internal.v21.layout.LeafSink;
import dev.lance4j.format.internal.v21.layout.PageRead;
import dev.lance4j.format.internal.v21.level.LevelEntries;
import dev.lance4j.format.internal.v21.level.Unraveler;
import dev.lance4j.format.internal.v21.level.Validity;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** A read of some rows of one column. */
final class LeafRead {
  private final LeafColumn column;
  private final RowRanges rows;
  private final List<Part> parts;
  private final List<Part> waiting;

  /** The part of the read that is in one page. */
  record Part(PageInfo page, PageRead read) {}

  /**
   * @param rows of the column
   * @param parts the pages with the rows, in order
   */
  LeafRead(LeafColumn column, RowRanges rows, List<Part> parts) {
    this.column = column;
    this.rows = rows;
    this.parts = parts;
    this.waiting = new ArrayList<>(parts);
  }

  LeafColumn column() {
    return column;
  }

  /** Asks for the next bytes and returns whether there are any to ask for. */
  boolean request(RangeRequests requests) {
    waiting.removeIf(part -> !Guard.run(part.page()::corrupt, () -> part.read().request(requests)));
    return !waiting.isEmpty();
  }

  /**
   * Decodes the items.
   *
   * @param outerItems the number of item layers between the leaf and the next list outside
   */
  Assembled decode(int outerItems, BufferAllocator allocator) {
    if (rows.rows() > Integer.MAX_VALUE) {
      throw new InvalidInputException(
          "One batch of " + rows.rows() + " rows is too large; read fewer rows at once");
    }
    int expected = column.shape().listCount() == 0 ? (int) rows.rows() : 0;
    LevelEntries levels = new LevelEntries(column.shape(), expected);
    try (ItemSink items = ItemSink.of(column.type(), allocator, expected)) {
      LeafSink sink = new LeafSink(items, levels);
      for (Part part : parts) {
        Guard.run(
            part.page()::corrupt,
            () -> {
              part.read().decode(sink);
              return null;
            });
      }
      Unraveler unraveler = new Unraveler(levels, allocator);
      Validity validity =
          Guard.run(column::corrupt, () -> unraveler.items(outerItems, items.count()));
      return new Assembled(finish(items, validity), unraveler);
    }
  }

  private static ArrayData finish(ItemSink items, Validity validity) {
    boolean complete = false;
    try {
      ArrayData data = items.finish(validity.bits(), validity.nulls());
      complete = true;
      return data;
    } finally {
      if (!complete) {
        validity.close();
      }
    }
  }
}
