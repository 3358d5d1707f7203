package dev.lance4j.compaction;

import dev.lance4j.compaction.internal.DeferredRemap;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.IndexNotFoundException;
import dev.lance4j.index.IndexSource;
import dev.lance4j.table.TableVersion;
import java.util.List;

/**
 * Does what compactions put off with {@link CompactionOptions.Builder#deferIndexRemap}: has indices
 * written anew with the addresses that rows have now, and forgets what no index needs any more to
 * find its rows. Immutable.
 */
public final class RemapIndices {
  private final IndexSource source;

  /**
   * @param source the version whose indices to remap
   */
  public RemapIndices(IndexSource source) {
    this.source = source;
  }

  /**
   * Writes the index segments anew that have not caught up with all compactions, and commits them
   * together. Segments of kinds that hold no addresses of rows stay as they are.
   *
   * @param names of indices; all if none are named
   * @return the next version; the one that was read when there was nothing to do
   * @throws IndexNotFoundException if an index that was named does not exist
   * @throws CommitConflictException if others replaced the same segments, or the table, meanwhile
   */
  public TableVersion remap(List<String> names) {
    return new DeferredRemap(source).remap(names);
  }

  /**
   * Forgets the compactions that all indices have caught up with.
   *
   * @return the next version; the one that was read when there was nothing to do
   * @throws CommitConflictException if others did the same, or replaced the table, meanwhile
   */
  public TableVersion trim() {
    return new DeferredRemap(source).trim();
  }
}
