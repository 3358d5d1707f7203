package dev.lance4j.interop.reliability;

import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A table that Lance4j writes to, from the version that it knows, which others have left behind.
 */
final class Lance4jTable implements SharedTable {
  // Few files at once, so that others have some to themselves.
  private static final CompactionOptions COMPACTION =
      CompactionOptions.builder().targetRowsPerFragment(30).maxSourceFragments(8).build();

  private final BufferAllocator allocator = new RootAllocator();
  private final Random random;
  private Dataset dataset;

  Lance4jTable(String uri, long seed) {
    random = new Random(seed);
    dataset = Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private interface Step {
    Dataset from(Dataset current);
  }

  /** Goes on from the newest version now and then, else from the last one of its own. */
  private void step(Step step) {
    if (random.nextInt(4) == 0) {
      replace(dataset.latest());
    }
    replace(step.from(dataset));
  }

  private void replace(Dataset next) {
    dataset.close();
    dataset = next;
  }

  @Override
  public void append(SortedMap<Long, Long> rows) {
    try (VectorSchemaRoot batch = KeyedRows.batch(rows, allocator)) {
      step(current -> current.append(batch));
    }
  }

  @Override
  public void delete(List<Long> keys) {
    step(current -> current.delete(KeyedRows.oneOf(keys)).dataset());
  }

  @Override
  public void update(SortedMap<Long, Long> rows) {
    StringBuilder value = new StringBuilder("coalesce(CASE k");
    for (Map.Entry<Long, Long> row : rows.entrySet()) {
      value.append(" WHEN ").append(row.getKey()).append(" THEN ").append(row.getValue());
    }
    step(
        current ->
            current
                .update()
                .where(KeyedRows.oneOf(rows.keySet()))
                .set("v", value + " END, v)")
                .execute()
                .dataset());
  }

  @Override
  public void merge(SortedMap<Long, Long> rows) {
    try (VectorSchemaRoot batch = KeyedRows.batch(rows, allocator)) {
      step(
          current ->
              current
                  .mergeInsert("k")
                  .whenMatched(WhenMatched.updateAll())
                  .whenNotMatched(WhenNotMatched.insertAll())
                  .execute(batch)
                  .dataset());
    }
  }

  @Override
  public void compact() {
    step(
        current -> {
          try {
            return current.compact(COMPACTION).dataset();
          } catch (CommitConflictException e) {
            if (!e.isRetryable()) {
              throw e;
            }
            return current.latest();
          }
        });
  }

  @Override
  public void close() {
    dataset.close();
    allocator.close();
  }
}
