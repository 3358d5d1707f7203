package dev.lance4j.benchmarks;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of the benchmarks of indices: keys from 0 on in a mixed order, and categories from 0 to
 * 99. A row is a function of its position.
 */
final class IndexRows {
  static final String KEY = "key";
  static final String CATEGORY = "category";
  static final int CATEGORIES = 100;
  static final Library.Contents CONTENTS =
      new Library.Contents(List.of(KEY, CATEGORY), IndexRows::checksum);

  private static final int BATCH_ROWS = 8192;
  // Has no divisor in common with any number of rows that is tried.
  private static final long STEP = 2_654_435_761L;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private IndexRows() {}

  static Schema schema() {
    return new Schema(
        List.of(
            Field.nullable(KEY, new ArrowType.Int(64, true)),
            Field.nullable(CATEGORY, new ArrowType.Int(32, true))));
  }

  static long key(long row, long rows) {
    return row * STEP % rows;
  }

  static int category(long key) {
    return (int) Long.remainderUnsigned((key * GOLDEN) >>> 7, CATEGORIES);
  }

  /** What a row adds to a checksum. */
  static long rowChecksum(long key) {
    long mixed = key * GOLDEN + category(key) + 1;
    return mixed ^ (mixed >>> 29);
  }

  /** A number that depends on all rows, whatever their order. */
  static long checksum(ArrowReader reader) throws IOException {
    VectorSchemaRoot batch = reader.getVectorSchemaRoot();
    long checksum = 0;
    while (reader.loadNextBatch()) {
      BigIntVector keys = (BigIntVector) batch.getVector(KEY);
      IntVector categories = (IntVector) batch.getVector(CATEGORY);
      for (int i = 0; i < batch.getRowCount(); i++) {
        long mixed = keys.get(i) * GOLDEN + categories.get(i) + 1;
        checksum += mixed ^ (mixed >>> 29);
      }
    }
    return checksum;
  }

  /** Makes all rows, batch by batch. */
  static ArrowReader reader(long rows, BufferAllocator allocator) {
    return new Reader(rows, allocator);
  }

  private static final class Reader extends GeneratedRows {
    private final long rows;

    Reader(long rows, BufferAllocator allocator) {
      super(schema(), rows, BATCH_ROWS, allocator);
      this.rows = rows;
    }

    @Override
    void fill(VectorSchemaRoot batch, long first, int count) {
      BigIntVector keys = (BigIntVector) batch.getVector(KEY);
      IntVector categories = (IntVector) batch.getVector(CATEGORY);
      keys.allocateNew(count);
      categories.allocateNew(count);
      for (int i = 0; i < count; i++) {
        long key = key(first + i, rows);
        keys.set(i, key);
        categories.set(i, category(key));
      }
    }
  }
}
