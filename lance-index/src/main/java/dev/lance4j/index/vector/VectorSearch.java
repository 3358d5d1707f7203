package dev.lance4j.index.vector;

import dev.lance4j.format.InvalidInputException;
import java.util.OptionalInt;

/**
 * How to search a vector index. Immutable: each method returns a refined copy.
 *
 * @param k how many rows to find
 * @param refine how many times that many candidates to give, for choosing among them by exact
 *     distances; 1 for none
 * @param minProbes how many partitions of each segment to search at least
 * @param maxProbes how many at most; more than the least number are searched only while fewer than
 *     {@code k} rows are found. All if absent
 * @param ef how many rows to keep in sight while a graph is searched
 * @param lower the least distance of a row to be found
 * @param upper the least distance that is too far
 */
public record VectorSearch(
    int k,
    int refine,
    int minProbes,
    OptionalInt maxProbes,
    OptionalInt ef,
    float lower,
    float upper) {

  /** A search for {@code k} rows with one partition or more. */
  public static VectorSearch of(int k) {
    if (k <= 0) {
      throw new InvalidInputException("K must be greater than 0");
    }
    return new VectorSearch(
        k,
        1,
        1,
        OptionalInt.empty(),
        OptionalInt.empty(),
        Float.NEGATIVE_INFINITY,
        Float.POSITIVE_INFINITY);
  }

  /** With so many partitions, neither more nor fewer. */
  public VectorSearch probes(int count) {
    return probes(count, count);
  }

  /** With so many partitions. */
  public VectorSearch probes(int min, int max) {
    if (min < 1) {
      throw new InvalidInputException("At least one partition must be searched, not " + min);
    }
    if (max < min) {
      throw new InvalidInputException("At most " + max + " partitions cannot be at least " + min);
    }
    return new VectorSearch(k, refine, min, OptionalInt.of(max), ef, lower, upper);
  }

  /** With at least so many partitions, and more while too few rows are found. */
  public VectorSearch minProbes(int min) {
    if (min < 1) {
      throw new InvalidInputException("At least one partition must be searched, not " + min);
    }
    if (maxProbes.isPresent() && maxProbes.getAsInt() < min) {
      throw new InvalidInputException(
          "At most " + maxProbes.getAsInt() + " partitions cannot be at least " + min);
    }
    return new VectorSearch(k, refine, min, maxProbes, ef, lower, upper);
  }

  /** Keeping so many rows in sight while a graph is searched. */
  public VectorSearch ef(int rows) {
    if (rows < candidates()) {
      throw new InvalidInputException(
          String.format(
              "ef must be greater than or equal to k: %d is less than %d", rows, candidates()));
    }
    return new VectorSearch(k, refine, minProbes, maxProbes, OptionalInt.of(rows), lower, upper);
  }

  /** Giving {@code factor} times as many candidates. */
  public VectorSearch refine(int factor) {
    if (factor <= 0) {
      throw new InvalidInputException("Refine factor cannot be zero");
    }
    return new VectorSearch(k, factor, minProbes, maxProbes, ef, lower, upper);
  }

  /** Only rows whose distance is at least {@code from} and less than {@code to}. */
  public VectorSearch distanceRange(float from, float to) {
    return new VectorSearch(k, refine, minProbes, maxProbes, ef, from, to);
  }

  /** How many rows a segment gives at most. */
  public int candidates() {
    return Math.multiplyExact(k, refine);
  }

  /** How many rows to keep in sight while a graph is searched. */
  public int effectiveEf() {
    int candidates = candidates();
    return Math.max(candidates, ef.orElse(Math.addExact(candidates, candidates / 2)));
  }
}
