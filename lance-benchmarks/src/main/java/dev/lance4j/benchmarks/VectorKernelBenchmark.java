package dev.lance4j.benchmarks;

import dev.lance4j.index.vector.internal.kernel.CodeTables;
import dev.lance4j.index.vector.internal.kernel.Kernels;
import dev.lance4j.index.vector.internal.kernel.VectorKernels;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Measures vectors of 128 components per second, in plain Java and by vector instructions. */
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
public class VectorKernelBenchmark extends KernelBenchmark {
  private static final int DIMENSION = 128;
  private static final int ROWS = 1024;
  private static final int CENTROIDS = 256;
  private static final int CODE_BYTES = 16;

  /** Which kernels. */
  @Param({"scalar", "chosen"})
  public String kind;

  private VectorKernels kernels;
  private float[] query;
  private float[] rows;
  private byte[] byteQuery;
  private byte[] byteRows;
  private float[] panels;
  private float[] bias;
  private float[] tables;
  private float[] distances;
  private int[] sums;

  @Setup
  public void prepare() {
    SplittableRandom random = new SplittableRandom(1);
    kernels = kind.equals("scalar") ? Kernels.scalar() : Kernels.get();
    query = floats(DIMENSION, random);
    rows = floats(ROWS * DIMENSION, random);
    panels = floats(CENTROIDS * DIMENSION, random);
    bias = new float[CENTROIDS];
    tables = floats(CODE_BYTES * CodeTables.ENTRIES, random);
    byteQuery = new byte[DIMENSION];
    byteRows = new byte[ROWS * DIMENSION];
    random.nextBytes(byteQuery);
    random.nextBytes(byteRows);
    distances = new float[ROWS];
    sums = new int[ROWS];
  }

  private static float[] floats(int count, SplittableRandom random) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextDouble();
    }
    return values;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public float[] l2() {
    kernels.l2(query, rows, 0, ROWS, distances, 0);
    return distances;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public float[] dot() {
    kernels.dot(query, rows, 0, ROWS, distances, 0);
    return distances;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int[] l2OfBytes() {
    kernels.l2(byteQuery, byteRows, 0, ROWS, sums, 0);
    return sums;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public int[] hamming() {
    kernels.hamming(byteQuery, byteRows, 0, ROWS, sums, 0);
    return sums;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public float[] nearestOf256Centroids() {
    int panelCount = CENTROIDS / kernels.panelWidth();
    kernels.nearest(
        false, rows, 0, DIMENSION, ROWS, panels, 0, panelCount, DIMENSION, bias, sums, distances);
    return distances;
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public float[] codesOf16Bytes() {
    CodeTables.sumColumns(tables, CODE_BYTES, byteRows, ROWS, 0, ROWS, distances, 0);
    return distances;
  }
}
