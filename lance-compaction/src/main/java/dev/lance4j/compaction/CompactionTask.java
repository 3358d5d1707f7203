package dev.lance4j.compaction;

import dev.lance4j.compaction.internal.CompactionJson;
import dev.lance4j.compaction.internal.TaskExecution;
import dev.lance4j.compaction.internal.TaskMemory;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.Snapshot;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;

/**
 * Fragments that are rewritten together. Independent of other tasks, small and serialisable, so
 * that it can be carried out on any machine that reaches the table. Immutable.
 *
 * @param uri the table
 * @param readVersion the version that was planned on
 * @param fragments which, ascending
 * @param output how the new files are written
 * @param expected what the plan knew about the fragments
 */
public record CompactionTask(
    String uri, long readVersion, List<IdRange> fragments, Output output, Expected expected)
    implements Serializable {

  public CompactionTask {
    fragments = List.copyOf(fragments);
    for (int i = 1; i < fragments.size(); i++) {
      if (fragments.get(i).first() <= fragments.get(i - 1).last()) {
        throw new InvalidInputException("The fragments of a task must ascend, not " + fragments);
      }
    }
  }

  /**
   * How new files are written.
   *
   * @param maxRowsPerFile a file, and fragment, ends at exactly this many rows
   * @param maxBytesPerFile a file ends after the batch that takes it to this many bytes
   * @param batchSize rows that are read at once; 0 for as many as take about 16 MiB
   */
  public record Output(long maxRowsPerFile, long maxBytesPerFile, int batchSize)
      implements Serializable {
    public Output {
      if (maxRowsPerFile <= 0 || maxBytesPerFile <= 0 || batchSize < 0) {
        throw new InvalidInputException(
            "Files cannot have "
                + maxRowsPerFile
                + " rows or "
                + maxBytesPerFile
                + " bytes, or batches "
                + batchSize
                + " rows");
      }
    }
  }

  /**
   * Why fragments are rewritten and what that will take.
   *
   * @param smallFragments how many fragments are there because they are small
   * @param fragmentsWithDeletions how many are there because many of their rows are deleted
   * @param liveRows the rows that will be written
   * @param deletedRows the rows that will not
   * @param bytes about how many bytes will be written
   */
  public record Expected(
      int smallFragments, int fragmentsWithDeletions, long liveRows, long deletedRows, long bytes)
      implements Serializable {}

  /** The number of fragments. */
  public long fragmentCount() {
    return fragments.stream().mapToLong(IdRange::count).sum();
  }

  /**
   * Carries the task out: writes the new fragments, without committing them.
   *
   * @param table any version of the table
   * @return what to commit
   * @throws InvalidInputException if it is another table
   * @throws dev.lance4j.format.VersionNotFoundException if the version planned on was removed
   */
  public RewriteResult execute(Snapshot table) {
    return execute(table, CompactionListener.NONE);
  }

  /** Carries the task out; as above. */
  public RewriteResult execute(Snapshot table, CompactionListener listener) {
    Scan.Source source = table.source();
    TaskMemory memory = TaskMemory.of(source.allocator(), 1);
    return new TaskExecution(source, this, memory, listener, () -> {}).run();
  }

  /** This task as JSON. */
  public String toJson() {
    return CompactionJson.toJson(this);
  }

  /**
   * Reads what {@link #toJson} writes.
   *
   * @throws InvalidInputException if it is not the JSON of a task; the message names the key
   */
  public static CompactionTask fromJson(String json) {
    return CompactionJson.task(json);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("fragments ");
    for (int i = 0; i < fragments.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(fragments.get(i));
    }
    String separator = ": ";
    if (expected.smallFragments() > 0) {
      text.append(separator).append(expected.smallFragments()).append(" small");
      separator = ", ";
    }
    if (expected.fragmentsWithDeletions() > 0) {
      text.append(separator).append(expected.fragmentsWithDeletions()).append(" with deletions");
    }
    long files = (expected.liveRows() + output.maxRowsPerFile() - 1) / output.maxRowsPerFile();
    return text.append(
            String.format(
                Locale.ROOT,
                "; %,d rows in %,d new fragments, about %,d bytes; %,d deleted rows go",
                expected.liveRows(),
                files,
                expected.bytes(),
                expected.deletedRows()))
        .toString();
  }
}
