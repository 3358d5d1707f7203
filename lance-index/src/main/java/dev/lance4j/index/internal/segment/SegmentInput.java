package dev.lance4j.index.internal.segment;

import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.sort.SortedRows;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.index.IndexProgress;
import dev.lance4j.rowid.RowDomain;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.roaringbitmap.RoaringBitmap;

/**
 * What goes into a new segment: rows of older segments, rows of the table, or both.
 *
 * @param field that is indexed
 * @param old segments whose rows are taken over
 * @param rows values and row numbers of the table in ascending order of the rows' addresses; stays
 *     the caller's
 * @param rowsSchema of those; the first field is that of the values
 * @param memory for rows that must be sorted
 * @param allocator for rows on their way
 * @param progress hears how far the work has come
 */
public record SegmentInput(
    LanceField field,
    List<Old> old,
    ArrayBatchReader.Source rows,
    Schema rowsSchema,
    SortedRows.Memory memory,
    BufferAllocator allocator,
    IndexProgress progress) {

  /**
   * A segment whose rows are taken over.
   *
   * @param files of the segment
   * @param rows says under which number each goes into the new segment
   * @param fragments whose rows are taken over, for segments that hold addresses of ranges
   */
  public record Old(SegmentFiles files, RowTranslation rows, RoaringBitmap fragments) {}

  /** What the numbers of the rows are. */
  public RowDomain<?> domain() {
    String numbers = rowsSchema.getFields().get(1).getName();
    return numbers.equals(IndexedRows.ROW_ID) ? RowDomain.STABLE_IDS : RowDomain.ADDRESSES;
  }
}
