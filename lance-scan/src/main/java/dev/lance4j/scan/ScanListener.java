package dev.lance4j.scan;

/**
 * Is told how a scan goes, by the thread that reads its batches. What it throws, reading throws.
 */
public interface ScanListener {
  /**
   * A batch was made.
   *
   * @param soFar what was done since the scan was opened
   */
  default void onBatch(ScanMetrics soFar) {}

  /** The reader was closed, at its end or before. */
  default void onEnd(ScanMetrics total) {}
}
