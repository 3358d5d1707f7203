package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.v21.item.BlockSink;
import dev.lance4j.format.internal.v21.level.LevelEntries;

/**
 * Where the pages of one column put what they decode.
 *
 * @param items takes one item for each visible entry
 * @param levels takes all entries
 */
public record LeafSink(BlockSink items, LevelEntries levels) {}
