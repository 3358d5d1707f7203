package dev.lance4j.benchmarks;

import dev.lance4j.format.internal.kernel.FastLanes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Packs and unpacks groups of integers that stay in the cache. */
public class FastLanesBenchmark extends KernelBenchmark {
  private static final int GROUPS = 16;
  private static final int VALUES = GROUPS * FastLanes.GROUP;

  /** The width of the values in bits, and that to which they are packed. */
  @Param({
    "8/1", "8/3", "8/7", "16/3", "16/9", "16/13", "32/1", "32/7", "32/10", "32/17", "32/27", "64/7",
    "64/21", "64/40", "64/57"
  })
  public String widths;

  private int bits;
  private int width;
  private int groupBytes;
  private byte[] values;
  private byte[] unpacked;
  private ByteBuffer packed;

  @Setup
  public void prepare() {
    int slash = widths.indexOf('/');
    bits = Integer.parseInt(widths.substring(0, slash));
    width = Integer.parseInt(widths.substring(slash + 1));
    groupBytes = FastLanes.GROUP * bits / Byte.SIZE;
    values = new byte[GROUPS * groupBytes];
    unpacked = new byte[values.length];
    packed = ByteBuffer.allocateDirect(GROUPS * FastLanes.packedBytes(width));
    packed.order(ByteOrder.LITTLE_ENDIAN);
    new Random(1).nextBytes(values);
    pack();
    unpack();
    values = unpacked.clone();
    pack();
    unpack();
    if (!Arrays.equals(values, unpacked)) {
      throw new IllegalStateException("unpacking does not give what was packed");
    }
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public byte[] unpack() {
    int packedBytes = FastLanes.packedBytes(width);
    for (int i = 0; i < GROUPS; i++) {
      FastLanes.unpack(bits, width, packed, i * packedBytes, unpacked, i * groupBytes);
    }
    return unpacked;
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public ByteBuffer pack() {
    int packedBytes = FastLanes.packedBytes(width);
    for (int i = 0; i < GROUPS; i++) {
      FastLanes.pack(bits, width, values, i * groupBytes, packed, i * packedBytes);
    }
    return packed;
  }
}
