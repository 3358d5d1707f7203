package dev.lance4j.benchmarks;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Reads all values of one column of a table that stays open. */
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 8)
@Measurement(iterations = 9)
public class ColumnScanBenchmark extends ColumnBenchmark {
  private long expected;
  private Library.OpenTable table;

  @Setup
  public void prepare() throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowReader values = new ColumnReader(column, columnRows(), allocator)) {
      expected = ColumnChecksum.of(values);
    }
    table = open();
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
