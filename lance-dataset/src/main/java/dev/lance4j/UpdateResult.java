package dev.lance4j;

/**
 * What an update did.
 *
 * @param dataset the version with the new values, to be closed by the caller; the version that was
 *     updated when no row matched
 * @param rowsUpdated how many rows were updated
 */
public record UpdateResult(Dataset dataset, long rowsUpdated) {}
