package dev.lance4j.index;

import dev.lance4j.format.IndexNotFoundException;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.List;
import java.util.Map;

/** Removes an index from a table; a clean-up removes its files. Immutable. */
public final class DropIndex {
  private final TableVersion version;
  private final String name;

  public DropIndex(TableVersion version, String name) {
    this.version = version;
    this.name = name;
  }

  /**
   * Commits the removal of all segments.
   *
   * @return the version without the index
   * @throws IndexNotFoundException if there is no index of the name
   */
  public TableVersion execute() {
    Map<String, LogicalIndex> indices = LogicalIndex.all(version);
    LogicalIndex index = indices.get(name);
    if (index == null) {
      throw new IndexNotFoundException(
          version.table().uri(), name, String.join(", ", indices.keySet()));
    }
    Operation operation = new Operation.CreateIndex(List.of(), index.segments());
    return new Committer(version.table(), CommitOptions.DEFAULT)
        .commit(version, Transaction.of(version.version(), operation));
  }
}
