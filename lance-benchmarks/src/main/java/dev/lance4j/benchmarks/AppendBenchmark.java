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

/** Appends one row a hundred times to a table of one row, each time as a version of its own. */
@BenchmarkMode(Mode.SingleShotTime)
// An append is compiled after some 2,000; before, one takes as long as the real library's.
@Warmup(iterations = 25)
@Measurement(iterations = 15)
public class AppendBenchmark extends TableBenchmark {
  private static final int APPENDS = 100;

  private BufferAllocator allocator;
  private List<VectorSchemaRoot> row;

  @Setup
  public void prepare() {
    allocator = new RootAllocator();
    row = SampleRows.batches(1, allocator);
  }

  @TearDown
  public void close() {
    row.forEach(VectorSchemaRoot::close);
    allocator.close();
  }

  @Setup(Level.Invocation)
  public void create() throws IOException {
    SampleTable.delete(scratch());
    try (ArrowReader reader = reader()) {
      library().create(scratch().toString(), reader, allocator);
    }
  }

  private ArrowReader reader() {
    return new BatchesReader(row, allocator);
  }

  @Benchmark
  public void append() throws IOException {
    library().append(scratch().toString(), APPENDS, this::reader, allocator);
  }

  @TearDown(Level.Invocation)
  public void verify() throws Exception {
    try (Library.OpenTable table =
        Library.named(Library.LANCE4J).open(scratch().toString(), SampleRows.CONTENTS)) {
      long expected = SampleRows.checksumOf(new long[1 + APPENDS]);
      check("the checksum of what was appended", expected, table.scan());
    }
    SampleTable.delete(scratch());
  }
}
