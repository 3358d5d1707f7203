package dev.lance4j.scan;

import dev.lance4j.scan.internal.evaluation.ReportPicture;
import dev.lance4j.scan.internal.evaluation.ReportText;
import java.util.ArrayList;
import java.util.List;

/**
 * What an evaluation of searches found.
 *
 * @param version of the table
 * @param column of the vectors
 * @param k how many rows were sought
 * @param queries how many queries have rows to find
 * @param emptyQueries how many have none; they count for the latencies only
 * @param indexBytes size of the column's indices in bytes, as far as the table records it
 * @param segments how many segments those have
 * @param rowsUnindexed live rows that no segment covers
 * @param outcomes one for each configuration
 */
public record VectorReport(
    long version,
    String column,
    int k,
    int queries,
    int emptyQueries,
    long indexBytes,
    int segments,
    long rowsUnindexed,
    List<Outcome> outcomes) {
  public VectorReport {
    outcomes = List.copyOf(outcomes);
  }

  /**
   * What one configuration led to.
   *
   * @param name of the configuration
   * @param recalls for each query that has rows to find, which part of them was found
   * @param cold with nothing of the table in memory but what the system keeps of its files
   * @param warm after the same query was answered before
   */
  public record Outcome(String name, List<Double> recalls, Percentiles cold, Percentiles warm) {
    public Outcome {
      recalls = List.copyOf(recalls);
    }

    /** The mean of the recalls, from 0 to 1. */
    public double recall() {
      return recalls.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
  }

  /** Latencies in milliseconds that half, 95 and 99 percent of the searches did not exceed. */
  public record Percentiles(double p50, double p95, double p99) {}

  /**
   * The configurations than which no other is both at least as good and faster, by ascending
   * recall.
   */
  public List<Outcome> frontier() {
    List<Outcome> best = new ArrayList<>();
    for (Outcome one : outcomes) {
      if (outcomes.stream().noneMatch(other -> isBetter(other, one))) {
        best.add(one);
      }
    }
    best.sort((a, b) -> Double.compare(a.recall(), b.recall()));
    return best;
  }

  private static boolean isBetter(Outcome a, Outcome b) {
    boolean notWorse = a.recall() >= b.recall() && a.warm().p50() <= b.warm().p50();
    return notWorse && (a.recall() > b.recall() || a.warm().p50() < b.warm().p50());
  }

  /** The report as a table for people. */
  public String toTable() {
    return ReportText.table(this);
  }

  /** The report as comma-separated values with a header, one line for each configuration. */
  public String toCsv() {
    return ReportText.csv(this);
  }

  /** The report as JSON. */
  public String toJson() {
    return ReportText.json(this);
  }

  /** A picture (SVG) of the recall against the latency, with the frontier as a line. */
  public String toSvg() {
    return ReportPicture.svg(this);
  }

  @Override
  public String toString() {
    return toTable();
  }
}
