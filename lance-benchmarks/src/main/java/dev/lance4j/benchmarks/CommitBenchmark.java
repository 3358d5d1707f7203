package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Appends one row a few times to a table of many versions or fragments, which is opened for each.
 * The time is that of one append. Each run starts with the same table, whose files are linked.
 */
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 40)
@Measurement(iterations = 15)
public class CommitBenchmark extends TableBenchmark {
  private static final int APPENDS = 10;

  /** How many versions the table has, of which all but the first only set something. */
  @Param("1")
  public int versions;

  /** How many fragments of one row the table has. */
  @Param("1")
  public int fragments;

  private BufferAllocator allocator;
  private List<VectorSchemaRoot> row;
  private Path prepared;
  private long expected;

  @Setup
  public void prepare() throws IOException {
    prepared = Path.of(SampleTable.prepareForCommits(Path.of(folder), versions, fragments));
    allocator = new RootAllocator();
    row = SampleRows.batches(1, allocator);
    long[] all = new long[fragments + APPENDS];
    for (int i = 0; i < fragments; i++) {
      all[i] = i;
    }
    expected = SampleRows.checksumOf(all);
  }

  @TearDown
  public void close() {
    row.forEach(VectorSchemaRoot::close);
    allocator.close();
  }

  @Setup(Level.Invocation)
  public void link() throws IOException {
    SampleTable.delete(scratch());
    SampleTable.link(prepared, scratch());
  }

  @Benchmark
  @OperationsPerInvocation(APPENDS)
  public void append() throws IOException {
    for (int i = 0; i < APPENDS; i++) {
      library().append(scratch().toString(), 1, this::reader, allocator);
    }
  }

  private ArrowReader reader() {
    return new BatchesReader(row, allocator);
  }

  @TearDown(Level.Invocation)
  public void verify() throws Exception {
    String uri = scratch().toString();
    check("the number of rows", fragments + APPENDS, library().countRows(uri));
    try (Library.OpenTable table = Library.named(Library.LANCE4J).open(uri, SampleRows.CONTENTS)) {
      check("the checksum of the table", expected, table.scan());
    }
    SampleTable.delete(scratch());
  }
}
