package dev.lance4j.write.internal.merge;

import dev.lance4j.write.MergeCounts;
import dev.lance4j.write.RowChange;

/**
 * What an attempt to merge did, before it is committed.
 *
 * @param change what to commit
 * @param counts what was done
 */
public record MergeWork(RowChange change, MergeCounts counts) {}
