package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.RowGather;
import dev.lance4j.index.internal.segment.RowTranslation;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** The rows of a file of pages in order, under new numbers. For use by one thread. */
final class StoredRows implements ArrayBatchReader.Source {
  private final PageFile file;
  private final RowTranslation translation;
  private final List<Field> columns;
  private final BufferAllocator allocator;
  private final boolean keepsAll;
  private Keys previous;
  private long done;

  /**
   * @param file stays the caller's
   */
  StoredRows(
      PageFile file, RowTranslation translation, List<Field> columns, BufferAllocator allocator) {
    this.file = file;
    this.translation = translation;
    this.keepsAll = translation.equals(RowTranslation.KEEP);
    this.columns = columns;
    this.allocator = allocator;
  }

  @Override
  public ArrayBatch next() {
    while (done < file.bounds().rows()) {
      ArrayBatch batch = read();
      if (keepsAll) {
        return batch;
      }
      try (batch) {
        ArrayBatch kept = translated(batch);
        if (kept != null) {
          return kept;
        }
      }
    }
    return null;
  }

  private ArrayBatch read() {
    long from = done;
    done = Math.min(file.bounds().rows(), from + BTreeBuild.BATCH_ROWS);
    ArrayBatch batch = file.read(from, done, allocator);
    boolean complete = false;
    try {
      requireOrder(batch.arrays().get(0));
      complete = true;
      return batch;
    } finally {
      if (!complete) {
        batch.close();
      }
    }
  }

  /** A copy of the rows that go into the new segment; null if there are none. */
  private ArrayBatch translated(ArrayBatch batch) {
    long[] ids = file.ids(batch.arrays().get(1));
    int[] kept = new int[ids.length];
    int count = 0;
    for (int row = 0; row < ids.length; row++) {
      long id = translation.translate(ids[row]);
      if (id != RowTranslation.GONE) {
        kept[count] = row;
        ids[count++] = id;
      }
    }
    if (count == 0) {
      return null;
    }
    ArrayBatch rows = RowGather.gather(columns, batch, Arrays.copyOf(kept, count), allocator);
    ArrowBuf numbers = rows.arrays().get(1).buffer(1);
    for (int row = 0; row < count; row++) {
      numbers.setLong((long) row * Long.BYTES, ids[row]);
    }
    return rows;
  }

  /** Rows that are not in order would be merged into a file in which they are not found. */
  private void requireOrder(ArrayData values) {
    int nulls = values.nullCount();
    for (int row = 0; row < nulls; row++) {
      if (values.isValid(row)) {
        throw file.corrupt("nulls come after values");
      }
    }
    Keys keys = file.keyType().keys(values, nulls, values.length());
    boolean follows =
        previous == null || (nulls == 0 && previous.compare(previous.size() - 1, keys, 0) <= 0);
    if (!follows || !keys.ascend()) {
      throw file.corrupt("the values are not in order");
    }
    previous = keys.size() > 0 ? keys : previous;
  }

  @Override
  public void close() {}
}
