package dev.lance4j.table;

/**
 * What a clean-up removed, or would have removed if it was a dry run.
 *
 * @param bytesRemoved the size of all that was removed, manifests included
 * @param oldVersions number of versions
 * @param dataFilesRemoved number of data files
 * @param transactionFilesRemoved number of transaction files
 * @param indexFilesRemoved number of files of index segments
 * @param deletionFilesRemoved number of deletion files
 */
public record CleanupResult(
    long bytesRemoved,
    long oldVersions,
    long dataFilesRemoved,
    long transactionFilesRemoved,
    long indexFilesRemoved,
    long deletionFilesRemoved) {}
