package dev.lance4j.compaction.internal;

import dev.lance4j.compaction.CompactionListener;
import dev.lance4j.compaction.CompactionMetrics;
import dev.lance4j.compaction.CompactionTask;
import dev.lance4j.compaction.RewriteResult;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayBatchReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.internal.StoredRows;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.TableVersion;
import dev.lance4j.write.InsertOptions;
import dev.lance4j.write.internal.BatchRows;
import dev.lance4j.write.internal.DataWriter;
import dev.lance4j.write.internal.StorageVersion;
import dev.lance4j.write.internal.WrittenFiles;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Writes the live rows of a task's fragments, in their order, to new fragments. Holds some batches
 * and what waits to be written in memory. Used once.
 */
public final class TaskExecution {
  private final Scan.Source source;
  private final CompactionTask task;
  private final TaskMemory memory;
  private final CompactionListener listener;
  private final Runnable betweenBatches;

  /**
   * @param table any version of the table
   * @param betweenBatches called before each batch; what it throws ends the work
   */
  public TaskExecution(
      Scan.Source table,
      CompactionTask task,
      TaskMemory memory,
      CompactionListener listener,
      Runnable betweenBatches) {
    this.source = planned(table, task);
    this.task = task;
    this.memory = memory;
    this.listener = listener;
    this.betweenBatches = betweenBatches;
  }

  /** The version of a table that a task was planned on. */
  private static Scan.Source planned(Scan.Source table, CompactionTask task) {
    TableVersion version = table.version();
    if (!version.table().uri().equals(task.uri())) {
      throw new InvalidInputException(
          "The task is one of " + task.uri() + ", not of " + version.table().uri());
    }
    return version.version() == task.readVersion()
        ? table
        : new Scan.Source(
            version.table().version(task.readVersion()), table.session(), table.allocator());
  }

  /** Writes the new fragments; when that fails, their files are removed. */
  public RewriteResult run() {
    TableVersion version = source.version();
    StorageVersion.requireWritable(version.manifest());
    List<FragmentMetadata> fragments = FragmentIds.select(version, task.fragments());
    List<FragmentMetadata> written = write(fragments);
    try {
      List<FragmentMetadata> identified =
          version.manifest().hasStableRowIds()
              ? new StableIdentity(source).carry(fragments, written)
              : written;
      RewriteResult result =
          new RewriteResult(
              task.uri(),
              task.readVersion(),
              task.fragments(),
              identified,
              metrics(fragments, identified));
      listener.taskDone(task, result);
      return result;
    } catch (RuntimeException | Error e) {
      WrittenFiles.remove(version.table(), written);
      throw e;
    }
  }

  private List<FragmentMetadata> write(List<FragmentMetadata> fragments) {
    Manifest manifest = source.version().manifest();
    LanceSchema schema = manifest.schema();
    int batchRows =
        task.output().batchSize() > 0
            ? task.output().batchSize()
            : BatchRows.of(fragments, memory.batchBytes());
    StoredRows rows =
        StoredRows.whole(source, Optional.empty(), List.of(), batchRows)
            .readAhead(memory.readAheadBytes());
    try (DataWriter writer = DataWriter.rewriting(source, schema, options())) {
      if (PendingBlobs.of(schema).equals(schema)) {
        write(rows.in(fragments), schema, 0, writer);
      } else {
        // Where blobs lie depends on the fragment, so that a batch must not have rows of two.
        for (FragmentMetadata fragment : fragments) {
          write(rows.in(fragment), schema, fragment.id(), writer);
        }
      }
      return writer.finish();
    }
  }

  private InsertOptions options() {
    return new InsertOptions(
        source.allocator(),
        Optional.empty(),
        task.output().maxRowsPerFile(),
        task.output().maxBytesPerFile(),
        false);
  }

  private void write(StoredRows rows, LanceSchema schema, long fragmentId, DataWriter writer) {
    try (ArrayBatchReader.Source batches = rows.open()) {
      for (ArrayBatch batch = batches.next(); batch != null; batch = batches.next()) {
        long[] fragmentIds = new long[batch.rows()];
        Arrays.fill(fragmentIds, fragmentId);
        List<ArrayData> arrays =
            PendingBlobs.ofStored(schema, batch.arrays(), fragmentIds, source.allocator());
        try {
          betweenBatches.run();
          writer.write(arrays, batch.rows());
        } finally {
          arrays.forEach(ArrayData::close);
        }
        listener.rowsWritten(task, batch.rows());
      }
    }
  }

  private static CompactionMetrics metrics(
      List<FragmentMetadata> old, List<FragmentMetadata> fresh) {
    long filesRemoved = 0;
    for (FragmentMetadata fragment : old) {
      filesRemoved += fragment.files().size() + (fragment.deletionFile().isPresent() ? 1 : 0);
    }
    long filesAdded = fresh.stream().mapToLong(fragment -> fragment.files().size()).sum();
    return new CompactionMetrics(old.size(), filesRemoved, fresh.size(), filesAdded);
  }
}
