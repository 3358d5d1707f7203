package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Changes a table that the real library wrote, opening included. Each run starts with the same
 * table, whose files are linked. At the end the memory that was taken is printed.
 */
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 60)
@Measurement(iterations = 9)
public abstract class ChangeBenchmark extends TableBenchmark {
  private final Change change;
  private BufferAllocator root;
  private BufferAllocator sourceAllocator;
  private BufferAllocator allocator;
  private List<VectorSchemaRoot> source;
  private Path prepared;
  private long expected;

  ChangeBenchmark(Change change) {
    this.change = change;
  }

  @Setup
  public void prepare() throws IOException {
    prepared = Path.of(SampleTable.prepareForChanges(Path.of(folder), rows));
    root = new RootAllocator();
    sourceAllocator = root.newChildAllocator("source", 0, Long.MAX_VALUE);
    allocator = root.newChildAllocator("change", 0, Long.MAX_VALUE);
    source = change.source(rows, sourceAllocator);
    expected = change.sumAfter(rows);
  }

  @TearDown
  public void close() throws IOException {
    long mebibyte = 1 << 20;
    System.out.printf(
        "%n%s: peak of the allocator %d MiB, %s%n",
        library,
        allocator.getPeakMemoryAllocation() / mebibyte,
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmHWM"))
            .findFirst()
            .orElse("peak of the process not known"));
    source.forEach(VectorSchemaRoot::close);
    sourceAllocator.close();
    allocator.close();
    root.close();
  }

  @Setup(Level.Invocation)
  public void link() throws IOException {
    SampleTable.delete(scratch());
    SampleTable.link(prepared, scratch());
  }

  @Benchmark
  public void change() throws IOException {
    library().change(scratch().toString(), change, this::reader, allocator);
  }

  private ArrowReader reader() {
    return new BatchesReader(change.sourceSchema(), source, sourceAllocator);
  }

  @TearDown(Level.Invocation)
  public void verify() throws Exception {
    Library.Contents contents =
        new Library.Contents(
            SampleRows.schema().getFields().stream().map(field -> field.getName()).toList(),
            ChangeRows::sum);
    String uri = scratch().toString();
    check("the number of rows", change.rowsAfter(rows), library().countRows(uri));
    try (Library.OpenTable table = Library.named(Library.LANCE4J).open(uri, contents)) {
      check("the sum of the rows", expected, table.scan());
    }
    SampleTable.delete(scratch());
  }
}
