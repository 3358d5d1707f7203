package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.nio.ByteBuffer;
import java.util.List;

/** Writes the columns of one field, nested or not. */
interface ColumnWriter extends AutoCloseable {
  /**
   * Takes rows.
   *
   * @param rows borrowed
   * @param mask a bit for each row of {@code rows}, 0 where it lies in a null struct and must
   *     become null; null when there are none
   * @param ranges of the rows to take
   */
  void append(ArrayData rows, ByteBuffer mask, RowRanges ranges);

  /**
   * Writes the rows that wait.
   *
   * @param evenIfEmpty whether a column without any page gets one, be it empty
   */
  void flush(boolean evenIfEmpty);

  /** Writes what can only be written at the end, after a last {@link #flush}. */
  void finish();

  /** Adds the metadata of the columns, depth first. */
  void addColumns(List<ColumnMetadata> columns);

  /** Frees memory. */
  @Override
  void close();
}
