package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Strings and binary values. */
final class VariableSink extends ItemSink {
  private static final long MOST_RESERVED = 16L << 20;

  private final boolean large;
  private final int expected;
  private final GrowableBuffer offsets;
  private final GrowableBuffer bytes;

  VariableSink(BufferAllocator allocator, int offsetBits, int expected) {
    this.large = offsetBits == 64;
    this.expected = expected;
    this.offsets =
        new GrowableBuffer(allocator, expected == 0 ? 0 : (expected + 1L) * (large ? 8 : 4));
    this.bytes = new GrowableBuffer(allocator, 0);
  }

  @Override
  void add(Block block, int from, int to) {
    if (!(block instanceof Block.Variable variable)) {
      throw misfit(block, "strings or binary values");
    }
    int[] ends = variable.offsets();
    int start = ends[from];
    long base = bytes.size() - start;
    int length = ends[to] - start;
    checkSize(length);
    if (bytes.size() == 0 && to - from < expected) {
      bytes.reserve(likelySize(length, to - from));
    }
    bytes.append(variable.bytes(), start, length);
    appendOffsets(ends, from + 1, to - from, base);
  }

  /** The size of all strings, if those to come are about as long as the first ones. */
  private long likelySize(long length, int strings) {
    long likely = length * expected / strings;
    return Math.min(MOST_RESERVED, likely + likely / 8);
  }

  private void checkSize(int more) {
    if (!large && bytes.size() + more > Integer.MAX_VALUE) {
      throw new InvalidInputException(
          "One batch would hold more than 2 GiB of strings; read fewer rows at once");
    }
  }

  private void appendOffsets(int[] ends, int from, int n, long base) {
    ByteBuffer target = growOffsets(n);
    if (large) {
      long[] rebased = new long[n];
      for (int i = 0; i < n; i++) {
        rebased[i] = base + ends[from + i];
      }
      target.asLongBuffer().put(rebased);
    } else {
      int[] rebased = new int[n];
      int shift = (int) base;
      for (int i = 0; i < n; i++) {
        rebased[i] = shift + ends[from + i];
      }
      target.asIntBuffer().put(rebased);
    }
  }

  /** Room for {@code n} more offsets; the leading 0 is written with the first. */
  private ByteBuffer growOffsets(int n) {
    int width = large ? 8 : 4;
    if (offsets.size() == 0) {
      offsets.grow(width);
      offsets.buffer().setZero(0, width);
    }
    long at = offsets.size();
    int length = Math.multiplyExact(n, width);
    offsets.grow(length);
    return offsets.buffer().nioBuffer(at, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  void addEmpty(int n) {
    int part;
    for (int left = n; left > 0; left -= part) {
      part = Math.min(left, 1 << 16);
      appendOffsets(new int[part], 0, part, bytes.size());
    }
  }

  @Override
  public ArrayData finish(ArrowBuf validity, int nulls) {
    ArrowBuf ends = count() == 0 ? null : offsets.take();
    return new ArrayData(count(), nulls, new ArrowBuf[] {validity, ends, bytes.take()});
  }

  @Override
  public void close() {
    offsets.close();
    bytes.close();
  }
}
