package dev.lance4j.scan.internal.plan;

/**
 * How large batches may be.
 *
 * @param rows the most rows
 * @param bytes the most bytes, but for batches of one row
 */
public record BatchSize(int rows, long bytes) {
  boolean isBoundInBytes() {
    return bytes < Long.MAX_VALUE;
  }
}
