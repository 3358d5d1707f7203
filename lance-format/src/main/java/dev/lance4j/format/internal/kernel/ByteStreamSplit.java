package dev.lance4j.format.internal.kernel;

import java.nio.ByteBuffer;

/**
 * Byte stream split: the values' least significant bytes one after another, then all their second
 * bytes, and so on. The bytes of the floating point values of a column resemble each other by
 * position, so general compression finds more in this order.
 *
 * <p>Buffers are accessed at absolute offsets. Methods throw {@link IndexOutOfBoundsException} if
 * {@code count * width} bytes do not fit.
 */
public final class ByteStreamSplit {
  private ByteStreamSplit() {}

  /**
   * Puts values together again.
   *
   * @param count the number of values
   * @param width the bytes per value
   * @param out receives the values, little-endian, from index 0
   */
  public static void merge(ByteBuffer in, int offset, int count, int width, byte[] out) {
    int size = checkSize(count, width, out.length);
    byte[] split = new byte[size];
    in.get(offset, split);
    for (int position = 0; position < width; position++) {
      int stream = position * count;
      for (int i = 0; i < count; i++) {
        out[i * width + position] = split[stream + i];
      }
    }
  }

  /**
   * Takes values apart.
   *
   * @param in the values, little-endian, from index 0
   * @param count the number of values
   * @param width the bytes per value
   */
  public static void split(byte[] in, int count, int width, ByteBuffer out, int offset) {
    int size = checkSize(count, width, in.length);
    byte[] split = new byte[size];
    for (int position = 0; position < width; position++) {
      int stream = position * count;
      for (int i = 0; i < count; i++) {
        split[stream + i] = in[i * width + position];
      }
    }
    out.put(offset, split);
  }

  private static int checkSize(int count, int width, int available) {
    long size = (long) count * width;
    if (count < 0 || width < 0 || size > available) {
      throw new IndexOutOfBoundsException(
          count + " values of " + width + " bytes do not fit into " + available + " bytes");
    }
    return (int) size;
  }
}
