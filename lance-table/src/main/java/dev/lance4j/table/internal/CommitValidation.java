package dev.lance4j.table.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Transaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

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
    } else if (operation instanceof Operation.Merge merge) {
      checkFiles(merge.fragments());
      checkMerge(merge, manifest.fragments());
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
