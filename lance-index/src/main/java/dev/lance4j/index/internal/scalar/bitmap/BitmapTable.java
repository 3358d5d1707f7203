package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.LanceFileReader;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * An open file of keys and the rows of each: the keys are in memory, their rows are read when asked
 * for. Safe for use by many threads.
 */
final class BitmapTable<S extends RowSet<S>> implements AutoCloseable {
  private final LanceFileReader file;
  private final KeyDirectory keys;
  private final BitmapReader<S> bitmaps;

  private BitmapTable(LanceFileReader file, KeyDirectory keys, BitmapReader<S> bitmaps) {
    this.file = file;
    this.keys = keys;
    this.bitmaps = bitmaps;
  }

  /**
   * Reads the keys.
   *
   * @param file of the segment, closed with this table
   */
  static <S extends RowSet<S>> BitmapTable<S> read(
      SegmentFiles files,
      LanceFileReader file,
      Field keyField,
      RowDomain<S> domain,
      BufferAllocator allocator) {
    KeyDirectory keys = KeyDirectory.read(file, keyField, allocator);
    return new BitmapTable<>(file, keys, new BitmapReader<>(files, file, domain));
  }

  /** The rows of the null key. */
  S nulls(BufferAllocator allocator) {
    return bitmaps.rows(keys.nulls(), allocator);
  }

  /** The rows of a key. */
  S equalTo(ScalarValue key, BufferAllocator allocator) {
    return bitmaps.rows(keys.positions(key), allocator);
  }

  /** The rows of some keys together. */
  S in(List<ScalarValue> some, BufferAllocator allocator) {
    return bitmaps.rows(keys.positions(some), allocator);
  }

  /** The rows of the keys of a range together. */
  S within(ScalarQuery.Range range, BufferAllocator allocator) {
    return bitmaps.rows(keys.positions(range), allocator);
  }

  /** The number of keys in the file. */
  long size() {
    return file.rowCount();
  }

  long memoryBytes() {
    return file.metadataBytes() + keys.memoryBytes();
  }

  @Override
  public void close() {
    file.close();
  }
}
