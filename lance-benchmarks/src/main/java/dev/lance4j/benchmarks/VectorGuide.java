package dev.lance4j.benchmarks;

import dev.lance4j.Dataset;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.VectorIndexType.Quantization;
import dev.lance4j.scan.VectorEvaluation;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.scan.VectorReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Builds vector indices on 100,000 vectors of 128 numbers, evaluates them and prints what the guide
 * to vector search shows, as a Markdown table. From the root of the project:
 *
 * <pre>{@code
 * mvn -B -q -Pbenchmarks -DskipTests package -pl lance-benchmarks -am
 *     -Dbenchmarks.main=dev.lance4j.benchmarks.VectorGuide -Dbenchmarks.subjects=IVF_PQ,IVF_HNSW_SQ
 * }</pre>
 *
 * <p>The subjects are the kinds of indices, and {@code NONE} for exact searches. It takes a minute
 * or two and 300 MB of disk.
 */
public final class VectorGuide {
  private static final VectorShape SHAPE = VectorShape.HUNDRED_THOUSAND;
  private static final String NO_INDEX = "NONE";
  private static final int K = 10;
  private static final int QUERIES = 100;
  private static final List<Integer> PROBES = List.of(1, 4, 16);
  private static final List<Integer> EFS = List.of(40, 100, 200);

  /** Few enough for all graphs to be searched. */
  private static final int GRAPHS = SHAPE.graphs();

  private final Path folder;
  private final StringBuilder report = new StringBuilder();

  private VectorGuide(Path folder) {
    this.folder = folder;
  }

  /**
   * Prints the table.
   *
   * @param args not looked at, the kinds of indices, not looked at, and the folder for tables
   */
  public static void main(String[] args) throws IOException {
    VectorGuide guide = new VectorGuide(Path.of(args[3]));
    guide.append("| Index | Build | Bytes | Search | recall@10 | p50 | p50, cold |%n");
    guide.append("|---|--:|--:|---|--:|--:|--:|%n");
    String table = SampleTable.prepareVectors(guide.folder, SHAPE);
    for (String kind : args[1].split(",", -1)) {
      if (kind.equals(NO_INDEX)) {
        guide.withoutIndex(table);
      } else {
        guide.withIndex(table, VectorIndexType.valueOf(kind));
      }
    }
    System.out.println(guide.report);
  }

  private void withoutIndex(String table) {
    try (Dataset dataset = Dataset.open(table)) {
      evaluate("none", "–", evaluation(dataset).configuration("exact", query -> query));
    }
  }

  private void withIndex(String table, VectorIndexType type) throws IOException {
    Path indexed = folder.resolve("guide-" + type + ".lance");
    SampleTable.delete(indexed);
    SampleTable.link(Path.of(table), indexed);
    try (Dataset dataset = Dataset.open(indexed.toString())) {
      long start = System.nanoTime();
      try (Dataset built = dataset.createIndex(VectorRows.VECTOR, spec(type))) {
        String seconds = format("%.1f s", (System.nanoTime() - start) / 1e9);
        evaluate(type.toString(), seconds, configured(evaluation(built), type));
      }
    }
  }

  private static VectorIndexSpec spec(VectorIndexType type) {
    VectorIndexSpec spec = VectorIndexSpec.of(type);
    if (type.quantization() == Quantization.PRODUCT) {
      spec = spec.subVectors(SHAPE.subVectors());
    }
    return spec.partitions(type.hasGraph() ? GRAPHS : SHAPE.partitions());
  }

  private static VectorEvaluation evaluation(Dataset dataset) {
    float[][] queries = VectorRows.queries(QUERIES, SHAPE.rows(), SHAPE.dimension());
    return VectorEvaluation.of(dataset, VectorRows.VECTOR, queries, K)
        .scan(scan -> scan.select(VectorRows.ID));
  }

  private static VectorEvaluation configured(VectorEvaluation evaluation, VectorIndexType type) {
    VectorEvaluation configured = evaluation;
    for (int breadth : type.hasGraph() ? EFS : PROBES) {
      UnaryOperator<VectorQuery> search =
          type.hasGraph()
              ? query -> query.probes(GRAPHS).ef(breadth)
              : query -> query.probes(breadth);
      String name = type.hasGraph() ? "ef " + breadth : "probes " + breadth;
      configured = configured.configuration(name, search);
      for (int factor : refinements(type, breadth)) {
        configured =
            configured.configuration(
                name + ", refine " + factor, query -> search.apply(query).refine(factor));
      }
    }
    return configured;
  }

  /** By how much to refine: not at all where vectors are whole. */
  private static List<Integer> refinements(VectorIndexType type, int breadth) {
    return switch (type.quantization()) {
      case FLAT -> List.of();
      case SCALAR -> List.of(2);
      case PRODUCT -> type.hasGraph() ? List.of(breadth / K) : List.of(4, 10);
      case RABIT -> List.of(10, 30);
    };
  }

  private void evaluate(String index, String build, VectorEvaluation evaluation) {
    VectorReport found = evaluation.run();
    boolean first = true;
    for (VectorReport.Outcome outcome : found.outcomes()) {
      append(
          "| %s | %s | %s | %s | %.3f | %.2f ms | %.1f ms |%n",
          first ? index : "",
          first ? build : "",
          first ? format("%.1f MB", found.indexBytes() / 1e6) : "",
          outcome.name(),
          outcome.recall(),
          outcome.warm().p50(),
          outcome.cold().p50());
      first = false;
    }
  }

  private static String format(String format, Object... args) {
    return String.format(Locale.ROOT, format, args);
  }

  private void append(String format, Object... args) {
    report.append(format(format, args));
  }
}
