package dev.lance4j.scan.internal.plan;

import java.util.concurrent.Executor;

/**
 * How a scan works ahead of its reader.
 *
 * @param executor does the work
 * @param readAheadBytes the most bytes of batches that are ready or in work, but for one batch
 * @param ordered whether batches come in the order of the table
 */
public record Parallelism(Executor executor, long readAheadBytes, boolean ordered) {}
