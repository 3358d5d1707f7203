package dev.lance4j.write.internal.merge;

import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import java.util.List;

/** Stores the new values of rows of the table, and rows that are added. */
interface UpdatedRows extends AutoCloseable {
  /**
   * Takes rows of the table and the rows of the source that they get their values from.
   *
   * @param part where the source's rows are; stays open until {@link #flush}
   * @param sourceRows in {@code part}
   * @param addresses of the table's rows, ascending
   */
  void update(SourcePart part, int[] sourceRows, long[] addresses);

  /** Completes the updates of a part. */
  void flush(SourcePart part);

  /** Adds rows of the source; after all updates. */
  void insert(SourcePart part, int[] sourceRows);

  /** Completes the files. */
  Written finish();

  /** Removes the files unless they were finished. */
  @Override
  void close();

  /**
   * What was stored.
   *
   * @param patched fragments of the table with new files
   * @param added new fragments
   * @param files the data files of both
   */
  record Written(
      List<FragmentMetadata> patched, List<FragmentMetadata> added, List<DataFile> files) {}
}
