package dev.lance4j.table;

import dev.lance4j.format.FileVersion;
import java.util.Optional;

/**
 * How to commit. Immutable.
 *
 * @param maxRetries how often to try again after somebody else was faster; with 0 an overwrite
 *     succeeds only if nothing at all was committed since the version that it read
 * @param stableRowIds whether rows of a new table keep their ids when they move; an existing table
 *     keeps its own setting
 * @param fileVersion the version of the data files of a new or overwritten table; that of the files
 *     if absent, and the default if there are none
 * @param naming how the manifests of a new table are named; an existing table keeps its scheme
 * @param skipAutoCleanup whether the table is not cleaned up afterwards although its settings say
 *     so
 */
public record CommitOptions(
    int maxRetries,
    boolean stableRowIds,
    Optional<FileVersion> fileVersion,
    ManifestNaming naming,
    boolean skipAutoCleanup) {

  /** Twenty retries; new tables without stable row ids and with V2 names. */
  public static final CommitOptions DEFAULT =
      new CommitOptions(20, false, Optional.empty(), ManifestNaming.V2, false);

  /** These options with another number of retries. */
  public CommitOptions withMaxRetries(int retries) {
    return new CommitOptions(retries, stableRowIds, fileVersion, naming, skipAutoCleanup);
  }

  /** These options with or without stable row ids in new tables. */
  public CommitOptions withStableRowIds(boolean stable) {
    return new CommitOptions(maxRetries, stable, fileVersion, naming, skipAutoCleanup);
  }

  /** These options with a version of the data files. */
  public CommitOptions withFileVersion(FileVersion version) {
    return new CommitOptions(
        maxRetries, stableRowIds, Optional.of(version), naming, skipAutoCleanup);
  }

  /** These options with another naming scheme for new tables. */
  public CommitOptions withNaming(ManifestNaming scheme) {
    return new CommitOptions(maxRetries, stableRowIds, fileVersion, scheme, skipAutoCleanup);
  }

  /** These options with or without the clean-up that the table's settings ask for. */
  public CommitOptions withSkipAutoCleanup(boolean skip) {
    return new CommitOptions(maxRetries, stableRowIds, fileVersion, naming, skip);
  }
}
