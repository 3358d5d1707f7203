package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** Where the keys and rows of a new segment come from. */
final class BitmapSources {
  private BitmapSources() {}

  /** The older segments, in a list that others can be added to. */
  static <S extends RowSet<S>> List<ArrayBatchReader.Source> old(
      SegmentInput input, Field valueField, RowDomain<S> domain) {
    List<ArrayBatchReader.Source> sources = new ArrayList<>();
    for (SegmentInput.Old segment : input.old()) {
      sources.add(new StoredBitmaps<>(segment, valueField, domain, input.allocator()));
    }
    return sources;
  }

  /**
   * Rows by value.
   *
   * @param rows values and numbers of rows; stays the caller's
   */
  static <S extends RowSet<S>> ArrayBatchReader.Source grouped(
      SegmentInput input, ArrayBatchReader.Source rows, Field valueField, RowDomain<S> domain) {
    long memory = half(input.memory()).bytes();
    return new GroupedRows<>(rows, valueField, domain, memory, input.allocator());
  }

  /** The memory for grouping rows, or for sorting the groups: both happen at once. */
  static SortedRows.Memory half(SortedRows.Memory memory) {
    return new SortedRows.Memory(Math.max(1, memory.bytes() / 2), memory.spillFolder());
  }
}
