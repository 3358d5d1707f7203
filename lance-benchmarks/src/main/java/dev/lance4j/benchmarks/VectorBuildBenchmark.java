package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Builds a vector index on a table that the real library wrote, opening included. At the end the
 * recall of the last one, as Lance4j searches it, and the memory of the process are printed.
 */
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
public class VectorBuildBenchmark extends VectorBenchmark {
  private BufferAllocator allocator;
  private Path prepared;

  @Setup
  public void prepare() throws IOException {
    allocator = new RootAllocator();
    prepared = rowsOnly();
  }

  @Setup(Level.Invocation)
  public void link() throws IOException {
    SampleTable.delete(scratch());
    SampleTable.link(prepared, scratch());
  }

  @Benchmark
  public void build() {
    library().createVectorIndex(scratch().toString(), index, shape, allocator);
  }

  @TearDown
  public void verify() throws IOException {
    System.out.printf(
        "%n%s: peak of the allocator %d MiB, %s%n",
        library, allocator.getPeakMemoryAllocation() >> 20, ProcessMemory.peak());
    allocator.close();
    recall(scratch().toString(), Library.named(Library.LANCE4J));
    SampleTable.delete(scratch());
  }
}
