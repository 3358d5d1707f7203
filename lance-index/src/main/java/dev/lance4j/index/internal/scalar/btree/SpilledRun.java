package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * A run in a file: stretches of the number of rows, negative if they have no value, the numbers of
 * the rows and, for those with a value, their keys.
 */
final class SpilledRun extends NumberRun {
  private static final int STRETCH_ROWS = 8192;

  private final ObjectReader file;
  private long position;

  /**
   * @param file closed with this
   */
  SpilledRun(ObjectReader file) {
    this.file = file;
    this.keys = new long[STRETCH_ROWS];
    this.rows = new long[STRETCH_ROWS];
  }

  /** Writes all rows of a run that has not begun. */
  static void write(MergedNumbers run, ObjectWriter file) {
    ByteBuffer bytes =
        ByteBuffer.allocate((2 * STRETCH_ROWS + 1) * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long[] keys = new long[STRETCH_ROWS];
    long[] rows = new long[STRETCH_ROWS];
    for (int count = run.next(keys, rows); count > 0; count = run.next(keys, rows)) {
      bytes.clear();
      LongBuffer longs = bytes.asLongBuffer();
      longs.put(run.isNull() ? -count : count).put(rows, 0, count);
      if (!run.isNull()) {
        longs.put(keys, 0, count);
      }
      file.write(bytes.limit(longs.position() * Long.BYTES));
    }
  }

  @Override
  boolean load() {
    at = 0;
    end = 0;
    if (position == file.size()) {
      return false;
    }
    long count = longs(1).get();
    isNull = count < 0;
    end = (int) Math.abs(count);
    longs(end).get(rows, 0, end);
    if (!isNull) {
      longs(end).get(keys, 0, end);
    }
    return true;
  }

  private LongBuffer longs(int count) {
    int size = count * Long.BYTES;
    ByteBuffer bytes = file.read(position, size);
    position += size;
    return bytes.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
  }

  @Override
  public void close() {
    file.close();
  }
}
