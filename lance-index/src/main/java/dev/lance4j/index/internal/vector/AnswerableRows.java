package dev.lance4j.index.internal.vector;

import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.IndexSource;
import dev.lance4j.rowid.AddressMap;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowIdSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.SequenceLocation;
import dev.lance4j.table.Session;
import dev.lance4j.table.StableRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.roaringbitmap.RoaringBitmap;

/**
 * The rows that a segment may answer with: those that are live in the fragments that it covers.
 * Whatever else it holds is of rows that were deleted, or changed and so moved elsewhere.
 */
final class AnswerableRows {
  private final IndexSource source;

  AnswerableRows(IndexSource source) {
    this.source = source;
  }

  /**
   * The mask for a segment, of rows by the numbers that it stores.
   *
   * @param covered the fragments that it covers
   * @param among which rows only, by the ids that they have in the version; null for all
   */
  RowMask<?> mask(RoaringBitmap covered, RowSet<?> among) {
    List<FragmentMetadata> fragments = fragments(covered);
    if (source.version().manifest().hasStableRowIds()) {
      RowIdSet live = rowIds(fragments);
      return RowMask.allow(among == null ? live : live.and((RowIdSet) among));
    }
    RowAddressSet live = addresses(fragments);
    RowAddressSet now = among == null ? live : live.and((RowAddressSet) among);
    AddressMap moves = source.version().movedRows();
    if (moves.isIdentity()) {
      return RowMask.allow(now);
    }
    return RowMask.allow(among == null ? withFormer(fragments, now) : moves.withFormer(now));
  }

  private List<FragmentMetadata> fragments(RoaringBitmap covered) {
    List<FragmentMetadata> fragments = new ArrayList<>();
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      if (covered.contains((int) fragment.id())) {
        fragments.add(fragment);
      }
    }
    return fragments;
  }

  /**
   * Whether a segment whose writer did not look may hold vectors that rows with these stable ids do
   * not have any more: if there are more of them than rows, or rows were updated since they were
   * created.
   *
   * @param covered the fragments that the segment covers
   * @param vectors how many it holds
   */
  boolean mayHaveHadOthers(RoaringBitmap covered, long vectors) {
    List<FragmentMetadata> fragments = fragments(covered);
    long rows = fragments.stream().mapToLong(FragmentMetadata::physicalRows).sum();
    return vectors > rows || wereUpdated(fragments);
  }

  private record UpdatesKey(Key rows) {}

  private boolean wereUpdated(List<FragmentMetadata> fragments) {
    StableRows stable = new StableRows(source.version(), source.session());
    try (Session.Lease<Boolean> known =
        source
            .session()
            .acquire(
                new UpdatesKey(key(fragments)),
                () ->
                    fragments.stream()
                        .anyMatch(
                            fragment ->
                                !stable
                                    .createdVersions(fragment)
                                    .equals(stable.lastUpdatedVersions(fragment))),
                updated -> 1)) {
      return known.value();
    }
  }

  private RowAddressSet addresses(List<FragmentMetadata> fragments) {
    RowAddressSet.Builder all = RowAddressSet.builder();
    RowAddressSet.Builder deleted = RowAddressSet.builder();
    for (FragmentMetadata fragment : fragments) {
      all.addFragment(fragment.id());
      if (fragment.deletionFile().isPresent()) {
        deleted.addOffsets(fragment.id(), deletions(fragment).offsets());
      }
    }
    return all.build().andNot(deleted.build());
  }

  /**
   * Rows are the same as long as all this is.
   *
   * @param moves the segments that say where rows moved
   */
  private record Key(ObjectStore store, String table, List<UUID> moves, List<Part> parts) {}

  private record Part(
      long fragmentId,
      Optional<SequenceLocation> rowIds,
      Optional<SequenceLocation> lastUpdated,
      Optional<DeletionFile> deletions) {}

  private Key key(List<FragmentMetadata> fragments) {
    List<Part> parts = new ArrayList<>(fragments.size());
    for (FragmentMetadata fragment : fragments) {
      parts.add(
          new Part(
              fragment.id(),
              fragment.rowIds(),
              fragment.lastUpdatedVersions(),
              fragment.deletionFile()));
    }
    List<UUID> moves =
        source.version().indices().stream()
            .filter(IndexMetadata::isSystem)
            .map(IndexMetadata::uuid)
            .toList();
    return new Key(source.version().table().store(), source.version().table().path(), moves, parts);
  }

  /** Going through all rows that moved takes its time. */
  private RowAddressSet withFormer(List<FragmentMetadata> fragments, RowAddressSet now) {
    AddressMap moves = source.version().movedRows();
    try (Session.Lease<RowAddressSet> known =
        source
            .session()
            .acquire(key(fragments), () -> moves.withFormer(now), RowAddressSet::memoryBytes)) {
      return known.value();
    }
  }

  private RowIdSet rowIds(List<FragmentMetadata> fragments) {
    try (Session.Lease<RowIdSet> known =
        source.session().acquire(key(fragments), () -> collect(fragments), RowIdSet::memoryBytes)) {
      return known.value();
    }
  }

  private RowIdSet collect(List<FragmentMetadata> fragments) {
    StableRows stable = new StableRows(source.version(), source.session());
    RowIdSet all = RowIdSet.EMPTY;
    for (FragmentMetadata fragment : fragments) {
      all = all.or(stable.rowIds(fragment).liveIds(deletions(fragment).offsets()));
    }
    return all;
  }

  private DeletionVector deletions(FragmentMetadata fragment) {
    return DeletionFiles.read(source.version(), fragment, source.session());
  }
}
