package dev.lance4j.format.internal.io;

/**
 * Counts what one thread reads of data files, from its first reading on. Differences between two
 * looks tell what was read in between. Footers and other metadata do not count.
 */
public final class ReadMeter {
  private static final ThreadLocal<ReadMeter> OF_THREAD = ThreadLocal.withInitial(ReadMeter::new);

  private long requests;
  private long bytes;

  private ReadMeter() {}

  /** The meter of the calling thread, which no other thread may use. */
  public static ReadMeter ofThread() {
    return OF_THREAD.get();
  }

  void count(long moreBytes) {
    requests++;
    bytes += moreBytes;
  }

  /** The number of calls to stores; one may ask for many ranges. */
  public long requests() {
    return requests;
  }

  /** The number of bytes asked for. */
  public long bytes() {
    return bytes;
  }
}
