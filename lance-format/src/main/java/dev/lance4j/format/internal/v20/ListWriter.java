package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes lists: a column of offsets, then the columns of the items. Items in the slots of null
 * lists are dropped. A page of offsets ends together with a page of items.
 */
final class ListWriter implements ColumnWriter {
  private final String path;
  private final boolean nullable;
  private final InputOffsets input;
  private final MarkedEnds ends;
  private final ColumnWriter items;
  private final PageLimits limits;
  private final BufferSink sink;
  private final ColumnMetadata.Builder column =
      ColumnMetadata.newBuilder().setEncoding(Encodings.values());
  private long rows;

  /**
   * @param wide whether the Arrow offsets have 64 bits
   * @param items closed with this
   */
  ListWriter(
      String path,
      boolean nullable,
      boolean wide,
      ColumnWriter items,
      BufferAllocator allocator,
      PageLimits limits,
      BufferSink sink) {
    this.path = path;
    this.nullable = nullable;
    this.input = new InputOffsets(path, wide);
    this.ends = new MarkedEnds(allocator);
    this.items = items;
    this.limits = limits;
    this.sink = sink;
  }

  @Override
  public void append(ArrayData array, ByteBuffer mask, RowRanges ranges) {
    ByteBuffer validity = Validity.of(array, mask, path);
    if (!nullable) {
      LeafWriter.checkNoNulls(path, array, mask, validity, ranges);
    }
    ArrayData child = array.child(0);
    long step = limits.rowsPerPage(ranges.rows(), ranges.rows() * Long.BYTES);
    for (long done = 0; done < ranges.rows(); done += step) {
      RowRanges part = ranges.select(done, step);
      RowSlots slots = input.slots(array, validity, part, child.length());
      ends.append(slots);
      items.append(child, null, slots.values());
      rows += part.rows();
      if (ends.bytes() > limits.pageBytes()) {
        flush(false);
      }
    }
  }

  @Override
  public void flush(boolean evenIfEmpty) {
    if (rows > 0 || (evenIfEmpty && column.getPagesCount() == 0)) {
      PageBuilder page = new PageBuilder();
      long adjustment = ends.total() + 1;
      int offsets = page.add(ends.encode(adjustment));
      ArrayEncoding encoding = Encodings.list(offsets, adjustment, ends.total());
      column.addPages(page.write(sink, rows, encoding));
      ends.clear();
      rows = 0;
      items.flush(true);
    }
  }

  @Override
  public void finish() {
    items.finish();
  }

  @Override
  public void addColumns(List<ColumnMetadata> columns) {
    columns.add(column.build());
    items.addColumns(columns);
  }

  @Override
  public void close() {
    ends.close();
    items.close();
  }
}
