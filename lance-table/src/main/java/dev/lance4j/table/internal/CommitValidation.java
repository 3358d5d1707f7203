package dev.lance4j.table.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Transaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.roaringbitmap.RoaringBitmap;

/**
 * Checks of a transaction against the version that the caller holds, before anything is written.
 */
public final class CommitValidation {
  private CommitValidation() {}

  /**
   * Checks a transaction.
   *
   * @param manifest of the version that the caller holds
   * @throws InvalidInputException if the transaction does not fit it
   */
  public static void check(Transaction transaction, Manifest manifest) {
    Checks.requireUuid(transaction.uuid());
    Operation operation = transaction.operation();
    if (operation instanceof Operation.Append append) {
      checkFiles(append.fragments());
    } else if (operation instanceof Operation.Overwrite overwrite) {
      checkFiles(overwrite.fragments());
    } else if (operation instanceof Operation.Update update) {
      checkFiles(update.updatedFragments());
      checkFiles(update.newFragments());
      checkRowsInPlace(update);
    } else if (operation instanceof Operation.Merge merge) {
      checkFiles(merge.fragments());
      checkMerge(merge, manifest.fragments());
    } else if (operation instanceof Operation.Rewrite rewrite) {
      checkFragmentReuse(rewrite);
    }
  }

  private static void checkFragmentReuse(Operation.Rewrite rewrite) {
    if (rewrite.fragmentReuse().isEmpty()) {
      return;
    }
    String name = rewrite.fragmentReuse().get().name();
    if (!name.equals(IndexMetadata.FRAGMENT_REUSE)) {
      throw new InvalidInputException(
          "The entry of the fragment reuse index is named '"
              + name
              + "', not '"
              + IndexMetadata.FRAGMENT_REUSE
              + "'");
    }
    if (!rewrite.rewrittenIndices().isEmpty()) {
      throw new InvalidInputException(
          "The rewrite replaces index segments and leaves their translation for later; do either");
    }
  }

  private static void checkFiles(List<FragmentMetadata> fragments) {
    for (FragmentMetadata fragment : fragments) {
      if (fragment.files().isEmpty()) {
        throw new InvalidInputException("Fragment " + fragment.id() + " has no data files");
      }
      for (DataFile file : fragment.files()) {
        if (file.fieldIds().isEmpty()) {
          throw new InvalidInputException(
              "Datafile " + file.path() + " does not contain any fields");
        }
      }
    }
  }

  private static void checkRowsInPlace(Operation.Update update) {
    Map<Long, FragmentMetadata> updated = Basis.byId(update.updatedFragments());
    RowAddressSet rows = update.rowsUpdatedInPlace();
    for (long id : rows.fragmentIds()) {
      FragmentMetadata fragment = updated.get(id);
      if (fragment == null) {
        throw new InvalidInputException(
            "Rows of fragment " + id + " were updated in place, but it is not an updated fragment");
      }
      checkOffsets(rows, fragment);
    }
  }

  private static void checkOffsets(RowAddressSet rows, FragmentMetadata fragment) {
    if (rows.containsFragment(fragment.id()) || fragment.physicalRows() == 0) {
      return;
    }
    RoaringBitmap offsets = rows.offsets(fragment.id(), RowAddress.LIMIT);
    if (!offsets.isEmpty() && Integer.toUnsignedLong(offsets.last()) >= fragment.physicalRows()) {
      throw new InvalidInputException(
          "There is no row at offset "
              + Integer.toUnsignedString(offsets.last())
              + " of fragment "
              + fragment.id()
              + ", which has "
              + fragment.physicalRows());
    }
  }

  /**
   * Checks that the affected rows of a delete or update are those that its deletion files add.
   *
   * @param basis what the operation was computed from
   * @throws InvalidInputException if they are not, or there are some although the operation is of
   *     another kind
   */
  public static void checkAffectedRows(Operation operation, Basis basis) {
    if (basis.affectedRows().isEmpty()) {
      return;
    }
    RowAddressSet rows = basis.affectedRows().get();
    Set<Long> removed;
    List<FragmentMetadata> updated;
    if (operation instanceof Operation.Delete delete) {
      removed = new HashSet<>(delete.deletedFragmentIds());
      updated = delete.updatedFragments();
    } else if (operation instanceof Operation.Update update) {
      removed = new HashSet<>(update.removedFragmentIds());
      updated = update.updatedFragments();
    } else {
      throw new InvalidInputException(
          "A " + operation.kind() + " has no affected rows; only deletes and updates have");
    }
    Set<Long> touched = new HashSet<>(removed);
    for (FragmentMetadata fragment : updated) {
      touched.add(fragment.id());
      checkAffectedRows(rows, basis.fragment(fragment.id()), fragment);
    }
    for (long id : rows.fragmentIds()) {
      if (!touched.contains(id)) {
        throw new InvalidInputException(
            "Rows of fragment " + id + " are affected, but the operation does not change it");
      }
    }
  }

  private static void checkAffectedRows(
      RowAddressSet rows, FragmentMetadata before, FragmentMetadata after) {
    boolean counted =
        before != null
            && after.physicalRows() > 0
            && isCounted(before.deletionFile())
            && isCounted(after.deletionFile());
    if (!counted) {
      return;
    }
    checkOffsets(rows, after);
    long affected = rows.offsets(after.id(), after.physicalRows()).getLongCardinality();
    if (before.deletedRows() + affected != after.deletedRows()) {
      throw new InvalidInputException(
          affected
              + " rows of fragment "
              + after.id()
              + " are affected, but it has "
              + after.deletedRows()
              + " deleted rows where it had "
              + before.deletedRows());
    }
  }

  private static boolean isCounted(Optional<DeletionFile> file) {
    return file.isEmpty() || file.get().deletedRows() > 0;
  }

  private static void checkMerge(Operation.Merge merge, List<FragmentMetadata> existing) {
    Map<Long, FragmentMetadata> merged = new HashMap<>();
    merge.fragments().forEach(fragment -> merged.put(fragment.id(), fragment));
    TreeSet<Long> missing = new TreeSet<>();
    for (FragmentMetadata fragment : existing) {
      FragmentMetadata after = merged.get(fragment.id());
      if (after == null) {
        missing.add(fragment.id());
      } else if (after.physicalRows() != fragment.physicalRows()) {
        throw new InvalidInputException(
            "Merge operation changed row count for fragment "
                + fragment.id()
                + " from "
                + fragment.physicalRows()
                + " to "
                + after.physicalRows());
      }
    }
    if (!missing.isEmpty()) {
      throw new InvalidInputException(
          "Merge operation is missing original fragments: "
              + missing
              + "; give all fragments of the dataset");
    }
  }
}
