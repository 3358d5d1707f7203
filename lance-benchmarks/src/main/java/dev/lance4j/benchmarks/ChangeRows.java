package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of tables that are changed: those of {@link SampleRows}, but for the score, which is the
 * number of the row, and one more after a change.
 */
final class ChangeRows {
  private static final int BATCH_SIZE = 8192;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private ChangeRows() {}

  /** The columns of a merge of some columns. */
  static Schema subset() {
    Schema schema = SampleRows.schema();
    return new Schema(List.of(schema.findField(SampleRows.ID), schema.findField(SampleRows.SCORE)));
  }

  /**
   * Rows in batches, which are the caller's to close.
   *
   * @param number of the row at a position
   * @param plus what is added to the score
   */
  static List<VectorSchemaRoot> batches(
      Schema schema, long count, LongUnaryOperator number, double plus, BufferAllocator allocator) {
    List<VectorSchemaRoot> batches = new ArrayList<>();
    for (long first = 0; first < count; first += BATCH_SIZE) {
      int rows = (int) Math.min(BATCH_SIZE, count - first);
      VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator);
      for (int i = 0; i < rows; i++) {
        set(batch, i, number.applyAsLong(first + i), plus);
      }
      batch.setRowCount(rows);
      batches.add(batch);
    }
    return batches;
  }

  private static void set(VectorSchemaRoot batch, int i, long row, double plus) {
    ((BigIntVector) batch.getVector(SampleRows.ID)).setSafe(i, row);
    ((Float8Vector) batch.getVector(SampleRows.SCORE)).setSafe(i, row + plus);
    if (batch.getVector(SampleRows.VECTOR) instanceof FixedSizeListVector vectors) {
      ((VarCharVector) batch.getVector(SampleRows.TITLE)).setSafe(i, SampleRows.title(row));
      vectors.setNotNull(i);
      SampleRows.setVector((Float4Vector) vectors.getDataVector(), i, row);
    }
  }

  /** What {@link #sum(ArrowReader)} adds for a row. */
  static long hash(long row, double plus) {
    return SampleRows.rowChecksum(row, row + plus) * GOLDEN;
  }

  /** A number that depends on all values of all rows, but not on the order of the rows. */
  static long sum(ArrowReader reader) throws IOException {
    VectorSchemaRoot batch = reader.getVectorSchemaRoot();
    long sum = 0;
    while (reader.loadNextBatch()) {
      LongBuffer checksums = Checksum.ofRows(batch);
      for (int i = 0; i < batch.getRowCount(); i++) {
        sum += checksums.get(i) * GOLDEN;
      }
    }
    return sum;
  }
}
