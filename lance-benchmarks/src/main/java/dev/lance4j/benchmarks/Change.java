package dev.lance4j.benchmarks;

import java.util.List;
import java.util.function.LongUnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** How a table of {@link ChangeRows} is changed. */
enum Change {
  /** Deletes one of a hundred rows by a filter. */
  DELETE,
  /** Adds one to the scores of one of a hundred rows. */
  UPDATE,
  /** Merges rows, the first half of which are in the table and get a score that is one more. */
  MERGE,
  /** Merges new scores of a tenth of the rows, without the other columns. */
  MERGE_SUBSET;

  /** Which rows are deleted or updated. */
  static final String FILTER = "id % 100 = 7";

  private static final int SHARE = 100;
  private static final int FIRST = 7;
  private static final int SUBSET_STEP = 10;

  /** How many rows the source of a merge has. */
  private long count(long rows) {
    return rows / (this == MERGE_SUBSET ? SUBSET_STEP : SHARE);
  }

  /** The number of a row of the source. */
  private LongUnaryOperator number(long rows) {
    long half = count(rows) / 2;
    return switch (this) {
      case DELETE, UPDATE -> i -> FIRST + i * SHARE;
      case MERGE -> i -> i < half ? i * (rows / half) : rows + i - half;
      case MERGE_SUBSET -> i -> i * SUBSET_STEP;
    };
  }

  Schema sourceSchema() {
    return this == MERGE_SUBSET ? ChangeRows.subset() : SampleRows.schema();
  }

  /** The rows that are merged, or that an update by a merge needs; the caller's to close. */
  List<VectorSchemaRoot> source(long rows, BufferAllocator allocator) {
    return ChangeRows.batches(sourceSchema(), count(rows), number(rows), 1, allocator);
  }

  /** How many rows there are afterwards. */
  long rowsAfter(long rows) {
    return switch (this) {
      case DELETE -> rows - count(rows);
      case UPDATE, MERGE_SUBSET -> rows;
      case MERGE -> rows + count(rows) - count(rows) / 2;
    };
  }

  /** The sum of {@link ChangeRows} afterwards. */
  long sumAfter(long rows) {
    long sum = 0;
    for (long row = 0; row < rows; row++) {
      sum += ChangeRows.hash(row, 0);
    }
    for (long i = 0; i < count(rows); i++) {
      long row = number(rows).applyAsLong(i);
      sum += this == DELETE ? 0 : ChangeRows.hash(row, 1);
      sum -= row < rows ? ChangeRows.hash(row, 0) : 0;
    }
    return sum;
  }
}
