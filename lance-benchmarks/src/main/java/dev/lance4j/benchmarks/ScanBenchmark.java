package dev.lance4j.benchmarks;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Reads all rows and columns of a table that stays open. */
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 5)
@Measurement(iterations = 9)
public class ScanBenchmark extends TableBenchmark {
  /** The library that wrote the table. */
  @Param(Library.ORACLE)
  public String writer;

  private long expected;
  private Library.OpenTable table;

  @Setup
  public void prepare() throws IOException {
    expected = SampleRows.checksumOfFirst(rows);
    table = library().open(table(writer), SampleRows.CONTENTS);
  }

  @TearDown
  public void close() {
    table.close();
  }

  @Benchmark
  public long scan() throws Exception {
    long checksum = table.scan();
    check("the checksum", expected, checksum);
    return checksum;
  }
}
