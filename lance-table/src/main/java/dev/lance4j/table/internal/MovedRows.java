package dev.lance4j.table.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.rowid.RowIdSet;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * Checks that rows which an update brings along with their stable ids are deleted where they were,
 * so that no id is live twice.
 */
public final class MovedRows {
  private final TableVersion read;
  private final Basis basis;
  private final FragmentSequences sequences;

  /**
   * @param read the version that the update read
   * @param basis the same version, and the rows that are affected
   */
  public MovedRows(TableVersion read, Basis basis) {
    this.read = read;
    this.basis = basis;
    this.sequences = new FragmentSequences(read.table());
  }

  /**
   * Checks an update.
   *
   * @throws InvalidInputException if a row was not live, or stays live where it was
   */
  public void check(Operation.Update update) {
    RowIdSet moved = RowIdSet.EMPTY;
    for (FragmentMetadata fragment : update.newFragments()) {
      if (fragment.rowIds().isPresent()) {
        RowIdSequence given = sequences.parseRowIds(fragment.rowIds().get());
        given.requireGivenOut(read.manifest().nextRowId());
        moved = moved.or(given.ids());
      }
    }
    if (moved.isEmpty()) {
      return;
    }
    RowIdSet staying = moved.andNot(idsAt(basis.affectedRows().orElseGet(() -> deleted(update))));
    if (!staying.isEmpty()) {
      throw new InvalidInputException(
          "The update brings row id "
              + Long.toUnsignedString(staying.iterator().nextLong())
              + " along in a new fragment, but does not delete that row where it was in version "
              + basis.version()
              + "; delete each row that moves");
    }
  }

  private RowIdSet idsAt(RowAddressSet addresses) {
    RowIdSet.Builder ids = RowIdSet.builder();
    for (long fragmentId : addresses.fragmentIds()) {
      FragmentMetadata fragment = basis.fragment(fragmentId);
      if (fragment == null) {
        continue;
      }
      RowIdSequence sequence = sequences.rowIds(fragment);
      PeekableIntIterator offsets =
          addresses.offsets(fragmentId, fragment.physicalRows()).getIntIterator();
      while (offsets.hasNext()) {
        ids.add(sequence.rowId(Integer.toUnsignedLong(offsets.next())));
      }
    }
    return ids.build();
  }

  /** The rows that were live in the version read and are not after the update. */
  private RowAddressSet deleted(Operation.Update update) {
    RowAddressSet.Builder rows = RowAddressSet.builder();
    for (long id : update.removedFragmentIds()) {
      FragmentMetadata before = basis.fragment(id);
      if (before != null) {
        RoaringBitmap live = new RoaringBitmap();
        live.add(0L, before.physicalRows());
        live.andNot(DeletionFiles.read(read, before).offsets());
        rows.addOffsets(id, live);
      }
    }
    for (FragmentMetadata after : update.updatedFragments()) {
      FragmentMetadata before = basis.fragment(after.id());
      if (before != null && !after.deletionFile().equals(before.deletionFile())) {
        RoaringBitmap gone = DeletionFiles.read(read, after).offsets();
        DeletionVector already = DeletionFiles.read(read, before);
        gone.andNot(already.offsets());
        rows.addOffsets(after.id(), gone);
      }
    }
    return rows.build();
  }
}
