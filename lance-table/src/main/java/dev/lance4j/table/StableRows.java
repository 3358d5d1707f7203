package dev.lance4j.table;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.rowid.FragmentRowIds;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowIdIndex;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.rowid.RowVersionSequence;
import dev.lance4j.table.internal.FragmentSequences;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The identity of the rows of a version of a table with stable row ids: the ids, the addresses that
 * they have now, and the versions in which the rows were created and changed. Immutable and safe
 * for use by many threads.
 */
public final class StableRows {
  // An index is not worth its price for fewer look-ups in a version.
  private static final long LOOK_UPS_WITHOUT_INDEX = 256;
  private static final int SMALL_SEQUENCE_BYTES = 64;
  // Rows from before versions were recorded count as created in the first one.
  private static final long FIRST_VERSION = 1;

  private final TableVersion version;
  private final Session session;
  private final FragmentSequences sequences;

  /**
   * The rows of a version.
   *
   * @param session keeps what was read
   * @throws InvalidInputException if the table has no stable row ids
   */
  public StableRows(TableVersion version, Session session) {
    if (!version.manifest().hasStableRowIds()) {
      throw new InvalidInputException(
          version.table().uri()
              + " has no stable row ids; they are decided when a table is created");
    }
    this.version = version;
    this.session = session;
    this.sequences = new FragmentSequences(version.table());
  }

  /**
   * The ids of all physical rows of a fragment.
   *
   * @throws CorruptFileException if they are missing or damaged, or not as many as the rows
   */
  public RowIdSequence rowIds(FragmentMetadata fragment) {
    return kept(
        fragment, fragment.rowIds(), Kind.ROW_IDS, sequences::rowIds, RowIdSequence::memoryBytes);
  }

  /**
   * The versions in which all physical rows of a fragment were created; 1 where that is not
   * recorded.
   *
   * @throws CorruptFileException if they are damaged, or not as many as the rows
   */
  public RowVersionSequence createdVersions(FragmentMetadata fragment) {
    return kept(
        fragment,
        fragment.createdVersions(),
        Kind.VERSIONS,
        f -> sequences.createdVersions(f).orElseGet(() -> unrecorded(f)),
        RowVersionSequence::memoryBytes);
  }

  /** The versions in which the rows were updated last; as above. */
  public RowVersionSequence lastUpdatedVersions(FragmentMetadata fragment) {
    return kept(
        fragment,
        fragment.lastUpdatedVersions(),
        Kind.VERSIONS,
        f -> sequences.lastUpdatedVersions(f).orElseGet(() -> unrecorded(f)),
        RowVersionSequence::memoryBytes);
  }

  private static RowVersionSequence unrecorded(FragmentMetadata fragment) {
    return RowVersionSequence.uniform(fragment.physicalRows(), FIRST_VERSION);
  }

  private enum Kind {
    ROW_IDS,
    VERSIONS
  }

  /**
   * Identifies a sequence by its bytes, or by where they are: a fragment's id does not, since a
   * table that is overwritten counts anew.
   */
  private record Key(
      ObjectStore store, String table, SequenceLocation location, long rows, Kind kind) {
    long bytes() {
      return location instanceof SequenceLocation.Inline inline ? inline.bytes().size() : 0;
    }
  }

  private <V> V kept(
      FragmentMetadata fragment,
      Optional<SequenceLocation> location,
      Kind kind,
      Function<FragmentMetadata, V> load,
      ToLongFunction<V> weight) {
    if (location.isEmpty() || isSmall(location.get())) {
      return load.apply(fragment);
    }
    Key key =
        new Key(
            version.table().store(),
            version.table().path(),
            location.get(),
            fragment.physicalRows(),
            kind);
    try (Session.Lease<V> lease =
        session.acquire(
            key, () -> load.apply(fragment), value -> weight.applyAsLong(value) + key.bytes())) {
      return lease.value();
    }
  }

  // Such a sequence is parsed faster than it is found.
  private static boolean isSmall(SequenceLocation location) {
    return location instanceof SequenceLocation.Inline inline
        && inline.bytes().size() <= SMALL_SEQUENCE_BYTES;
  }

  /**
   * Where the live rows with some stable ids are.
   *
   * @return the packed row address of each id, or {@link RowAddress#NONE} where no live row has it
   * @throws CorruptFileException if a sequence or a deletion file is damaged, or two live rows have
   *     the same id
   */
  public long[] rowAddresses(long... rowIds) {
    LiveRows key = version.liveRows();
    Optional<Session.Lease<RowIdIndex>> known = session.acquireIfPresent(key);
    if (known.isEmpty() && key.countLookUps(rowIds.length) <= LOOK_UPS_WITHOUT_INDEX) {
      return RowIdIndex.find(version.table().path(), fragmentsWithAny(rowIds), rowIds);
    }
    try (Session.Lease<RowIdIndex> index = known.orElseGet(this::index)) {
      return index.value().rowAddresses(rowIds);
    }
  }

  /** The index of all live rows, which is built unless the session has it. */
  public Session.Lease<RowIdIndex> index() {
    return session.acquire(version.liveRows(), this::buildIndex, RowIdIndex::memoryBytes);
  }

  private RowIdIndex buildIndex() {
    List<FragmentRowIds> fragments = new ArrayList<>();
    for (FragmentMetadata fragment : version.manifest().fragments()) {
      fragments.add(withDeletions(fragment, rowIds(fragment)));
    }
    return RowIdIndex.build(version.table().path(), fragments);
  }

  // Only fragments that have one of the ids need their deletion files read.
  private List<FragmentRowIds> fragmentsWithAny(long[] rowIds) {
    List<FragmentRowIds> fragments = new ArrayList<>();
    for (FragmentMetadata fragment : version.manifest().fragments()) {
      RowIdSequence sequence = rowIds(fragment);
      if (hasAny(sequence, rowIds)) {
        fragments.add(withDeletions(fragment, sequence));
      }
    }
    return fragments;
  }

  private static boolean hasAny(RowIdSequence sequence, long[] rowIds) {
    for (long rowId : rowIds) {
      if (sequence.offset(rowId) >= 0) {
        return true;
      }
    }
    return false;
  }

  private FragmentRowIds withDeletions(FragmentMetadata fragment, RowIdSequence rowIds) {
    DeletionVector deletions = DeletionFiles.read(version, fragment, session);
    return new FragmentRowIds(
        fragment.id(), rowIds, deletions.isEmpty() ? null : deletions.shared());
  }
}
