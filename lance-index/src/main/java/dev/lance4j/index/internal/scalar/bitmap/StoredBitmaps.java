package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.FileScan;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.ValueKeys;
import dev.lance4j.index.internal.segment.FileBatches;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The keys of a segment and their rows, under the numbers that these get in a new segment; keys
 * without such rows are left out. For use by one thread.
 */
final class StoredBitmaps<S extends RowSet<S>> implements ArrayBatchReader.Source {
  private final SegmentFiles files;
  private final Field valueField;
  private final RowTranslation translation;
  private final BufferAllocator allocator;
  private final StoredRows<S> rows;
  private final ValueKeys keys;
  private final KeyedBitmaps out;
  private Open open;

  StoredBitmaps(
      SegmentInput.Old segment, Field valueField, RowDomain<S> domain, BufferAllocator allocator) {
    this.files = segment.files();
    this.translation = segment.rows();
    this.valueField = valueField;
    this.allocator = allocator;
    this.rows = new StoredRows<>(domain, files.path(BitmapFile.NAME));
    this.keys = ValueKeys.of(valueField);
    this.out = new KeyedBitmaps(KeyedBitmaps.largeSchema(valueField), allocator);
  }

  @Override
  public ArrayBatch next() {
    open = open == null ? Open.of(files, valueField, allocator) : open;
    while (out.size() == 0) {
      try (ArrayBatch batch = open.batches().next()) {
        if (batch == null) {
          return null;
        }
        add(batch.arrays().get(0), batch.arrays().get(1), batch.rows());
      }
    }
    return out.take();
  }

  private void add(ArrayData keyArray, ArrayData bitmaps, int count) {
    for (int i = 0; i < count; i++) {
      S taken = rows.translate(rows.parse(bitmaps, i), translation);
      if (!taken.isEmpty()) {
        out.add(keys.isNull(keyArray, i) ? null : keys.bytes(keyArray, i), taken.toBytes());
      }
    }
  }

  private record Open(LanceFileReader file, FileBatches batches) implements AutoCloseable {
    static Open of(SegmentFiles files, Field valueField, BufferAllocator allocator) {
      LanceFileReader file = BitmapFile.open(files, valueField);
      boolean complete = false;
      try {
        FileScan scan = BitmapFile.scan(file, BitmapFile.KEYS, BitmapFile.BITMAPS);
        Open open = new Open(file, new FileBatches(file, scan, allocator));
        complete = true;
        return open;
      } finally {
        if (!complete) {
          file.close();
        }
      }
    }

    @Override
    public void close() {
      try (file) {
        batches.close();
      }
    }
  }

  @Override
  public void close() {
    if (open != null) {
      open.close();
    }
  }
}
