package dev.lance4j.compaction;

/** Is told how a compaction gets on, by the threads that carry out its tasks. */
public interface CompactionListener {
  /** Does nothing. */
  CompactionListener NONE = new CompactionListener() {};

  /**
   * Rows of a task were written.
   *
   * @param rows how many since the last time
   */
  default void rowsWritten(CompactionTask task, long rows) {}

  /** A task was carried out. */
  default void taskDone(CompactionTask task, RewriteResult result) {}
}
