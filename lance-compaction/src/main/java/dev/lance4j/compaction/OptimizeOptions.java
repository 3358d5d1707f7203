package dev.lance4j.compaction;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.IndexOptions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How to bring indices up to date with rows that were written since. Immutable.
 *
 * @param merged how many of the newest segments of each index become one with the rows that no
 *     segment covers; if absent, all segments of a scalar index and the newest one of a vector
 *     index
 * @param retrained whether everything is built anew from the rows of the table
 * @param names the indices; all if absent
 * @param build how to build segments; names and fragments in there do not count
 */
public record OptimizeOptions(
    OptionalInt merged, boolean retrained, Optional<List<String>> names, IndexOptions build) {
  public OptimizeOptions {
    names = names.map(List::copyOf);
    if (merged.isPresent() && merged.getAsInt() < 0) {
      throw new InvalidInputException(
          "The number of segments to merge must not be negative, but is " + merged.getAsInt());
    }
  }

  private static OptimizeOptions of(OptionalInt merged, boolean retrained) {
    return new OptimizeOptions(merged, retrained, Optional.empty(), IndexOptions.DEFAULT);
  }

  /** Rows that no segment covers join the segments that are there, as the kind of index likes. */
  public static OptimizeOptions defaults() {
    return of(OptionalInt.empty(), false);
  }

  /** Rows that no segment covers become a segment of their own, which is the cheapest. */
  public static OptimizeOptions append() {
    return merge(0);
  }

  /** The newest segments become one with the rows that no segment covers. */
  public static OptimizeOptions merge(int segments) {
    return of(OptionalInt.of(segments), false);
  }

  /** Everything is built anew from the rows of the table. */
  public static OptimizeOptions retrain() {
    return of(OptionalInt.empty(), true);
  }

  /** The same for some indices only. */
  public OptimizeOptions only(String... indexNames) {
    return new OptimizeOptions(merged, retrained, Optional.of(List.of(indexNames)), build);
  }

  /** The same with other memory, or a listener. */
  public OptimizeOptions build(IndexOptions options) {
    return new OptimizeOptions(merged, retrained, names, options);
  }
}
