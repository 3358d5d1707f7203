package dev.lance4j.compaction.internal;

import dev.lance4j.format.IndexNotFoundException;
import dev.lance4j.format.LanceException;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.LogicalIndex;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.rowid.AddressMap;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Has indices catch up with compactions that did not remap them. */
public final class DeferredRemap {
  private final IndexSource source;
  private final TableVersion version;

  public DeferredRemap(IndexSource source) {
    this.source = source;
    this.version = source.version();
  }

  /** Writes segments anew that are behind, and commits them. */
  public TableVersion remap(List<String> names) {
    requireNames(names);
    Optional<FragmentReuse> reuse = FragmentReuse.of(version);
    if (reuse.isEmpty()) {
      return version;
    }
    List<IndexMetadata> added = new ArrayList<>();
    List<IndexMetadata> removed = new ArrayList<>();
    try {
      build(new CatchUpState(version.table(), reuse.get()), names, added, removed);
    } catch (RuntimeException | Error e) {
      remove(added);
      throw e;
    }
    if (added.isEmpty()) {
      return version;
    }
    try {
      return commit(new Operation.CreateIndex(added, removed));
    } catch (LanceException e) {
      // Unlike after a failure of the store, it is known that nothing was committed.
      remove(added);
      throw e;
    }
  }

  private void build(
      CatchUpState state,
      List<String> names,
      List<IndexMetadata> added,
      List<IndexMetadata> removed) {
    SegmentRemap remap = new SegmentRemap(source, AddressMap.IDENTITY);
    Map<UUID, IndexMetadata> current = new HashMap<>();
    version.currentIndices().forEach(segment -> current.put(segment.uuid(), segment));
    for (IndexMetadata stored : version.indices()) {
      boolean chosen = names.isEmpty() || names.contains(stored.name());
      if (chosen && state.isBehind(stored)) {
        Optional<IndexMetadata> anew = remap.remap(current.get(stored.uuid()));
        anew.ifPresent(added::add);
        anew.ifPresent(segment -> removed.add(stored));
      }
    }
  }

  private void remove(List<IndexMetadata> segments) {
    segments.forEach(
        segment -> SegmentWriter.remove(version.table(), segment.uuid(), segment.files()));
  }

  private void requireNames(List<String> names) {
    Map<String, LogicalIndex> known = LogicalIndex.all(version);
    for (String name : names) {
      if (!known.containsKey(name)) {
        throw new IndexNotFoundException(
            version.table().uri(), name, String.join(", ", known.keySet()));
      }
    }
  }

  /** Drops what all indices have caught up with from the record of rewrites. */
  public TableVersion trim() {
    Optional<FragmentReuse> reuse = FragmentReuse.of(version);
    if (reuse.isEmpty()) {
      return version;
    }
    CatchUpState state = new CatchUpState(version.table(), reuse.get());
    List<FragmentReuse.Version> needed = new ArrayList<>();
    for (FragmentReuse.Version rewrite : reuse.get().versions()) {
      if (version.indices().stream().anyMatch(segment -> state.isBehind(segment, rewrite))) {
        needed.add(rewrite);
      }
    }
    if (needed.size() == reuse.get().versions().size()) {
      return version;
    }
    Table table = version.table();
    FragmentReuse left = new FragmentReuse(needed);
    IndexMetadata entry = left.write(table, version.version(), left.newFragments());
    try {
      return commit(
          new Operation.CreateIndex(
              List.of(entry), FragmentReuse.entry(version.indices()).stream().toList()));
    } catch (LanceException e) {
      FragmentReuse.discard(table, entry);
      throw e;
    }
  }

  private TableVersion commit(Operation operation) {
    return new Committer(version.table(), CommitOptions.DEFAULT)
        .commit(version, Transaction.of(version.version(), operation));
  }
}
