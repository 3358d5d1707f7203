package dev.lance4j.benchmarks;

import java.io.IOException;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Takes ten random rows of a table that stays open. */
@Warmup(iterations = 6, time = 3)
@Measurement(iterations = 5, time = 1)
public class TakeBenchmark extends TableBenchmark {
  private static final int REQUESTS = 4096;
  private static final int ROWS_EACH = 10;

  /** The library that wrote the table. */
  @Param(Library.ORACLE)
  public String writer;

  private final long[][] requests = new long[REQUESTS][];
  private final long[] expected = new long[REQUESTS];
  private int next;
  private Library.OpenTable table;

  @Setup
  public void prepare() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < REQUESTS; i++) {
      requests[i] = random.longs(ROWS_EACH, 0, rows).toArray();
      expected[i] = SampleRows.checksumOf(requests[i]);
    }
    table = library().open(table(writer), SampleRows.CONTENTS);
  }

  @TearDown
  public void close() {
    table.close();
  }

  @Benchmark
  public long take() throws IOException {
    int request = next;
    next = (request + 1) % REQUESTS;
    long checksum = table.take(requests[request]);
    check("the checksum", expected[request], checksum);
    return checksum;
  }
}
