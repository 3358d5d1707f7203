package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileScan;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.index.internal.segment.IndexFileSchema;
import dev.lance4j.index.internal.segment.SegmentFiles;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** The file of keys and of the rows of each, one key a row, in any order. */
final class BitmapFile {
  static final String NAME = "bitmap_page_lookup.lance";
  static final String KEYS = "keys";
  static final String BITMAPS = "bitmaps";
  static final String STATISTICS = "lance:index_stats";

  private static final long BATCH_BYTES = 32L << 20;
  private static final int MAX_BATCH_ROWS = 2048;

  private BitmapFile() {}

  /** The field of the keys of values of a field. */
  static Field keyField(Field values) {
    return new Field(KEYS, new FieldType(true, values.getType(), null), null);
  }

  /** The schema of the file. */
  static Schema schema(Field values) {
    return new Schema(
        List.of(keyField(values), Field.nullable(BITMAPS, ArrowType.Binary.INSTANCE)));
  }

  /**
   * Opens the file of a segment.
   *
   * @throws CorruptFileException if its columns are not those of the file
   */
  static LanceFileReader open(SegmentFiles files, Field values) {
    LanceFileReader file = files.open(NAME);
    boolean complete = false;
    try {
      IndexFileSchema.check(file, schema(values), "bitmaps of an index");
      if (file.rowCount() > Integer.MAX_VALUE) {
        throw new CorruptFileException(
            file.path(), -1, "the index has " + file.rowCount() + " keys, which is too many");
      }
      complete = true;
      return file;
    } finally {
      if (!complete) {
        file.close();
      }
    }
  }

  /** Reads columns in batches that take little memory if the bitmaps are of similar size. */
  static FileScan scan(LanceFileReader file, String... columns) {
    long keyBytes = Math.max(1, file.size() / Math.max(1, file.rowCount()));
    long rows = Math.max(1, Math.min(MAX_BATCH_ROWS, BATCH_BYTES / keyBytes));
    return file.scan().select(columns).batchSize((int) rows);
  }
}
