package dev.lance4j.compaction;

import java.io.Serializable;

/**
 * What a compaction did. Immutable.
 *
 * @param fragmentsRemoved fragments that were rewritten
 * @param filesRemoved their data and deletion files, which earlier versions still need
 * @param fragmentsAdded new fragments
 * @param filesAdded their data files
 */
public record CompactionMetrics(
    long fragmentsRemoved, long filesRemoved, long fragmentsAdded, long filesAdded)
    implements Serializable {

  /** Nothing was done. */
  public static final CompactionMetrics NONE = new CompactionMetrics(0, 0, 0, 0);

  /** Both together. */
  public CompactionMetrics plus(CompactionMetrics other) {
    return new CompactionMetrics(
        fragmentsRemoved + other.fragmentsRemoved,
        filesRemoved + other.filesRemoved,
        fragmentsAdded + other.fragmentsAdded,
        filesAdded + other.filesAdded);
  }
}
