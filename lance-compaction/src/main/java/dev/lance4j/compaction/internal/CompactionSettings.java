package dev.lance4j.compaction.internal;

import dev.lance4j.compaction.CompactionMode;

/**
 * All options of a compaction of a table; {@link dev.lance4j.compaction.CompactionOptions.Builder}
 * says what they mean.
 *
 * @param batchSize 0 for as many rows as take about 16 MiB
 */
public record CompactionSettings(
    long targetRowsPerFragment,
    long maxBytesPerFile,
    boolean materializeDeletions,
    float materializeDeletionsThreshold,
    int threads,
    int batchSize,
    boolean deferIndexRemap,
    CompactionMode mode,
    long maxSourceFragments) {}
