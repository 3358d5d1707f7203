package dev.lance4j;

/**
 * What a merge did.
 *
 * @param dataset the version that it made, to be closed by the caller
 * @param rowsInserted rows that were added
 * @param rowsUpdated rows that got new values
 * @param rowsDeleted rows that went away; those that were updated do not count
 * @param duplicatesSkipped source rows that did not count because an earlier one had the same key
 * @param attempts how often the merge was tried, at least 1
 * @param filesWritten data files that were written by the attempt that succeeded
 * @param bytesWritten the bytes of these files
 */
public record MergeResult(
    Dataset dataset,
    long rowsInserted,
    long rowsUpdated,
    long rowsDeleted,
    long duplicatesSkipped,
    int attempts,
    long filesWritten,
    long bytesWritten) {}
