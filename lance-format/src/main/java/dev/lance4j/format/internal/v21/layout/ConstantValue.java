package dev.lance4j.format.internal.v21.layout;

import com.google.protobuf.ByteString;
import dev.lance4j.format.internal.v21.item.Block;
import dev.lance4j.format.internal.v21.item.BlockSink;
import dev.lance4j.format.internal.v21.item.ItemType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One value that a page repeats. */
final class ConstantValue {
  private static final int COPIED_BYTES = 1 << 14;
  private static final int MAX_COPIES = 1 << 10;

  // Some copies of the value, so that many are appended at once.
  private final Block copies;
  private final int count;

  private ConstantValue(Block copies, int count) {
    this.copies = copies;
    this.count = count;
  }

  /** A value of the page's message. */
  static ConstantValue inline(ByteString value, ItemType type) {
    if (!(type instanceof ItemType.Fixed fixed)) {
      throw new IllegalArgumentException("an inline value in a column without fixed width");
    }
    return fixed(value.asReadOnlyByteBuffer(), fixed);
  }

  /** A value of a page's buffer: an Arrow array of one valid value. */
  static ConstantValue buffer(ByteBuffer array, ItemType type) {
    ByteBuffer[] buffers = split(array);
    if (type instanceof ItemType.Fixed fixed && buffers.length == 1) {
      return fixed(buffers[0], fixed);
    }
    if (type instanceof ItemType.Variable variable && buffers.length == 2) {
      return variable(buffers[0], buffers[1], variable.offsetBits() / 8);
    }
    throw new IllegalArgumentException(
        "a constant of " + buffers.length + " buffers does not fit the column");
  }

  private static ByteBuffer[] split(ByteBuffer array) {
    check(array.limit() >= Integer.BYTES, "it has no buffer count");
    int n = array.getInt(0);
    check(n >= 0 && n <= array.limit() / Integer.BYTES - 1, "it has " + n + " buffers");
    ByteBuffer[] buffers = new ByteBuffer[n];
    int at = Integer.BYTES * (n + 1);
    for (int i = 0; i < n; i++) {
      int length = array.getInt(Integer.BYTES * (i + 1));
      check(length >= 0 && length <= array.limit() - at, "a buffer has " + length + " bytes");
      buffers[i] = array.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
      at += length;
    }
    return buffers;
  }

  private static void check(boolean condition, String problem) {
    if (!condition) {
      throw new IllegalArgumentException("the value of a constant page is malformed: " + problem);
    }
  }

  private static ConstantValue fixed(ByteBuffer value, ItemType.Fixed type) {
    int bytes = (type.bits() + 7) / 8;
    check(value.remaining() == bytes, "it has " + value.remaining() + " bytes");
    if (type.bits() == 1) {
      // As bytes, of which only the lowest bit counts.
      return new ConstantValue(new Block.Fixed(repeat(value, MAX_COPIES), 8, false), MAX_COPIES);
    }
    int copies = copies(bytes);
    return new ConstantValue(new Block.Fixed(repeat(value, copies), type.bits(), false), copies);
  }

  private static ConstantValue variable(ByteBuffer offsets, ByteBuffer data, int width) {
    check(offsets.limit() >= 2 * width, "it has no offsets");
    long start = width == Integer.BYTES ? offsets.getInt(0) : offsets.getLong(0);
    long end = width == Integer.BYTES ? offsets.getInt(width) : offsets.getLong(width);
    check(start >= 0 && start <= end && end <= data.limit(), "its offsets leave its bytes");
    ByteBuffer value = data.slice((int) start, (int) (end - start));
    int copies = copies(value.limit());
    int[] ends = new int[copies + 1];
    for (int i = 1; i <= copies; i++) {
      ends[i] = ends[i - 1] + value.limit();
    }
    return new ConstantValue(new Block.Variable(repeat(value, copies), ends), copies);
  }

  private static int copies(int bytes) {
    return Math.max(1, Math.min(MAX_COPIES, COPIED_BYTES / Math.max(1, bytes)));
  }

  private static ByteBuffer repeat(ByteBuffer value, int copies) {
    ByteBuffer out = ByteBuffer.allocate(value.remaining() * copies).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < copies; i++) {
      out.put(value.duplicate());
    }
    return out.rewind();
  }

  /** Appends the value {@code n} times. */
  void appendTo(BlockSink sink, int n) {
    int part;
    for (int left = n; left > 0; left -= part) {
      part = Math.min(left, count);
      sink.append(copies, 0, part);
    }
  }
}
