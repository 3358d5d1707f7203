package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Takes a thousand random rows by stable row id of a table that stays open. */
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 1)
public class TakeRowsBenchmark extends TableBenchmark {
  private static final int UPDATED = 5;
  private static final int REQUESTS = 64;
  private static final int ROWS_EACH = 1_000;

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
    table =
        library()
            .open(SampleTable.prepareStable(Path.of(folder), rows, UPDATED), SampleRows.CONTENTS);
  }

  @TearDown
  public void close() {
    table.close();
  }

  @Benchmark
  public long takeRows() throws IOException {
    int request = next;
    next = (request + 1) % REQUESTS;
    long checksum = table.takeRows(requests[request]);
    check("the checksum", expected[request], checksum);
    return checksum;
  }
}
