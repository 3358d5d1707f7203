package dev.lance4j.benchmarks;

import java.io.IOException;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Takes a thousand random values of one column of a table that stays open. */
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 1)
public class ColumnTakeBenchmark extends ColumnBenchmark {
  private static final int REQUESTS = 64;
  private static final int ROWS_EACH = 1_000;

  private final long[][] requests = new long[REQUESTS][];
  private final long[] expected = new long[REQUESTS];
  private int next;
  private Library.OpenTable table;

  @Setup
  public void prepare() throws IOException {
    Random random = new Random(1);
    try (BufferAllocator allocator = new RootAllocator()) {
      for (int i = 0; i < REQUESTS; i++) {
        requests[i] = random.longs(ROWS_EACH, 0, columnRows()).toArray();
        expected[i] = checksum(requests[i], allocator);
      }
    }
    table = open();
  }

  private long checksum(long[] request, BufferAllocator allocator) {
    long checksum = 0;
    for (int i = 0; i < request.length; i++) {
      try (FieldVector value = column.vector(request[i], 1, allocator)) {
        checksum += ColumnChecksum.of(value, i);
      }
    }
    return checksum;
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
