package dev.lance4j.scan.internal.evaluation;

import dev.lance4j.scan.VectorReport;
import java.util.Arrays;
import java.util.function.Supplier;

/** How long searches took. For use by one thread. */
public final class Latencies {
  private static final double NANOS_PER_MILLI = 1e6;

  private long[] nanos = new long[64];
  private int count;

  /** Times a search. */
  public <R> R time(Supplier<R> search) {
    long start = System.nanoTime();
    R found = search.get();
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = System.nanoTime() - start;
    return found;
  }

  /** The times that half, 95 and 99 percent of the searches did not exceed; at least one. */
  public VectorReport.Percentiles percentiles() {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return new VectorReport.Percentiles(at(sorted, 0.5), at(sorted, 0.95), at(sorted, 0.99));
  }

  private static double at(long[] sorted, double part) {
    int rank = (int) Math.ceil(part * sorted.length);
    return sorted[Math.max(0, rank - 1)] / NANOS_PER_MILLI;
  }
}
