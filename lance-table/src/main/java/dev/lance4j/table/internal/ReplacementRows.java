package dev.lance4j.table.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import java.util.Optional;

/** Checks that files which replace others have as many rows. */
public final class ReplacementRows {
  private ReplacementRows() {}

  /**
   * Opens the new files.
   *
   * @param version that the files are for
   * @throws InvalidInputException if a file is missing, or has another number of rows than its
   *     fragment
   */
  public static void check(TableVersion version, Operation operation) {
    if (operation instanceof Operation.DataReplacement replacement) {
      replacement.replacements().forEach(each -> check(version, each));
    }
  }

  private static void check(TableVersion version, Operation.Replacement replacement) {
    Optional<FragmentMetadata> fragment = version.manifest().fragment(replacement.fragmentId());
    if (fragment.isEmpty() || fragment.get().physicalRows() == 0) {
      return;
    }
    StoreLocation location = version.table().locate(replacement.newFile(), version.manifest());
    try (LanceFileReader reader = LanceFileReader.open(location.store(), location.path())) {
      if (reader.rowCount() != fragment.get().physicalRows()) {
        throw new InvalidInputException(
            "The new data file "
                + location.path()
                + " has "
                + reader.rowCount()
                + " rows, but fragment "
                + replacement.fragmentId()
                + " has "
                + fragment.get().physicalRows()
                + ", deleted ones included");
      }
    } catch (ObjectNotFoundException e) {
      throw new InvalidInputException(
          "The new data file " + location.path() + " does not exist; write it first", e);
    }
  }
}
