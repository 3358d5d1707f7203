package dev.lance4j.format.internal.v20;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.proto.file.v2.Encoding;
import java.nio.ByteBuffer;
import java.util.List;

/** Writes a field that has one column. */
final class LeafWriter implements ColumnWriter {
  private final String path;
  private final boolean nullable;
  private final PageValues values;
  private final PageLimits limits;
  private final BufferSink sink;
  private final ColumnMetadata.Builder column;
  private long rows;

  /**
   * @param values of the field; closed with this
   * @param encoding of the column
   */
  LeafWriter(
      String path,
      boolean nullable,
      PageValues values,
      Encoding encoding,
      PageLimits limits,
      BufferSink sink) {
    this.path = path;
    this.nullable = nullable;
    this.values = values;
    this.limits = limits;
    this.sink = sink;
    this.column = ColumnMetadata.newBuilder().setEncoding(encoding);
  }

  @Override
  public void append(ArrayData array, ByteBuffer mask, RowRanges ranges) {
    ByteBuffer validity = Validity.of(array, mask, path);
    if (!nullable) {
      checkNoNulls(path, array, mask, validity, ranges);
    }
    if (rows > 0 && !values.fits(array)) {
      flush(false);
    }
    long step = limits.rowsPerPage(ranges.rows(), values.bytesOf(array, ranges));
    for (long done = 0; done < ranges.rows(); done += step) {
      RowRanges part = ranges.select(done, step);
      values.append(array, validity, part);
      rows += part.rows();
      if (values.bytes() > limits.pageBytes()) {
        flush(false);
      }
    }
  }

  /**
   * Checks that a field that is not nullable has no nulls.
   *
   * @throws InvalidInputException if it has, be it only because of a null struct around it
   */
  static void checkNoNulls(
      String path, ArrayData array, ByteBuffer mask, ByteBuffer validity, RowRanges ranges) {
    if (Validity.nulls(validity, ranges) == 0) {
      return;
    }
    throw new InvalidInputException(
        array.nullCount() == 0 && mask != null
            ? "The field '"
                + path
                + "' is marked non-null but lies in a null struct, and file version 2.0 stores a"
                + " null struct as null children; make the field nullable or write version 2.1"
            : "The field '"
                + path
                + "' contained null values even though the field is marked non-null in the schema");
  }

  @Override
  public void flush(boolean evenIfEmpty) {
    if (rows > 0 || (evenIfEmpty && column.getPagesCount() == 0)) {
      PageBuilder page = new PageBuilder();
      ArrayEncoding encoding = values.encode(page);
      column.addPages(page.write(sink, rows, encoding));
      values.clear();
      rows = 0;
    }
  }

  @Override
  public void finish() {}

  @Override
  public void addColumns(List<ColumnMetadata> columns) {
    columns.add(column.build());
  }

  @Override
  public void close() {
    values.close();
  }
}
