package dev.lance4j.compaction;

/**
 * What a table needs, and why.
 *
 * @param action what to do
 * @param target the index that it concerns; the table's URI where it concerns all of it
 * @param reason what was found, and the threshold that it crosses
 * @param expectedGain what will be better
 */
public record Recommendation(Action action, String target, String reason, String expectedGain) {
  /** What can be done. */
  public enum Action {
    /** Rewrite small fragments and those with many deleted rows. */
    COMPACT,
    /** Give an index a segment of the rows that it does not cover. */
    APPEND_DELTA,
    /** Make one segment of an index out of several. */
    MERGE_SEGMENTS,
    /** Build an index anew from the rows of the table. */
    RETRAIN,
    /** Have indices catch up with compactions that deferred it, and forget where rows went. */
    REMAP
  }

  @Override
  public String toString() {
    return action + " " + target + ": " + reason + "; " + expectedGain;
  }
}
