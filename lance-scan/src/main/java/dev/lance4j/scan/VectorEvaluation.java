package dev.lance4j.scan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.Indices;
import dev.lance4j.scan.internal.evaluation.Latencies;
import dev.lance4j.scan.internal.evaluation.Search;
import dev.lance4j.table.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Measures how well and how fast searches for the nearest rows are answered: each configuration is
 * compared with the exact truth on the same version of a table. Immutable: each method returns a
 * refined copy.
 *
 * <p>To see what changes of a table do to its indices, run the same evaluation on versions before
 * and after them.
 */
public final class VectorEvaluation {
  private static final int DEFAULT_ROUNDS = 5;

  private final Snapshot table;
  private final VectorQuery[] queries;
  private final UnaryOperator<Scan> refinement;
  private final Map<String, UnaryOperator<VectorQuery>> configurations;
  private final int rounds;

  private VectorEvaluation(
      Snapshot table,
      VectorQuery[] queries,
      UnaryOperator<Scan> refinement,
      Map<String, UnaryOperator<VectorQuery>> configurations,
      int rounds) {
    this.table = table;
    this.queries = queries;
    this.refinement = refinement;
    this.configurations = configurations;
    this.rounds = rounds;
  }

  /**
   * An evaluation without configurations.
   *
   * @param table the version to search
   * @param column of vectors
   * @param queries vectors as real searches have them, each of the column's dimension
   * @param k how many rows to find
   * @throws InvalidInputException if there are no queries
   */
  public static VectorEvaluation of(Snapshot table, String column, float[][] queries, int k) {
    if (queries.length == 0) {
      throw new InvalidInputException("An evaluation needs at least one query");
    }
    VectorQuery[] prepared = new VectorQuery[queries.length];
    for (int i = 0; i < queries.length; i++) {
      prepared[i] = VectorQuery.of(column, queries[i]).k(k);
    }
    return new VectorEvaluation(
        table, prepared, UnaryOperator.identity(), Map.of(), DEFAULT_ROUNDS);
  }

  /** The same on another version, or another table. */
  public VectorEvaluation on(Snapshot other) {
    return new VectorEvaluation(other, queries, refinement, configurations, rounds);
  }

  /**
   * With other scans: a condition, perhaps as a prefilter, columns to read, an executor. They apply
   * to the truth and to all configurations. What is asked of them does not know {@code _distance}.
   */
  public VectorEvaluation scan(UnaryOperator<Scan> refined) {
    return new VectorEvaluation(table, queries, refined, configurations, rounds);
  }

  /**
   * With one more configuration.
   *
   * @param name for the report
   * @param search sets probes, ef, refinement and whatever else is to be tried
   */
  public VectorEvaluation configuration(String name, UnaryOperator<VectorQuery> search) {
    Map<String, UnaryOperator<VectorQuery>> more = new LinkedHashMap<>(configurations);
    more.put(name, search);
    return new VectorEvaluation(table, queries, refinement, more, rounds);
  }

  /** Timing each query so often when it is warm; 5 times unless set. */
  public VectorEvaluation rounds(int count) {
    if (count < 1) {
      throw new InvalidInputException("At least one round must be timed, not " + count);
    }
    return new VectorEvaluation(table, queries, refinement, configurations, count);
  }

  /**
   * Runs the exact searches and then each configuration, one query after the other.
   *
   * @throws InvalidInputException if there is no configuration, a query does not fit the column, or
   *     no query has any row to find
   */
  public VectorReport run() {
    if (configurations.isEmpty()) {
      throw new InvalidInputException("There is no configuration to evaluate; add one");
    }
    Scan.Source source = table.source();
    List<Set<Long>> truth = new ArrayList<>(queries.length);
    for (VectorQuery query : queries) {
      truth.add(new HashSet<>(search(source).rowIds(query.useIndex(false))));
    }
    int empty = (int) truth.stream().filter(Set::isEmpty).count();
    if (empty == queries.length) {
      throw new InvalidInputException(
          "No query has a row to find: the condition leaves none, or the column has no vectors");
    }
    List<VectorReport.Outcome> outcomes = new ArrayList<>();
    configurations.forEach((name, how) -> outcomes.add(outcome(source, name, how, truth)));
    return report(source, outcomes, queries.length - empty, empty);
  }

  private Search search(Scan.Source source) {
    return new Search(refinement.apply(new Scan(source)));
  }

  private VectorReport.Outcome outcome(
      Scan.Source source, String name, UnaryOperator<VectorQuery> how, List<Set<Long>> truth) {
    Latencies cold = new Latencies();
    List<Double> recalls = new ArrayList<>();
    for (int i = 0; i < queries.length; i++) {
      VectorQuery query = how.apply(queries[i]);
      List<Long> found;
      try (Session fresh = Session.create()) {
        Search search = search(new Scan.Source(source.version(), fresh, source.allocator()));
        found = cold.time(() -> search.rowIds(query));
      }
      if (!truth.get(i).isEmpty()) {
        recalls.add(recall(truth.get(i), found));
      }
    }
    Latencies warm = new Latencies();
    Search search = search(source);
    for (int round = -1; round < rounds; round++) {
      Latencies timed = round < 0 ? new Latencies() : warm;
      for (VectorQuery query : queries) {
        VectorQuery configured = how.apply(query);
        timed.time(() -> search.rowIds(configured));
      }
    }
    return new VectorReport.Outcome(name, recalls, cold.percentiles(), warm.percentiles());
  }

  private static double recall(Set<Long> truth, List<Long> found) {
    long hits = found.stream().distinct().filter(truth::contains).count();
    return (double) hits / truth.size();
  }

  private VectorReport report(
      Scan.Source source, List<VectorReport.Outcome> outcomes, int queriesUsed, int queriesEmpty) {
    String column = queries[0].column();
    IndexSource indices = new IndexSource(source.version(), source.session(), source.allocator());
    long bytes = 0;
    int segments = 0;
    long indexed = 0;
    for (IndexDescription index : new Indices(indices).describe()) {
      if (index.columns().contains(column)) {
        bytes += index.segments().stream().mapToLong(IndexSegment::sizeBytes).sum();
        segments += index.segments().size();
        indexed = Math.max(indexed, index.rowsIndexed());
      }
    }
    return new VectorReport(
        source.version().version(),
        column,
        queries[0].k(),
        queriesUsed,
        queriesEmpty,
        bytes,
        segments,
        RowCounts.liveRows(source) - indexed,
        outcomes);
  }
}
