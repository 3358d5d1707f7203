package dev.lance4j.write;

/**
 * What a merge did.
 *
 * @param rowsInserted rows that were added
 * @param rowsUpdated rows of the table that got new values
 * @param rowsDeleted rows of the table that went away; those that were updated do not count
 * @param duplicatesSkipped source rows that did not count because an earlier one had the same key
 * @param filesWritten data files that were written
 * @param bytesWritten the bytes of these files
 */
public record MergeCounts(
    long rowsInserted,
    long rowsUpdated,
    long rowsDeleted,
    long duplicatesSkipped,
    long filesWritten,
    long bytesWritten) {}
