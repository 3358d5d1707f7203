package dev.lance4j.index;

/** Hears how far the building of an index has come. Called by one thread at a time. */
@FunctionalInterface
public interface IndexProgress {
  /** Hears nothing. */
  IndexProgress NONE = (step, done, total) -> {};

  /**
   * Some work is done.
   *
   * @param step what is going on, such as {@code "reading rows"}
   * @param done units of work of this step done so far, in most steps rows
   * @param total all units of this step; -1 if that is not known
   */
  void advanced(String step, long done, long total);
}
