package dev.lance4j.table.internal;

import dev.lance4j.format.LanceException;
import dev.lance4j.format.store.ObjectStore;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Deletes objects, no faster than allowed. Used by one thread. */
public final class Deletions {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final boolean dryRun;
  private final long nanosPerObject;
  private long next = System.nanoTime();

  /**
   * @param perSecond the most objects to delete in a second
   * @param dryRun whether to delete nothing
   */
  public Deletions(OptionalLong perSecond, boolean dryRun) {
    this.dryRun = dryRun;
    this.nanosPerObject = perSecond.isPresent() ? NANOS_PER_SECOND / perSecond.getAsLong() : 0;
  }

  /** Deletes an object when it is its turn. */
  public void delete(ObjectStore store, String path) {
    if (dryRun) {
      return;
    }
    if (nanosPerObject > 0) {
      sleep(next - System.nanoTime());
      next = System.nanoTime() + nanosPerObject;
    }
    store.delete(path);
  }

  private static void sleep(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LanceException("The clean-up was interrupted; what it deleted is gone", e);
    }
  }
}
