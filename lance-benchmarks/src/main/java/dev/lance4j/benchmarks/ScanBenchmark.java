package dev.lance4j.benchmarks;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** Reads all rows and columns. */
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 5)
@Measurement(iterations = 9)
public class ScanBenchmark extends ReadBenchmark {
  private long expected;

  @Setup
  public void prepare() throws IOException {
    expected = SampleRows.checksumOfFirst(rows);
    prepareTable();
  }

  @Benchmark
  public long scan() throws Exception {
    return read(Library.OpenTable::scan, expected);
  }
}
