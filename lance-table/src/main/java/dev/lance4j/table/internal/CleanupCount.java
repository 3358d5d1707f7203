package dev.lance4j.table.internal;

import dev.lance4j.table.CleanupResult;
import java.util.EnumMap;
import java.util.Map;

/** Counts what a clean-up removes. */
public final class CleanupCount {
  private final Map<TableFile.Kind, Long> files = new EnumMap<>(TableFile.Kind.class);
  private long bytes;
  private long versions;

  /**
   * Counts a manifest.
   *
   * @param ofHistory whether it is not of a detached version
   */
  public void addVersion(long size, boolean ofHistory) {
    bytes += size;
    versions += ofHistory ? 1 : 0;
  }

  /** Counts a file. */
  public void addFile(TableFile.Kind kind, long size) {
    bytes += size;
    files.merge(kind, 1L, Long::sum);
  }

  /** What was counted. */
  public CleanupResult result() {
    return new CleanupResult(
        bytes,
        versions,
        count(TableFile.Kind.DATA),
        count(TableFile.Kind.TRANSACTION),
        count(TableFile.Kind.INDEX),
        count(TableFile.Kind.DELETIONS));
  }

  private long count(TableFile.Kind kind) {
    return files.getOrDefault(kind, 0L);
  }
}
