package dev.lance4j.table.internal;

import com.google.protobuf.ByteString;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.rowid.CreatedVersions;
import dev.lance4j.rowid.FragmentLineage;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.rowid.RowIdSet;
import dev.lance4j.rowid.RowVersionSequence;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.SequenceLocation;
import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/** Gives the rows of fragments stable ids and versions. Used for one build of a manifest. */
final class RowIdAssignment {
  // What readers take rows for that were written before versions were recorded.
  private static final long UNRECORDED = 1;

  private final Manifest base;
  private final FragmentSequences sequences;
  private final long version;
  private long nextRowId;
  private RowIdSet moved = RowIdSet.EMPTY;
  private List<FragmentLineage> lineage;

  /**
   * @param base the version before
   * @param version the version that is being built
   */
  RowIdAssignment(Manifest base, FragmentSequences sequences, long version) {
    this.base = base;
    this.sequences = sequences;
    this.version = version;
    this.nextRowId = base.nextRowId();
  }

  /** The first id that is still free. */
  long nextRowId() {
    return nextRowId;
  }

  /**
   * New fragments with fresh ids for their rows, which all appear in this version.
   *
   * @throws InvalidInputException if a row has an id already
   */
  List<FragmentMetadata> fresh(List<FragmentMetadata> fragments) {
    List<FragmentMetadata> assigned = new ArrayList<>(fragments.size());
    for (FragmentMetadata fragment : fragments) {
      if (given(fragment).length() > 0) {
        throw new InvalidInputException(
            "A new fragment has row ids already; leave them out, the commit assigns them");
      }
      assigned.add(filled(fragment, RowIdSequence.EMPTY));
    }
    return assigned;
  }

  /**
   * New fragments in which moved rows keep their ids and the versions in which they were created;
   * the rows after them get fresh ids.
   *
   * @throws InvalidInputException if there are more ids than rows, or an id is repeated or was
   *     never given to a row
   */
  List<FragmentMetadata> moved(List<FragmentMetadata> fragments) {
    List<FragmentMetadata> assigned = new ArrayList<>(fragments.size());
    for (FragmentMetadata fragment : fragments) {
      RowIdSequence given = given(fragment);
      requireUnmoved(given.ids());
      assigned.add(filled(fragment, given));
    }
    return assigned;
  }

  private void requireUnmoved(RowIdSet ids) {
    if (!moved.and(ids).isEmpty()) {
      throw new InvalidInputException(
          "The new fragments have some row ids twice; each row can move to one place only");
    }
    moved = moved.or(ids);
  }

  /** The ids that a new fragment's first rows bring along. */
  RowIdSequence given(FragmentMetadata fragment) {
    return fragment.rowIds().map(sequences::parseRowIds).orElse(RowIdSequence.EMPTY);
  }

  private FragmentMetadata filled(FragmentMetadata fragment, RowIdSequence given) {
    long rows = fragment.physicalRows();
    // What an earlier fragment of this commit got is no id that a row can bring along.
    given.requireGivenOut(base.nextRowId());
    RowIdSequence ids = given.fill(rows, nextRowId);
    nextRowId += rows - given.length();
    RowVersionSequence created =
        given.length() == 0
            ? RowVersionSequence.uniform(rows, version)
            : CreatedVersions.of(ids, lineage(), version);
    return fragment
        .withRowIds(inline(ids.toByteString()))
        .withRowVersions(uniform(rows), inline(created.toByteString()));
  }

  private List<FragmentLineage> lineage() {
    if (lineage == null) {
      lineage = base.fragments().stream().map(sequences::lineage).toList();
    }
    return lineage;
  }

  /** A fragment all of whose rows were updated in this version. */
  FragmentMetadata updated(FragmentMetadata fragment) {
    return fragment.withLastUpdatedVersions(uniform(fragment.physicalRows()));
  }

  /** A fragment some of whose rows were updated in this version, deleted ones perhaps included. */
  FragmentMetadata updated(FragmentMetadata fragment, RoaringBitmap offsets) {
    if (offsets.isEmpty()) {
      return fragment;
    }
    RowVersionSequence before =
        sequences
            .lastUpdatedVersions(fragment)
            .orElseGet(() -> RowVersionSequence.uniform(fragment.physicalRows(), UNRECORDED));
    return fragment.withLastUpdatedVersions(
        inline(before.withVersion(offsets, version).toByteString()));
  }

  private SequenceLocation uniform(long rows) {
    return inline(RowVersionSequence.uniform(rows, version).toByteString());
  }

  private static SequenceLocation inline(ByteString bytes) {
    return new SequenceLocation.Inline(bytes);
  }

  /**
   * Checks fragments whose rows have all come from elsewhere.
   *
   * @throws InvalidInputException if a row has no id, or an id was never given to a row
   */
  void requireComplete(List<FragmentMetadata> fragments) {
    for (FragmentMetadata fragment : fragments) {
      RowIdSequence given = given(fragment);
      given.requireGivenOut(nextRowId);
      if (given.length() != fragment.physicalRows()) {
        throw new InvalidInputException(
            "A rewritten fragment has "
                + given.length()
                + " row ids for "
                + fragment.physicalRows()
                + " rows; rows keep their ids when they move");
      }
    }
  }
}
