package dev.lance4j.benchmarks;

import dev.lance4j.format.internal.kernel.ByteStreamSplit;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Takes floating point values apart and puts them together, as many as a chunk has. */
public class ByteStreamSplitBenchmark extends KernelBenchmark {
  private static final int VALUES = 1024;

  /** The bytes of a value. */
  @Param({"4", "8"})
  public int width;

  private byte[] values;
  private byte[] merged;
  private ByteBuffer split;

  @Setup
  public void prepare() {
    values = new byte[VALUES * width];
    new Random(1).nextBytes(values);
    merged = new byte[values.length];
    split = ByteBuffer.allocateDirect(values.length);
    split();
    if (!Arrays.equals(values, merge())) {
      throw new IllegalStateException("merging does not give what was split");
    }
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public byte[] merge() {
    ByteStreamSplit.merge(split, 0, VALUES, width, merged);
    return merged;
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public ByteBuffer split() {
    ByteStreamSplit.split(values, VALUES, width, split, 0);
    return split;
  }
}
