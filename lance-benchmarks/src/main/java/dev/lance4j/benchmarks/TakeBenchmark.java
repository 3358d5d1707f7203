package dev.lance4j.benchmarks;

import java.io.IOException;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** Takes random rows. */
@Warmup(iterations = 6, time = 3)
@Measurement(iterations = 5, time = 1)
public class TakeBenchmark extends ReadBenchmark {
  private static final int REQUESTS = 4096;

  @Param("10")
  public int rowsEach;

  private long[][] requests;
  private long[] expected;
  private int next;

  @Setup
  public void prepare() throws IOException {
    Random random = new Random(1);
    int count = Math.max(1, REQUESTS * 10 / Math.max(10, rowsEach));
    requests = new long[count][];
    expected = new long[count];
    for (int i = 0; i < count; i++) {
      requests[i] = random.longs(rowsEach, 0, rows).toArray();
      expected[i] = SampleRows.checksumOf(requests[i]);
    }
    prepareTable();
  }

  @Benchmark
  public long take() throws Exception {
    int request = next;
    next = (request + 1) % requests.length;
    return read(table -> table.take(requests[request]), expected[request]);
  }
}
