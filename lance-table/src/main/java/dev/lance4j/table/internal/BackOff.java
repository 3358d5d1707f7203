package dev.lance4j.table.internal;

import dev.lance4j.format.LanceException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Waits between attempts of which the first one tells how long an attempt takes. Each time, a
 * random number of such spans is waited, from a range that doubles, so that writers that collided
 * spread out. Used for one series of attempts.
 */
public final class BackOff {
  private static final int FIRST_RANGE_BITS = 2;
  private static final int MAX_RANGE_BITS = 20;

  private final long start = System.nanoTime();
  private final long budgetNanos;
  private long unitNanos;
  private int failures;

  /**
   * @param budget how long the attempts may take in all
   */
  public BackOff(Duration budget) {
    this.budgetNanos = budget.toNanos();
  }

  /** The number of attempts that failed. */
  public int failures() {
    return failures;
  }

  /**
   * Waits after a failed attempt.
   *
   * @return false if there is no time left for another attempt
   */
  public boolean await() {
    long elapsed = System.nanoTime() - start;
    if (failures == 0) {
      unitNanos = elapsed / 10 * 11;
    }
    int bits = Math.min(FIRST_RANGE_BITS + failures, MAX_RANGE_BITS);
    failures++;
    long left = budgetNanos - elapsed;
    if (left <= 0) {
      return false;
    }
    long slots = ThreadLocalRandom.current().nextLong(1L << bits);
    sleep(slots == 0 ? 0 : Math.min(left, unitNanos > left / slots ? left : slots * unitNanos));
    return true;
  }

  private static void sleep(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LanceException("The commit was interrupted while it waited for other writers", e);
    }
  }
}
