package dev.lance4j.index.vector.internal.build;

import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.index.vector.internal.search.PartitionCache;

/**
 * Rows of a segment that go into a new one.
 *
 * @param partitions of the segment
 * @param rows says under which number each goes there
 */
public record OldRows(PartitionCache partitions, RowTranslation rows) {}
