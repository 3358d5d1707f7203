package dev.lance4j.compaction.internal;

import dev.lance4j.compaction.RewriteResult;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.rowid.AddressMap;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.table.internal.TableState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.roaringbitmap.RoaringBitmap;

/**
 * Commits what tasks wrote, against the version that they were planned on: rows that others deleted
 * or changed since are a conflict. Used once.
 */
public final class RewriteCommit {
  private final Scan.Source source;
  private final Table table;
  private final boolean deferred;
  private final Map<String, String> properties;
  private final Map<Long, TableVersion> versions = new HashMap<>();

  /**
   * @param source any version of the table
   * @param deferred whether readers shall translate the addresses that indices hold
   * @param properties of the transaction
   */
  public RewriteCommit(Scan.Source source, boolean deferred, Map<String, String> properties) {
    this.source = source;
    this.table = source.version().table();
    this.deferred = deferred;
    this.properties = properties;
    versions.put(source.version().version(), source.version());
  }

  /**
   * What is ready to be committed.
   *
   * @param readVersion that the rewrite is checked against
   * @param reserved the version to commit on
   * @param rewrite what to commit
   */
  public record Prepared(long readVersion, TableVersion reserved, Operation.Rewrite rewrite) {}

  /**
   * Sets ids aside and writes what indices need, without changing a row of the table. When that
   * fails, what was written is removed, but for the results.
   *
   * @param results at least one
   */
  public Prepared prepare(List<RewriteResult> results) {
    List<Operation.RewriteGroup> groups = groups(results);
    TableVersion planned = planned(results);
    if (deferred && planned.manifest().hasStableRowIds()) {
      throw new InvalidInputException(
          table.uri() + " has stable row ids, with which indices need no remap to be deferred");
    }
    TableVersion reserved = reserve(planned, groups);
    List<Operation.RewriteGroup> numbered = present(numbered(groups, reserved), reserved);
    Operation.Rewrite rewrite =
        planned.manifest().hasStableRowIds()
            ? new Operation.Rewrite(numbered, List.of())
            : withIndices(planned, reserved, numbered);
    return new Prepared(planned.version(), reserved, rewrite);
  }

  /**
   * Commits.
   *
   * @return the version that it led to
   */
  public TableVersion commit(Prepared prepared) {
    Operation.Rewrite rewrite = prepared.rewrite();
    Transaction transaction =
        Transaction.of(prepared.readVersion(), rewrite).withProperties(properties);
    try {
      TableVersion committed =
          new Committer(table, CommitOptions.DEFAULT).commit(prepared.reserved(), transaction);
      // Somebody may have dropped or replaced an index since.
      removeUnused(rewrite, committed);
      return committed;
    } catch (LanceException e) {
      // Unlike after a failure of the store, it is known that nothing was committed.
      rewrite.fragmentReuse().ifPresent(entry -> FragmentReuse.discard(table, entry));
      rewrite.rewrittenIndices().forEach(this::remove);
      throw e;
    }
  }

  private void removeUnused(Operation.Rewrite rewrite, TableVersion committed) {
    Set<UUID> used = new HashSet<>();
    if (!rewrite.rewrittenIndices().isEmpty()) {
      committed.indices().forEach(index -> used.add(index.uuid()));
    }
    for (Operation.RewrittenIndex index : rewrite.rewrittenIndices()) {
      if (!used.contains(index.newId())) {
        remove(index);
      }
    }
  }

  private void remove(Operation.RewrittenIndex index) {
    SegmentWriter.remove(table, index.newId(), index.files());
  }

  /** The oldest version that one of the tasks was planned on. */
  private TableVersion planned(List<RewriteResult> results) {
    long oldest = results.get(0).readVersion();
    for (RewriteResult result : results) {
      oldest = Math.min(oldest, result.readVersion());
    }
    return version(oldest);
  }

  private TableVersion version(long number) {
    return versions.computeIfAbsent(number, table::version);
  }

  private List<Operation.RewriteGroup> groups(List<RewriteResult> results) {
    List<Operation.RewriteGroup> groups = new ArrayList<>(results.size());
    RoaringBitmap taken = new RoaringBitmap();
    for (RewriteResult result : results) {
      if (!result.uri().equals(table.uri())) {
        throw new InvalidInputException(
            "The result is one of " + result.uri() + ", not of " + table.uri());
      }
      TableVersion read = version(result.readVersion());
      List<FragmentMetadata> old = new ArrayList<>();
      for (FragmentMetadata fragment : FragmentIds.select(read, result.oldFragments())) {
        if (!taken.checkedAdd((int) fragment.id())) {
          throw new InvalidInputException(
              "Fragment " + fragment.id() + " is in two results; commit one of them");
        }
        old.add(PhysicalRows.counted(read, fragment, source.session()));
      }
      groups.add(new Operation.RewriteGroup(old, result.newFragments()));
    }
    return groups;
  }

  /**
   * Sets ids aside for the new fragments, since what indices and readers are told must have them.
   *
   * @return the version whose highest ids they are; the one planned on if there are no new
   *     fragments
   */
  private TableVersion reserve(TableVersion planned, List<Operation.RewriteGroup> groups) {
    int count = 0;
    for (Operation.RewriteGroup group : groups) {
      count += group.newFragments().size();
    }
    if (count == 0) {
      return planned;
    }
    return new Committer(table, CommitOptions.DEFAULT.withSkipAutoCleanup(true))
        .commit(planned, Transaction.of(planned.version(), new Operation.ReserveFragments(count)));
  }

  /** The groups with ids for the new fragments. */
  private static List<Operation.RewriteGroup> numbered(
      List<Operation.RewriteGroup> groups, TableVersion reserved) {
    long count = 0;
    for (Operation.RewriteGroup group : groups) {
      count += group.newFragments().size();
    }
    long next = reserved.manifest().highestFragmentId().orElse(0) - count + 1;
    List<Operation.RewriteGroup> numbered = new ArrayList<>(groups.size());
    for (Operation.RewriteGroup group : groups) {
      List<FragmentMetadata> fresh = new ArrayList<>(group.newFragments().size());
      for (FragmentMetadata fragment : group.newFragments()) {
        fresh.add(fragment.withId(next++));
      }
      numbered.add(new Operation.RewriteGroup(group.oldFragments(), fresh));
    }
    return numbered;
  }

  /**
   * The groups without fragments that have no live row and vanished already, as they do with
   * whatever is committed.
   */
  private static List<Operation.RewriteGroup> present(
      List<Operation.RewriteGroup> groups, TableVersion version) {
    RoaringBitmap ids = new RoaringBitmap();
    version.manifest().fragments().forEach(fragment -> ids.add((int) fragment.id()));
    List<Operation.RewriteGroup> present = new ArrayList<>(groups.size());
    for (Operation.RewriteGroup group : groups) {
      List<FragmentMetadata> old =
          group.oldFragments().stream()
              .filter(
                  fragment ->
                      ids.contains((int) fragment.id())
                          || fragment.deletedRows() < fragment.physicalRows())
              .toList();
      if (!old.isEmpty()) {
        present.add(new Operation.RewriteGroup(old, group.newFragments()));
      }
    }
    return present;
  }

  private Operation.Rewrite withIndices(
      TableVersion planned, TableVersion reserved, List<Operation.RewriteGroup> groups) {
    List<IndexMetadata> affected = affected(reserved, groups);
    if (deferred && !affected.isEmpty()) {
      return new Operation.Rewrite(groups, List.of())
          .withFragmentReuse(reuse(planned, reserved, groups));
    }
    return new Operation.Rewrite(
        groups,
        affected.isEmpty() ? List.of() : remapped(affected, reserved, moves(planned, groups)));
  }

  private List<Operation.RewrittenIndex> remapped(
      List<IndexMetadata> affected, TableVersion reserved, AddressMap moves) {
    IndexSource current = new IndexSource(reserved, source.session(), source.allocator());
    SegmentRemap remap = new SegmentRemap(current, moves);
    List<Operation.RewrittenIndex> rewritten = new ArrayList<>();
    try {
      for (IndexMetadata segment : affected) {
        remap.remap(segment).ifPresent(anew -> rewritten.add(rewritten(segment, anew)));
      }
      return rewritten;
    } catch (RuntimeException | Error e) {
      rewritten.forEach(this::remove);
      throw e;
    }
  }

  private static Operation.RewrittenIndex rewritten(IndexMetadata segment, IndexMetadata anew) {
    return new Operation.RewrittenIndex(
        segment.uuid(),
        anew.uuid(),
        segment.details().or(anew::details).orElseThrow(),
        anew.indexVersion().orElse(0),
        anew.files());
  }

  /** The segments that cover rows that moved. */
  private static List<IndexMetadata> affected(
      TableVersion version, List<Operation.RewriteGroup> groups) {
    RoaringBitmap old = new RoaringBitmap();
    for (Operation.RewriteGroup group : groups) {
      group.oldFragments().forEach(fragment -> old.add((int) fragment.id()));
    }
    List<IndexMetadata> affected = new ArrayList<>();
    for (IndexMetadata index : TableState.of(version).indices()) {
      Optional<RoaringBitmap> covered = index.fragments();
      boolean covers = covered.isPresent() && RoaringBitmap.intersects(covered.get(), old);
      if (covers && !index.isSystem() && !index.coversZones()) {
        affected.add(index);
      }
    }
    return affected;
  }

  private RoaringBitmap deleted(TableVersion planned, FragmentMetadata fragment) {
    return DeletionFiles.read(planned, fragment, source.session()).offsets();
  }

  private AddressMap moves(TableVersion planned, List<Operation.RewriteGroup> groups) {
    AddressMap.Builder moves = AddressMap.builder();
    for (Operation.RewriteGroup group : groups) {
      List<AddressMap.Source> sources = new ArrayList<>(group.oldFragments().size());
      for (FragmentMetadata old : group.oldFragments()) {
        sources.add(new AddressMap.Source(old.id(), old.physicalRows(), deleted(planned, old)));
      }
      List<AddressMap.Target> targets = new ArrayList<>(group.newFragments().size());
      for (FragmentMetadata added : group.newFragments()) {
        targets.add(new AddressMap.Target(added.id(), added.physicalRows()));
      }
      moves.group(sources, targets);
    }
    return moves.build();
  }

  /** The entry that says where rows went, also those of earlier rewrites. */
  private IndexMetadata reuse(
      TableVersion planned, TableVersion reserved, List<Operation.RewriteGroup> groups) {
    RoaringBitmap fresh = new RoaringBitmap();
    List<FragmentReuse.Group> moved = new ArrayList<>(groups.size());
    for (Operation.RewriteGroup group : groups) {
      RowAddressSet.Builder rows = RowAddressSet.builder();
      for (FragmentMetadata old : group.oldFragments()) {
        RoaringBitmap live = new RoaringBitmap();
        live.add(0L, old.physicalRows());
        live.andNot(deleted(planned, old));
        rows.addOffsets(old.id(), live);
      }
      group.newFragments().forEach(fragment -> fresh.add((int) fragment.id()));
      moved.add(
          new FragmentReuse.Group(
              rows.build(),
              group.oldFragments().stream().map(FragmentReuse.Digest::of).toList(),
              group.newFragments().stream().map(FragmentReuse.Digest::of).toList()));
    }
    // Not the version planned on: indices that were built since then hold the old addresses too.
    long read = reserved.version();
    return FragmentReuse.of(reserved)
        .orElse(new FragmentReuse(List.of()))
        .plus(new FragmentReuse.Version(read, moved))
        .write(table, read, fresh);
  }
}
