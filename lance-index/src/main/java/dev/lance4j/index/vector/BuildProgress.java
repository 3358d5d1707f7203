package dev.lance4j.index.vector;

/** Is told how far the build of an index is. Called by one thread at a time. */
public interface BuildProgress {
  /** Is told nothing. */
  BuildProgress NONE = (stage, done, total) -> {};

  /** What a build does, in order. */
  enum Stage {
    /** Reads rows to learn from. */
    SAMPLE,
    /** Finds centroids. */
    TRAIN_CENTROIDS,
    /** Finds how to make codes. */
    TRAIN_QUANTIZER,
    /** Reads all rows, and finds their partitions and codes. */
    ENCODE,
    /** Writes codes, partition after partition. */
    WRITE,
    /** Builds graphs, partition after partition. */
    BUILD_GRAPHS
  }

  /**
   * Some of a stage is done.
   *
   * @param done rows or partitions; 0 when the stage starts
   * @param total as far as it is known; otherwise -1
   */
  void update(Stage stage, long done, long total);
}
