package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Finds the ten nearest rows of an open table. Both libraries search the same index with the same
 * settings, so their recall is about the same; it is printed.
 */
@BenchmarkMode(Mode.SampleTime)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class VectorSearchBenchmark extends VectorBenchmark {
  /** The library that built the index. */
  @Param(Library.ORACLE)
  public String writer;

  private final AtomicInteger next = new AtomicInteger();
  private float[][] queries;
  private Library.VectorTable table;

  @Setup
  public void prepare() throws IOException {
    queries = queries(QUERIES);
    String uri =
        index == SampleVectorIndex.NONE
            ? rowsOnly().toString()
            : SampleTable.prepareVectors(Path.of(folder), writer, shape, index);
    recall(uri, library());
    table = library().openVectors(uri);
  }

  @TearDown
  public void close() {
    table.close();
  }

  @Benchmark
  public long[] search() throws IOException {
    long[] found = table.nearest(queries[Math.floorMod(next.getAndIncrement(), QUERIES)], K, index);
    check("the number of rows", K, found.length);
    return found;
  }
}
