package dev.lance4j.benchmarks;

import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Creates a table of batches that are in memory. */
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
public class WriteBenchmark extends TableBenchmark {
  private long expected;
  private BufferAllocator allocator;
  private List<VectorSchemaRoot> batches;

  @Setup
  public void prepare() {
    expected = SampleRows.checksumOfFirst(rows);
    allocator = new RootAllocator();
    batches = SampleRows.batches(rows, allocator);
  }

  @TearDown
  public void close() {
    batches.forEach(VectorSchemaRoot::close);
    allocator.close();
  }

  @Setup(Level.Invocation)
  public void clear() throws IOException {
    SampleTable.delete(scratch());
  }

  @Benchmark
  public void write() throws IOException {
    try (ArrowReader reader = new BatchesReader(batches, allocator)) {
      library().create(scratch().toString(), reader, allocator);
    }
  }

  @TearDown(Level.Invocation)
  public void verify() throws Exception {
    try (Library.OpenTable written =
        Library.named(Library.LANCE4J).open(scratch().toString(), SampleRows.CONTENTS)) {
      check("the checksum of what was written", expected, written.scan());
    }
    SampleTable.delete(scratch());
  }
}
