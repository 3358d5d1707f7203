package dev.lance4j.scan;

import java.util.List;
import java.util.Locale;

/**
 * What a scan did. Threads that work ahead of the reader count too.
 *
 * @param rows that were given
 * @param nanos since the scan was opened
 * @param steps of the plan, each before those that it takes rows from
 */
public record ScanMetrics(long rows, long nanos, List<Step> steps) {
  private static final double NANOS_PER_MILLI = 1e6;

  public ScanMetrics {
    steps = List.copyOf(steps);
  }

  /**
   * What a step of the plan did.
   *
   * @param description what the step is
   * @param depth how many steps there are between it and the end of the plan
   * @param rows that it passed on
   * @param batches that it passed on, those that are empty included
   * @param requests calls to stores for data, each of one range of bytes or of many; footers and
   *     other metadata do not count
   * @param bytes of data that were asked of stores
   * @param spilledBytes written to temporary files
   * @param nanos spent by all threads together, without the time of other steps
   */
  public record Step(
      String description,
      int depth,
      long rows,
      long batches,
      long requests,
      long bytes,
      long spilledBytes,
      long nanos) {
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("  ".repeat(depth)).append(description);
      text.append(String.format(Locale.ROOT, " [rows=%d, batches=%d", rows, batches));
      if (requests > 0) {
        text.append(String.format(Locale.ROOT, ", requests=%d, bytes=%d", requests, bytes));
      }
      if (spilledBytes > 0) {
        text.append(", spilled bytes=").append(spilledBytes);
      }
      return text.append(String.format(Locale.ROOT, ", %.3f ms]", nanos / NANOS_PER_MILLI))
          .toString();
    }
  }

  /** The calls to stores for data. */
  public long requests() {
    return steps.stream().mapToLong(Step::requests).sum();
  }

  /** The bytes of data that were asked of stores. */
  public long bytes() {
    return steps.stream().mapToLong(Step::bytes).sum();
  }

  /** A line for the whole, then one for each step. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%d rows, %d requests, %d bytes, %.3f ms%n",
            rows,
            requests(),
            bytes(),
            nanos / NANOS_PER_MILLI));
    steps.forEach(step -> text.append(step).append('\n'));
    return text.toString();
  }
}
