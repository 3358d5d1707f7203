package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/** What the benchmarks of vector indices have in common: the rows, and the queries. */
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--add-modules=jdk.incubator.vector"
    })
public abstract class VectorBenchmark extends TableBenchmark {
  static final int K = 10;
  static final int QUERIES = 200;

  @Param("HUNDRED_THOUSAND")
  public VectorShape shape;

  @Param("IVF_PQ")
  public SampleVectorIndex index;

  /** The path of the table, without an index. */
  final Path rowsOnly() throws IOException {
    return Path.of(SampleTable.prepareVectors(Path.of(folder), shape));
  }

  final float[][] queries(int count) {
    return VectorRows.queries(count, shape.rows(), shape.dimension());
  }

  /** The nearest rows of each query, by a search of all rows. */
  final long[][] truth(float[][] queries) throws IOException {
    long[][] truth = new long[queries.length][];
    try (Library.VectorTable table =
        Library.named(Library.LANCE4J).openVectors(rowsOnly().toString())) {
      for (int i = 0; i < queries.length; i++) {
        truth[i] = table.nearest(queries[i], K, SampleVectorIndex.NONE);
      }
    }
    return truth;
  }

  /** The share of the nearest rows that are found in a table with the index. */
  final double recall(String uri, Library searcher) throws IOException {
    float[][] queries = queries(QUERIES);
    long[][] truth = truth(queries);
    int found = 0;
    try (Library.VectorTable table = searcher.openVectors(uri)) {
      for (int i = 0; i < queries.length; i++) {
        found += common(truth[i], table.nearest(queries[i], K, index));
      }
    }
    double recall = found / (double) (QUERIES * K);
    System.out.printf("%n%s: recall@%d of %s is %.3f%n", library, K, index, recall);
    if (recall < index.leastRecall()) {
      throw new IllegalStateException("The recall of " + index + " is only " + recall);
    }
    return recall;
  }

  private static int common(long[] expected, long[] actual) {
    Set<Long> rows = new HashSet<>();
    for (long row : actual) {
      rows.add(row);
    }
    int common = 0;
    for (long row : expected) {
      common += rows.contains(row) ? 1 : 0;
    }
    return common;
  }
}
