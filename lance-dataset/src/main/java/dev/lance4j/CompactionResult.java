package dev.lance4j;

/**
 * What a compaction did.
 *
 * @param dataset the newest version known, to be closed by the caller; the one that was compacted
 *     when nothing was to do
 * @param fragmentsRemoved fragments that were rewritten
 * @param fragmentsAdded fragments that took their place
 * @param filesRemoved data and deletion files of the former, which earlier versions still need
 * @param filesAdded data files of the latter
 */
public record CompactionResult(
    Dataset dataset,
    long fragmentsRemoved,
    long fragmentsAdded,
    long filesRemoved,
    long filesAdded) {}
