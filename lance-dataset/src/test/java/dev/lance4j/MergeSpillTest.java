package dev.lance4j;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.write.BatchSource;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.WhenMatched;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A source that is larger than the memory that its merge may take. The property {@code
 * lance4j.merge.rows} makes it larger still; with 10,000,000 rows the budget is the default one.
 */
class MergeSpillTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("k", new ArrowType.Int(64, true)),
              Field.nullable("v", new ArrowType.Int(64, true)),
              Field.nullable("s", ArrowType.Utf8.INSTANCE)));
  private static final int BATCH = 50_000;
  private static final long ROWS = Long.getLong("lance4j.merge.rows", 1_000_000);
  // Files are written beside the rows that are held, whatever the budget.
  private static final long BUDGET =
      Math.max(160L << 20, MergeOptions.DEFAULT_MEMORY_BUDGET * ROWS / 10_000_000);

  @TempDir private Path folder;

  /**
   * Every row has a key; keys step by 7 modulo the number of rows, so that they are in no order.
   */
  private static BatchSource source(VectorSchemaRoot batch, long firstKey, long rows, long value) {
    Iterator<VectorSchemaRoot> batches =
        new Iterator<>() {
          private long done;

          @Override
          public boolean hasNext() {
            return done < rows;
          }

          @Override
          public VectorSchemaRoot next() {
            int count = (int) Math.min(BATCH, rows - done);
            BigIntVector keys = (BigIntVector) batch.getVector("k");
            BigIntVector values = (BigIntVector) batch.getVector("v");
            VarCharVector texts = (VarCharVector) batch.getVector("s");
            for (int i = 0; i < count; i++) {
              long key = firstKey + (done + i) * 7 % rows;
              keys.setSafe(i, key);
              values.setSafe(i, value);
              texts.setSafe(i, ("some text of row " + key).getBytes(US_ASCII));
            }
            batch.setRowCount(count);
            done += count;
            return batch;
          }
        };
    return BatchSource.of(SCHEMA, batches, null);
  }

  @Test
  void sourcesMayBeLargerThanMemory() {
    Path spill = folder.resolve("spill");
    long tableRows = ROWS / 4;
    try (BufferAllocator root = new RootAllocator();
        BufferAllocator ofSource = root.newChildAllocator("source", 0, Long.MAX_VALUE);
        BufferAllocator limited = root.newChildAllocator("merge", 0, BUDGET);
        VectorSchemaRoot batch = VectorSchemaRoot.create(SCHEMA, ofSource)) {
      Dataset.write(folder.resolve("t").toString())
          .allocator(limited)
          .stableRowIds(true)
          .from(source(batch, 0, tableRows, 1))
          .close();
      OpenOptions options = OpenOptions.builder().allocator(limited).build();
      try (Dataset before = Dataset.open(folder.resolve("t").toString(), options)) {
        MergeResult result =
            before
                .mergeInsert("k")
                .whenMatched(WhenMatched.updateAll())
                .memoryBudget(BUDGET)
                .spillDirectory(spill.toString())
                .execute(source(batch, tableRows / 2, ROWS, 2));
        try (Dataset after = result.dataset()) {
          assertThat(spill).exists();
          assertThat(spill.toFile().list()).isEmpty();
          assertThat(result.rowsUpdated()).isEqualTo(tableRows - tableRows / 2);
          assertThat(result.rowsInserted()).isEqualTo(ROWS - result.rowsUpdated());
          assertThat(after.countRows()).isEqualTo(tableRows / 2 + ROWS);
          assertThat(after.countRows("v = 2")).isEqualTo(ROWS);
          assertThat(after.countRows("s = concat('some text of row ', cast(k as string))"))
              .isEqualTo(after.countRows());
          assertThat(after.countRows("k < " + tableRows / 2 + " AND v = 1"))
              .isEqualTo(tableRows / 2);
        }
      }
      assertThat(limited.getPeakMemoryAllocation()).isLessThanOrEqualTo(BUDGET);
    }
  }
}
