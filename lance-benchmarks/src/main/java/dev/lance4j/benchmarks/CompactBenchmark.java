package dev.lance4j.benchmarks;

import dev.lance4j.Dataset;
import dev.lance4j.index.IndexDescription;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Makes one fragment of a table that the real library wrote in smaller ones, opening included. If
 * the table has indices, that library built them, and they are translated. Each run starts with the
 * same table, whose files are linked. At the end the memory that was taken is printed.
 */
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 8)
@Measurement(iterations = 9)
public class CompactBenchmark extends TableBenchmark {
  @Param("1000")
  public int rowsOfAFragment;

  /** Whether there are a BTree on the numbers and an IVF_PQ on the vectors. */
  @Param("false")
  public boolean indexed;

  private BufferAllocator allocator;
  private Path prepared;
  private long expected;

  @Setup
  public void prepare() throws IOException {
    prepared =
        Path.of(SampleTable.prepareFragments(Path.of(folder), rows, rowsOfAFragment, indexed));
    allocator = new RootAllocator();
    for (long row = 0; row < rows; row++) {
      expected += ChangeRows.hash(row, 0);
    }
  }

  @TearDown
  public void close() throws IOException {
    System.out.printf(
        "%n%s: peak of the allocator %d MiB, %s%n",
        library, allocator.getPeakMemoryAllocation() >> 20, ProcessMemory.peak());
    allocator.close();
  }

  @Setup(Level.Invocation)
  public void link() throws IOException {
    SampleTable.delete(scratch());
    SampleTable.link(prepared, scratch());
  }

  @Benchmark
  public void compact() {
    library().compact(scratch().toString(), allocator);
  }

  @TearDown(Level.Invocation)
  public void verify() throws Exception {
    Library.Contents contents =
        new Library.Contents(
            SampleRows.schema().getFields().stream().map(field -> field.getName()).toList(),
            ChangeRows::sum);
    String uri = scratch().toString();
    check("the number of rows", rows, library().countRows(uri));
    check("the number of fragments", 1, Lance4jLibrary.fragments(uri));
    try (Library.OpenTable table = Library.named(Library.LANCE4J).open(uri, contents)) {
      check("the sum of the rows", expected, table.scan());
      if (indexed) {
        checkIndices(uri, table);
      }
    }
    SampleTable.delete(scratch());
  }

  private void checkIndices(String uri, Library.OpenTable table) throws Exception {
    try (Dataset dataset = Dataset.open(uri)) {
      for (IndexDescription index : dataset.describeIndices()) {
        check("the indexed rows of " + index.name(), rows, index.rowsIndexed());
      }
    }
    long row = rows / 3;
    check(
        "what is found by number",
        ChangeRows.hash(row, 0),
        table.filter(SampleRows.ID + " = " + row));
  }
}
