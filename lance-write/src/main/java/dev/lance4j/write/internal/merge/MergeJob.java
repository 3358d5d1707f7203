package dev.lance4j.write.internal.merge;

import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.scan.Scan;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.internal.StorageVersion;
import org.apache.arrow.vector.types.pojo.Schema;

/** A merge of one source, which is read once and can then be merged into version after version. */
public final class MergeJob implements AutoCloseable {
  private final MergeOptions options;
  private final Schema input;
  private final SourceColumns columns;
  private final MergeMemory memory;
  private final SourceRows rows;

  /**
   * Reads the source to its end.
   *
   * @param target the version that the source is checked against
   * @throws dev.lance4j.format.InvalidInputException if the options do not fit the table
   * @throws SchemaMismatchException if the source does not fit the table
   */
  public MergeJob(Scan.Source target, MergeOptions options, BatchSource source) {
    this.options = options;
    this.input = source.schema();
    StorageVersion.requireWritable(target.version().manifest());
    MergePlan plan = MergePlan.of(options, target.version().manifest().schema(), input);
    this.columns = plan.source();
    this.memory =
        new MergeMemory(
            target.allocator(),
            options.memoryBudget(),
            ObjectStores.resolve(
                options.spillDirectory().orElseGet(() -> System.getProperty("java.io.tmpdir"))));
    boolean firstOnly = options.duplicates() == MergeOptions.Duplicates.KEEP_FIRST;
    this.rows = SourceRows.read(source, columns, plan.keys(), firstOnly, memory);
  }

  /**
   * Merges into a version; nothing is committed.
   *
   * @param betweenBatches is run now and then, and may throw
   * @throws dev.lance4j.format.InvalidInputException if rows are matched that must not be, or
   *     several rows of the source would update the same row of the table
   */
  public MergeWork run(Scan.Source target, Runnable betweenBatches) {
    MergePlan plan = MergePlan.of(options, target.version().manifest().schema(), input);
    if (!plan.source().given().equals(columns.given())) {
      throw new SchemaMismatchException(
          "The columns of "
              + target.version()
              + " are others than when the merge began; do it anew");
    }
    return new MergeAttempt(plan, rows, target, memory).run(betweenBatches);
  }

  @Override
  public void close() {
    rows.close();
  }
}
