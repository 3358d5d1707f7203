package dev.lance4j.benchmarks;

import dev.lance4j.format.internal.kernel.FsstTable;
import dev.lance4j.format.testing.SampleColumn;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Codes and decodes strings one by one. */
public class FsstBenchmark extends KernelBenchmark {
  private static final int VALUES = 1024;

  @Param({"UUID_TEXT", "ENGLISH", "URL", "JSON_TEXT"})
  public SampleColumn column;

  private final int[] offsets = new int[VALUES + 1];
  private final int[] codedOffsets = new int[VALUES + 1];
  private byte[] strings;
  private byte[] scratch;
  private byte[] decoded;
  private byte[] coded;
  private FsstTable table;

  @Setup
  public void prepare() {
    try (BufferAllocator allocator = new RootAllocator();
        VarCharVector vector = (VarCharVector) column.vector(0, VALUES, allocator)) {
      for (int i = 0; i <= VALUES; i++) {
        offsets[i] = vector.getOffsetBuffer().getInt((long) i * Integer.BYTES);
      }
      strings = new byte[offsets[VALUES]];
      vector.getDataBuffer().getBytes(0, strings);
    }
    table = FsstTable.train(strings, offsets, VALUES);
    scratch = new byte[2 * strings.length + Long.BYTES];
    int size = encode();
    coded = Arrays.copyOf(scratch, size);
    decoded = new byte[Long.BYTES * size];
    int length = decode();
    if (!Arrays.equals(decoded, 0, length, strings, 0, strings.length)) {
      throw new IllegalStateException("decoding does not give what was coded");
    }
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int encode() {
    int at = 0;
    for (int i = 0; i < VALUES; i++) {
      at += table.encode(strings, offsets[i], offsets[i + 1] - offsets[i], scratch, at);
      codedOffsets[i + 1] = at;
    }
    return at;
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int decode() {
    int at = 0;
    for (int i = 0; i < VALUES; i++) {
      int start = codedOffsets[i];
      at += table.decode(coded, start, codedOffsets[i + 1] - start, decoded, at);
    }
    return at;
  }
}
