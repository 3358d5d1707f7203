package dev.lance4j.write;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.LanceException;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.internal.WrittenFiles;
import java.util.Optional;

/**
 * A delete or update whose files are written, but which is not committed. An engine may commit it
 * itself; then it hands over the operation and the affected rows.
 *
 * @param read the version that it was computed from
 * @param operation a delete or update
 * @param affectedRows the addresses of all rows that it deletes or moves; absent if it must not go
 *     with any other change of its fragments
 * @param rows how many rows are deleted or changed
 */
public record RowChange(
    TableVersion read, Operation operation, Optional<RowAddressSet> affectedRows, long rows) {

  /**
   * Commits it. When that is refused, its files are removed.
   *
   * @return the version that it led to
   * @throws CommitConflictException if what others committed does not go with it
   * @throws dev.lance4j.format.TooMuchContentionException if others were faster each time
   */
  public TableVersion commit() {
    Committer committer = new Committer(read.table(), CommitOptions.DEFAULT);
    Transaction transaction = Transaction.of(read.version(), operation);
    try {
      return affectedRows.isPresent()
          ? committer.commit(read, transaction, affectedRows.get())
          : committer.commit(read, transaction);
    } catch (LanceException e) {
      // Unlike after a failure of the store, it is known that nothing was committed.
      discard();
      throw e;
    }
  }

  /** Removes the files that were written, as far as that is possible; for changes not committed. */
  public void discard() {
    WrittenFiles.remove(read, operation);
  }
}
