package dev.lance4j.interop;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.interop.oracle.Oracle;
import org.apache.arrow.memory.BufferAllocator;

/** What either library does to a table and its indices. */
public final class IndexUpkeep {
  private IndexUpkeep() {}

  /** Who does something. */
  public enum Who {
    WE,
    THEY
  }

  /** How indices follow rows that a compaction moves. */
  public enum Remap {
    IMMEDIATE,
    DEFERRED,
    /** Not at all, since the table has stable row ids. */
    STABLE
  }

  /** How an index is brought up to date. */
  public enum Update {
    /** New rows become a segment. */
    APPEND,
    /** New rows become a segment with the two that there are. */
    MERGE,
    /** All rows become a segment. */
    RETRAIN
  }

  /** Compacts a table. */
  public static void compact(String uri, Remap remap, Who keeper, BufferAllocator allocator) {
    boolean deferred = remap == Remap.DEFERRED;
    if (keeper == Who.THEY) {
      Oracle.shared().call("compact", Oracle.args(uri).put("deferIndexRemap", deferred));
      return;
    }
    try (Dataset dataset = open(uri, allocator)) {
      CompactionOptions options = CompactionOptions.builder().deferIndexRemap(deferred).build();
      dataset.compact(options).dataset().close();
    }
  }

  private static Dataset open(String uri, BufferAllocator allocator) {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  /** Brings all indices up to date. */
  public static void optimize(String uri, Update update, Who keeper, BufferAllocator allocator) {
    if (keeper == Who.THEY) {
      ObjectNode args = Oracle.args(uri);
      switch (update) {
        case APPEND -> args.put("numIndicesToMerge", 0);
        case MERGE -> args.put("numIndicesToMerge", 2);
        case RETRAIN -> args.put("retrain", true);
      }
      Oracle.shared().call("optimizeIndices", args);
      return;
    }
    OptimizeOptions options =
        switch (update) {
          case APPEND -> OptimizeOptions.append();
          case MERGE -> OptimizeOptions.merge(2);
          case RETRAIN -> OptimizeOptions.retrain();
        };
    try (Dataset dataset = open(uri, allocator)) {
      dataset.optimizeIndices(options).close();
    }
  }
}
