package dev.lance4j.benchmarks;

import dev.lance4j.format.testing.SampleColumn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Compares Lance4j with the real library and prints the result as a Markdown table. From the root
 * of the project:
 *
 * <pre>{@code
 * mvn -B -q -Pbenchmarks -DskipTests package -pl lance-benchmarks -am
 * }</pre>
 *
 * <p>It takes some minutes and, with the rows at their default, 4 GB of memory and 2 GB of disk.
 * What to run is set by properties:
 *
 * <ul>
 *   <li>{@code -Dbenchmarks.rows=50000}: the size of the tables; 1,000,000 unless set
 *   <li>{@code -Dbenchmarks.subjects=scan,append}: what to measure, of {@code open}, {@code take},
 *       {@code take-rows}, {@code take-sizes}, {@code filter}, {@code count}, {@code scan}, {@code
 *       write}, {@code append}, {@code commit-times}, {@code delete}, {@code update}, {@code
 *       merge}, {@code merge-subset}, {@code index-build}, {@code index-search}, {@code compact},
 *       {@code vector-build}, {@code vector-search}, {@code vector-throughput}, {@code
 *       vector-exact}, {@code columns-scan} and {@code columns-take}; {@code open}, {@code take},
 *       {@code take-rows}, {@code scan} and {@code write} unless set
 *   <li>{@code -Dbenchmarks.tables=lance4j,oracle}: which library wrote the tables that are read;
 *       {@code oracle}, which is the real one, unless set
 *   <li>{@code -Dbenchmarks.columns=BOOLEAN,URL}: which columns the last two read, of those of
 *       {@link SampleColumn}; all unless set. Each has a table of its own
 *   <li>{@code -Dbenchmarks.filters=LIKE,IN}: which of {@link SampleFilter} to filter and count by;
 *       all unless set
 *   <li>{@code -Dbenchmarks.vectors=MILLION}: which of {@link VectorShape} the vectors have; a
 *       hundred thousand, then a million, unless set
 *   <li>{@code -Dbenchmarks.heap=2g}: the heap of each JVM; 4 GB unless set
 *   <li>{@code -Dbenchmarks.folder}: where the tables lie
 * </ul>
 *
 * <p>Both libraries read the same tables and write the same batches, each in a JVM of its own with
 * the same settings. Every measured run is checked against rows computed anew, and touches all the
 * bytes that it delivers; a wrong one ends the comparison.
 */
public final class Comparison {
  private static final String ALL = "all";
  private static final String WRITER = "writer";
  private static final List<Integer> SIZES = List.of(1, 10, 1_000);
  private static final List<Integer> VERSIONS = List.of(1, 100, 1_000, 2_000);
  private static final List<Integer> FRAGMENTS = List.of(1, 1_000, 10_000);

  private final long rows;
  private final List<String> writers;
  private final List<SampleColumn> columns;
  private final List<SampleFilter> filters;
  private final List<VectorShape> shapes;
  private final Path folder;
  private final StringBuilder report = new StringBuilder();

  private Comparison(
      long rows,
      List<String> writers,
      List<SampleColumn> columns,
      List<SampleFilter> filters,
      List<VectorShape> shapes,
      Path folder) {
    this.rows = rows;
    this.writers = writers;
    this.columns = columns;
    this.filters = filters;
    this.shapes = shapes;
    this.folder = folder;
  }

  /**
   * Runs the comparison.
   *
   * @param args the number of rows, the subjects, the writers of the tables, the folder, the
   *     columns, the filters, and the shapes of vectors
   */
  public static void main(String[] args) throws IOException, RunnerException {
    List<Subject> subjects = Arrays.stream(args[1].split(",")).map(Subject::named).toList();
    List<SampleColumn> columns =
        args[4].equals(ALL)
            ? List.of(SampleColumn.values())
            : Arrays.stream(args[4].split(",")).map(SampleColumn::valueOf).toList();
    List<SampleFilter> filters =
        args[5].equals(ALL)
            ? List.of(SampleFilter.values())
            : Arrays.stream(args[5].split(",")).map(SampleFilter::valueOf).toList();
    Comparison comparison =
        new Comparison(
            Long.parseLong(args[0]),
            List.of(args[2].split(",")),
            columns,
            filters,
            Arrays.stream(args[6].split(",")).map(VectorShape::valueOf).toList(),
            Path.of(args[3]));
    comparison.run(subjects);
    System.out.println(comparison.report);
  }

  private void run(List<Subject> subjects) throws IOException, RunnerException {
    heading();
    for (Subject subject : subjects) {
      switch (subject.reads()) {
        case NOTHING -> compare(subject, subject.title(), Map.of());
        case TABLE -> compareOnTable(subject);
        case SIZES -> compareOnSizes(subject);
        case FILTERS -> compareOnFilters(subject);
        case HISTORIES -> compareOnHistories(subject);
        case FRAGMENTS -> compareOnFragments(subject);
        case INDICES -> compareOnIndices(subject);
        case LOOKUPS -> compareOnLookups(subject);
        case VECTORS ->
            compareOnVectors(
                subject, List.of(SampleVectorIndex.IVF_PQ, SampleVectorIndex.IVF_HNSW_SQ));
        case ALL_VECTORS -> compareOnVectors(subject, List.of(SampleVectorIndex.NONE));
        case COLUMNS -> compareOnColumns(subject);
      }
    }
    report.append("\nAll runs gave the right rows.\n");
  }

  private void compareOnTable(Subject subject) throws IOException, RunnerException {
    for (String writer : writers) {
      SampleTable.prepare(folder, writer, rows);
      compare(subject, subject.title(), Map.of(WRITER, writer));
    }
  }

  private void compareOnSizes(Subject subject) throws IOException, RunnerException {
    for (int size : SIZES) {
      compareOpenOrNot(subject, subject.title() + ": " + size, "rowsEach", Integer.toString(size));
    }
  }

  private void compareOnFilters(Subject subject) throws IOException, RunnerException {
    for (SampleFilter filter : filters) {
      compareOpenOrNot(subject, subject.title() + " " + filter, "filter", filter.name());
    }
  }

  private void compareOnHistories(Subject subject) throws RunnerException {
    for (int versions : VERSIONS) {
      compare(
          subject,
          subject.title() + " after " + versions + " versions",
          Map.of("versions", Integer.toString(versions), "fragments", "1"));
    }
    for (int fragments : FRAGMENTS) {
      compare(
          subject,
          subject.title() + " to " + fragments + " fragments",
          Map.of("versions", "1", "fragments", Integer.toString(fragments)));
    }
  }

  private void compareOnFragments(Subject subject) throws RunnerException {
    for (long fragments : new long[] {1_000, 2}) {
      for (boolean indexed : new boolean[] {false, true}) {
        compare(
            subject,
            subject.title() + " of " + fragments + (indexed ? ", with BTree and IVF_PQ" : ""),
            Map.of(
                "rowsOfAFragment",
                Long.toString(rows / fragments),
                "indexed",
                Boolean.toString(indexed)));
      }
    }
  }

  private void compareOnIndices(Subject subject) throws RunnerException {
    for (SampleIndex index : SampleIndex.values()) {
      compare(subject, subject.title() + ": " + index, Map.of("index", index.name()));
    }
  }

  private void compareOnLookups(Subject subject) throws RunnerException {
    for (SampleLookup lookup : SampleLookup.values()) {
      for (String writer : writers) {
        compare(
            subject,
            subject.title() + ": " + lookup,
            Map.of(WRITER, writer, "lookup", lookup.name()));
      }
    }
  }

  private void compareOnVectors(Subject subject, List<SampleVectorIndex> indices)
      throws RunnerException {
    for (VectorShape shape : shapes) {
      for (SampleVectorIndex index : indices) {
        String of = String.format(Locale.ROOT, "%,d × %d", shape.rows(), shape.dimension());
        compare(
            subject,
            subject.title() + ", " + index + ", " + of,
            Map.of("shape", shape.name(), "index", index.name()));
      }
    }
  }

  private void compareOpenOrNot(Subject subject, String title, String param, String value)
      throws IOException, RunnerException {
    for (String writer : writers) {
      SampleTable.prepare(folder, writer, rows);
      for (boolean cold : new boolean[] {false, true}) {
        compare(
            subject,
            title + (cold ? ", opened anew" : ", open"),
            Map.of(WRITER, writer, param, value, "cold", Boolean.toString(cold)));
      }
    }
  }

  private void compareOnColumns(Subject subject) throws IOException, RunnerException {
    for (SampleColumn column : columns) {
      for (String writer : writers) {
        SampleTable.prepare(folder, writer, column, rows);
        compare(
            subject,
            subject.title() + " of " + column,
            Map.of(WRITER, writer, "column", column.name()));
      }
    }
  }

  /** The median of each library's measured iterations, in milliseconds, by its name. */
  private Map<String, Double> medians(Subject subject, Map<String, String> params)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("\\b" + subject.benchmark().getSimpleName() + "\\b")
            .param("rows", Long.toString(rows))
            .param("folder", folder.toString())
            .shouldFailOnError(true);
    params.forEach(options::param);
    Collection<RunResult> results = new Runner(options.build()).run();
    Map<String, Double> medians = new LinkedHashMap<>();
    for (RunResult result : results) {
      medians.put(
          result.getParams().getParam("library"),
          result.getPrimaryResult().getStatistics().getPercentile(50));
    }
    return medians;
  }

  private void heading() {
    append(
        "%n%,d rows of an int64, a short string, a double and %d floats, or as many values of one column;"
            + " Java %s, %d processors.%n%n",
        rows, SampleRows.DIMENSION, Runtime.version(), Runtime.getRuntime().availableProcessors());
    append("| Subject | Table written by | lance4j | real library | Ratio | Target | Met |%n");
    append("|---|---|--:|--:|--:|--:|---|%n");
  }

  private void compare(Subject subject, String title, Map<String, String> params)
      throws RunnerException {
    Map<String, Double> medians = medians(subject, params);
    double ours = medians.get(Library.LANCE4J);
    double theirs = medians.get(Library.ORACLE);
    double ratio = ours / theirs;
    boolean aimed = subject.target().isPresent();
    append(
        "| %s | %s | %.3f ms | %.3f ms | %.2f | %s | %s |%n",
        title,
        params.getOrDefault(WRITER, "–"),
        ours,
        theirs,
        ratio,
        aimed ? "≤ " + subject.target().getAsDouble() : "–",
        aimed ? (ratio <= subject.target().getAsDouble() ? "yes" : "no") : "–");
  }

  private void append(String format, Object... args) {
    report.append(String.format(Locale.ROOT, format, args));
  }
}
