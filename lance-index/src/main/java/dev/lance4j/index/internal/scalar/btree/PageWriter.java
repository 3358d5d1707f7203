package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.internal.segment.SegmentWriter;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes rows in the order of their values as pages, with their lookup. */
final class PageWriter {
  private final List<Field> columns;
  private final long pageRows;
  private final IndexProgress progress;
  private final SegmentWriter out;

  /**
   * @param columns of the pages: values and row numbers
   * @param pageRows the number of rows of each page but the last one
   */
  PageWriter(List<Field> columns, long pageRows, IndexProgress progress, SegmentWriter out) {
    this.columns = columns;
    this.pageRows = pageRows;
    this.progress = progress;
    this.out = out;
  }

  /** Writes both files. */
  void write(ArrayBatchReader.Source rows) {
    Field values = columns.get(0);
    try (LookupBuilder lookup = new LookupBuilder(values, pageRows, out.allocator())) {
      out.write(
          BTreeFiles.PAGES,
          new Schema(columns),
          file -> {
            for (ArrayBatch batch = rows.next(); batch != null; batch = rows.next()) {
              try (ArrayBatch each = batch) {
                lookup.add(each.arrays().get(0));
                file.write(each.arrays(), each.rows());
              }
              progress.advanced("writing pages", file.rowCount(), -1);
            }
          });
      out.write(
          BTreeFiles.LOOKUP,
          new Schema(LookupFile.fields(values)),
          file -> {
            lookup.write(file);
            file.addMetadata(LookupFile.BATCH_SIZE, Long.toUnsignedString(pageRows));
            file.addMetadata(LookupFile.RANGE_PARTITIONED, "false");
          });
    }
  }
}
