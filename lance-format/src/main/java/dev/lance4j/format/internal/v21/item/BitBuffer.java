package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.internal.data.GrowableBuffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** A growing sequence of bits, lowest bit first. */
final class BitBuffer implements AutoCloseable {
  private final GrowableBuffer bytes;
  private long count;
  private long ones;

  /**
   * @param expected the number of bits to reserve memory for
   */
  BitBuffer(BufferAllocator allocator, long expected) {
    this.bytes = new GrowableBuffer(allocator, (expected + 7) >>> 3);
  }

  /** The number of bits that are not set. */
  long zeros() {
    return count - ones;
  }

  /** Appends {@code n} bits of a bitmap, from bit {@code from} on. */
  void append(ByteBuffer bits, long from, int n) {
    if (from < 0 || n < 0 || from + n > 8L * bits.limit()) {
      throw new IllegalArgumentException("a bitmap is shorter than its " + (from + n) + " bits");
    }
    int head = (int) Math.min(n, -count & 7);
    for (int i = 0; i < head; i++) {
      appendToLastByte(bits.get((int) ((from + i) >>> 3)) >>> ((from + i) & 7) & 1);
    }
    if (n > head) {
      appendBytes(extract(bits, from + head, n - head), n - head);
    }
  }

  private void appendToLastByte(int bit) {
    long last = count >>> 3;
    ArrowBuf buffer = bytes.buffer();
    buffer.setByte(last, buffer.getByte(last) | bit << (count & 7));
    count++;
    ones += bit;
  }

  private static byte[] extract(ByteBuffer bits, long from, int n) {
    byte[] out = new byte[(n + 7) >>> 3];
    int first = (int) (from >>> 3);
    int shift = (int) (from & 7);
    if (shift == 0) {
      bits.get(first, out);
    } else {
      for (int i = 0; i < out.length; i++) {
        int low = (bits.get(first + i) & 0xff) >>> shift;
        int high = first + i + 1 < bits.limit() ? bits.get(first + i + 1) << (8 - shift) : 0;
        out[i] = (byte) (low | high);
      }
    }
    return out;
  }

  private void appendBytes(byte[] packed, int n) {
    if ((n & 7) != 0) {
      packed[packed.length - 1] &= (byte) ((1 << (n & 7)) - 1);
    }
    for (byte b : packed) {
      ones += Integer.bitCount(b & 0xff);
    }
    bytes.append(ByteBuffer.wrap(packed), 0, packed.length);
    count += n;
  }

  /** Appends the same bit {@code n} times. */
  void appendRun(boolean bit, long n) {
    long left = n;
    while (left > 0 && (count & 7) != 0) {
      appendToLastByte(bit ? 1 : 0);
      left--;
    }
    while (left > 0) {
      int part = (int) Math.min(left, 1 << 16);
      byte[] run = new byte[(part + 7) >>> 3];
      if (bit) {
        Arrays.fill(run, (byte) 0xff);
      }
      appendBytes(run, part);
      left -= part;
    }
  }

  /** Appends one bit for each byte: whether it has its lowest bit set. */
  void appendBytesAsBits(ByteBuffer values, int from, int n) {
    byte[] packed = new byte[(n + 7) >>> 3];
    for (int i = 0; i < n; i++) {
      packed[i >>> 3] |= (byte) ((values.get(from + i) & 1) << (i & 7));
    }
    append(ByteBuffer.wrap(packed), 0, n);
  }

  /** Hands the memory over. */
  ArrowBuf take() {
    return bytes.take();
  }

  @Override
  public void close() {
    bytes.close();
  }
}
