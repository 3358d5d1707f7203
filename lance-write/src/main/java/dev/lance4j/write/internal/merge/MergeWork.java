package dev.lance4j.write.internal.merge;

import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.write.MergeCounts;
import dev.lance4j.write.internal.DataWriter;
import dev.lance4j.write.internal.RowDeletions;
import java.util.List;
import java.util.Optional;

/**
 * What an attempt to merge did, before it is committed.
 *
 * @param operation what to commit
 * @param affectedRows the rows that it deletes or moves; absent if it changes files in place
 * @param counts what was done
 * @param files the data files, each in a fragment of its own
 * @param deletions the deletion files
 */
public record MergeWork(
    Operation.Update operation,
    Optional<RowAddressSet> affectedRows,
    MergeCounts counts,
    List<FragmentMetadata> files,
    RowDeletions.Applied deletions) {
  /** Removes the files of work that will not be committed, as far as that is possible. */
  public void remove(Table table) {
    DataWriter.remove(table, files);
    deletions.remove(table);
  }
}
