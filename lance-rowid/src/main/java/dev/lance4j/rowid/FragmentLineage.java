package dev.lance4j.rowid;

/**
 * The ids of a fragment's rows and the versions in which the rows were created.
 *
 * @param fragmentId the fragment
 * @param rowIds one id for each physical row
 * @param createdVersions one version for each physical row, or null if the fragment was written
 *     before versions were kept; its rows then count as created in version 1
 */
public record FragmentLineage(
    long fragmentId, RowIdSequence rowIds, RowVersionSequence createdVersions) {
  long createdVersion(long offset) {
    return createdVersions == null ? 1 : createdVersions.version(offset);
  }
}
