package dev.lance4j.scan.internal.plan;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of scans for which no others are given: one for each processor, while needed. */
public final class Threads {
  private static final int IDLE_SECONDS = 5;

  private Threads() {}

  private static final class Shared {
    static final Executor INSTANCE = create();

    private static Executor create() {
      AtomicInteger number = new AtomicInteger();
      ThreadPoolExecutor pool =
          new ThreadPoolExecutor(
              processors(),
              processors(),
              IDLE_SECONDS,
              TimeUnit.SECONDS,
              new LinkedBlockingQueue<>(),
              work -> {
                Thread thread = new Thread(work, "lance-scan-" + number.incrementAndGet());
                thread.setDaemon(true);
                return thread;
              });
      pool.allowCoreThreadTimeOut(true);
      return pool;
    }
  }

  static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** An executor that all scans share; its threads end when they were idle for a while. */
  public static Executor shared() {
    return Shared.INSTANCE;
  }
}
