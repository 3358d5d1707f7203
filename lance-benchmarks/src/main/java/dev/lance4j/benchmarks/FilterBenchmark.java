package dev.lance4j.benchmarks;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** Reads all columns of the rows that fulfil a condition. */
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 1)
public class FilterBenchmark extends ReadBenchmark {
  @Param("SELECTIVE")
  public SampleFilter filter;

  private String condition;
  private long expected;

  @Setup
  public void prepare() throws IOException {
    condition = filter.condition(rows);
    expected = filter.checksum(rows);
    prepareTable();
  }

  @Benchmark
  public long filter() throws Exception {
    return read(table -> table.filter(condition), expected);
  }
}
