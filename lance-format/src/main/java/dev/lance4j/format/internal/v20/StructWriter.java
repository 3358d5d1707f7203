package dev.lance4j.format.internal.v20;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.BufferSink;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes a struct: a column with nothing but the number of rows, then the children's columns.
 * Version 2.0 cannot say that a struct is null, so its children become null instead.
 */
final class StructWriter implements ColumnWriter {
  private final String path;
  private final boolean nullable;
  private final List<ColumnWriter> children;
  private final BufferSink sink;
  private final ColumnMetadata.Builder column =
      ColumnMetadata.newBuilder().setEncoding(Encodings.values());
  private long rows;

  /**
   * @param children closed with this
   */
  StructWriter(String path, boolean nullable, List<ColumnWriter> children, BufferSink sink) {
    this.path = path;
    this.nullable = nullable;
    this.children = children;
    this.sink = sink;
  }

  @Override
  public void append(ArrayData array, ByteBuffer mask, RowRanges ranges) {
    ByteBuffer valid = Validity.of(array, mask, path);
    if (!nullable) {
      LeafWriter.checkNoNulls(path, array, null, Validity.of(array, null, path), ranges);
    }
    for (int i = 0; i < children.size(); i++) {
      ArrayData child = array.child(i);
      if (child.length() < ranges.limit()) {
        throw new InvalidInputException(
            String.format(
                "Child %d of field '%s' has %d values where its parent needs %d; set the value count"
                    + " of every child vector",
                i, path, child.length(), ranges.limit()));
      }
      children.get(i).append(child, valid, ranges);
    }
    rows += ranges.rows();
  }

  @Override
  public void flush(boolean evenIfEmpty) {
    children.forEach(child -> child.flush(evenIfEmpty));
  }

  @Override
  public void finish() {
    children.forEach(ColumnWriter::finish);
    column.addPages(new PageBuilder().write(sink, rows, Encodings.structHeader()));
  }

  @Override
  public void addColumns(List<ColumnMetadata> columns) {
    columns.add(column.build());
    children.forEach(child -> child.addColumns(columns));
  }

  @Override
  public void close() {
    children.forEach(ColumnWriter::close);
  }
}
