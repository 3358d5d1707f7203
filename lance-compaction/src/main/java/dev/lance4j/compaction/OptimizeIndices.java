package dev.lance4j.compaction;

import dev.lance4j.compaction.internal.ScalarOptimization;
import dev.lance4j.compaction.internal.VectorOptimization;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.IndexNotFoundException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.IndexCatalog;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.scalar.ScalarIndex;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.index.internal.vector.VectorIndex;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings indices up to date: rows that no segment covers go into one, and segments are merged. What
 * they know of rows that were deleted or changed since is dropped. Immutable.
 */
public final class OptimizeIndices {
  private static final Logger LOG = LoggerFactory.getLogger(OptimizeIndices.class);

  private final IndexSource source;
  private final OptimizeOptions options;

  public OptimizeIndices(IndexSource source, OptimizeOptions options) {
    this.source = source;
    this.options = options;
  }

  /**
   * Builds the segments and commits them together.
   *
   * @return the next version; the one that was read when there was nothing to do
   * @throws IndexNotFoundException if an index that was named does not exist
   * @throws CommitConflictException if others replaced the same segments, or the table, meanwhile
   */
  public TableVersion execute() {
    requireNames();
    List<IndexSegment> added = new ArrayList<>();
    List<IndexMetadata> removed = new ArrayList<>();
    try {
      build(added, removed);
    } catch (RuntimeException | Error e) {
      remove(added);
      throw e;
    }
    if (added.isEmpty()) {
      return source.version();
    }
    try {
      return commit(added, removed);
    } catch (LanceException e) {
      // Unlike after a failure of the store, it is known that nothing was committed.
      remove(added);
      throw e;
    }
  }

  private void build(List<IndexSegment> added, List<IndexMetadata> removed) {
    IndexCatalog catalog = IndexCatalog.of(source);
    catalog.unused().forEach(why -> LOG.debug("not optimized: {}", why));
    for (ScalarIndex index : catalog.scalar()) {
      buildIfKnown(
          index.name(), () -> new ScalarOptimization(source, options, index).run(added, removed));
    }
    for (VectorIndex index : catalog.vector()) {
      buildIfKnown(
          index.name(),
          () -> {
            try (VectorOptimization optimization = new VectorOptimization(source, options, index)) {
              optimization.run(added, removed);
            }
          });
    }
  }

  private void buildIfKnown(String name, Runnable build) {
    boolean chosen = options.names().map(names -> names.contains(name)).orElse(true);
    if (!chosen) {
      return;
    }
    try {
      build.run();
    } catch (UnsupportedFormatException e) {
      LOG.debug("not optimized: index {}", name, e);
    }
  }

  private void remove(List<IndexSegment> segments) {
    segments.forEach(
        segment ->
            SegmentWriter.remove(
                source.version().table(), segment.uuid(), segment.metadata().files()));
  }

  private void requireNames() {
    Map<String, LogicalIndex> known = LogicalIndex.all(source.version());
    for (String name : options.names().orElse(List.of())) {
      if (!known.containsKey(name)) {
        throw new IndexNotFoundException(
            source.version().table().uri(), name, String.join(", ", known.keySet()));
      }
    }
  }

  private TableVersion commit(List<IndexSegment> added, List<IndexMetadata> removed) {
    TableVersion version = source.version();
    Operation operation =
        new Operation.CreateIndex(added.stream().map(IndexSegment::metadata).toList(), removed);
    return new Committer(version.table(), CommitOptions.DEFAULT)
        .commit(version, Transaction.of(version.version(), operation));
  }
}
