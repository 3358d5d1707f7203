package dev.lance4j;

/**
 * What a delete did.
 *
 * @param dataset the version without the rows, to be closed by the caller; the version that was
 *     deleted from when no row matched
 * @param rowsDeleted how many rows were deleted
 */
public record DeleteResult(Dataset dataset, long rowsDeleted) {}
