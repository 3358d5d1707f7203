package dev.lance4j.format.internal.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Byte stream split: the values' least significant bytes one after another, then all their second
 * bytes, and so on. The bytes of the floating point values of a column resemble each other by
 * position, so general compression finds more in this order.
 *
 * <p>Values of four and eight bytes go through tiles: eight words, in which all bytes are put where
 * they belong by exchanging ever larger parts between pairs of words.
 *
 * <p>Buffers are accessed at absolute offsets. Methods throw {@link IndexOutOfBoundsException} if
 * {@code count * width} bytes do not fit.
 */
public final class ByteStreamSplit {
  private static final int TILE_WORDS = 8;
  private static final int TILE_INTS = 2 * TILE_WORDS;

  private static final long EVEN_BYTES = 0x00FF_00FF_00FF_00FFL;
  private static final long EVEN_SHORTS = 0x0000_FFFF_0000_FFFFL;
  private static final long EVEN_INTS = 0x0000_0000_FFFF_FFFFL;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ByteStreamSplit() {}

  /**
   * Puts values together again.
   *
   * @param count the number of values
   * @param width the bytes per value
   * @param out receives the values, little-endian, from index 0
   */
  public static void merge(ByteBuffer in, int offset, int count, int width, byte[] out) {
    byte[] split = new byte[checkSize(count, width, out.length)];
    in.get(offset, split);
    int done = 0;
    if (width == Integer.BYTES) {
      done = mergeInts(split, count, out);
    } else if (width == Long.BYTES) {
      done = mergeLongs(split, count, out);
    }
    for (int position = 0; position < width; position++) {
      int stream = position * count;
      for (int i = done; i < count; i++) {
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
    byte[] split = new byte[checkSize(count, width, in.length)];
    int done = 0;
    if (width == Integer.BYTES) {
      done = splitInts(in, count, split);
    } else if (width == Long.BYTES) {
      done = splitLongs(in, count, split);
    }
    for (int position = 0; position < width; position++) {
      int stream = position * count;
      for (int i = done; i < count; i++) {
        split[stream + i] = in[i * width + position];
      }
    }
    out.put(offset, split);
  }

  /** Merges whole tiles and returns the number of values in them. */
  private static int mergeLongs(byte[] split, int count, byte[] out) {
    long[] tile = new long[TILE_WORDS];
    int end = count & -TILE_WORDS;
    for (int first = 0; first < end; first += TILE_WORDS) {
      for (int i = 0; i < TILE_WORDS; i++) {
        tile[i] = (long) LONGS.get(split, i * count + first);
      }
      exchange(tile, 1, Byte.SIZE, EVEN_BYTES);
      exchange(tile, 2, Short.SIZE, EVEN_SHORTS);
      exchange(tile, 4, Integer.SIZE, EVEN_INTS);
      for (int i = 0; i < TILE_WORDS; i++) {
        LONGS.set(out, (first + i) * Long.BYTES, tile[i]);
      }
    }
    return end;
  }

  private static int splitLongs(byte[] in, int count, byte[] split) {
    long[] tile = new long[TILE_WORDS];
    int end = count & -TILE_WORDS;
    for (int first = 0; first < end; first += TILE_WORDS) {
      for (int i = 0; i < TILE_WORDS; i++) {
        tile[i] = (long) LONGS.get(in, (first + i) * Long.BYTES);
      }
      exchange(tile, 4, Integer.SIZE, EVEN_INTS);
      exchange(tile, 2, Short.SIZE, EVEN_SHORTS);
      exchange(tile, 1, Byte.SIZE, EVEN_BYTES);
      for (int i = 0; i < TILE_WORDS; i++) {
        LONGS.set(split, i * count + first, tile[i]);
      }
    }
    return end;
  }

  private static int mergeInts(byte[] split, int count, byte[] out) {
    long[] tile = new long[TILE_WORDS];
    int end = count & -TILE_INTS;
    for (int first = 0; first < end; first += TILE_INTS) {
      for (int i = 0; i < TILE_WORDS; i++) {
        tile[i] = (long) LONGS.get(split, splitWord(i, count, first));
      }
      exchange(tile, 1, Byte.SIZE, EVEN_BYTES);
      exchange(tile, 2, Short.SIZE, EVEN_SHORTS);
      exchange(tile, 1, Integer.SIZE, EVEN_INTS);
      for (int i = 0; i < TILE_WORDS; i++) {
        LONGS.set(out, first * Integer.BYTES + mergedPair(i) * Long.BYTES, tile[i]);
      }
    }
    return end;
  }

  private static int splitInts(byte[] in, int count, byte[] split) {
    long[] tile = new long[TILE_WORDS];
    int end = count & -TILE_INTS;
    for (int first = 0; first < end; first += TILE_INTS) {
      for (int i = 0; i < TILE_WORDS; i++) {
        tile[i] = (long) LONGS.get(in, first * Integer.BYTES + mergedPair(i) * Long.BYTES);
      }
      exchange(tile, 1, Integer.SIZE, EVEN_INTS);
      exchange(tile, 2, Short.SIZE, EVEN_SHORTS);
      exchange(tile, 1, Byte.SIZE, EVEN_BYTES);
      for (int i = 0; i < TILE_WORDS; i++) {
        LONGS.set(split, splitWord(i, count, first), tile[i]);
      }
    }
    return end;
  }

  /** Where word {@code i} of a tile is split: of four streams eight bytes each, then the next. */
  private static int splitWord(int i, int count, int first) {
    return (i & 3) * count + first + (i >>> 2) * Long.BYTES;
  }

  /** Which pair of merged values is in word {@code i} of a tile: the low two bits change places. */
  private static int mergedPair(int i) {
    return (i & 4) | (i & 1) << 1 | (i >>> 1 & 1);
  }

  /**
   * Exchanges the odd parts of words with the even parts of the words that are {@code distance}
   * further on.
   *
   * @param bits the size of a part
   * @param even the even parts of a word
   */
  private static void exchange(long[] tile, int distance, int bits, long even) {
    for (int i = 0; i < TILE_WORDS; i++) {
      if ((i & distance) == 0) {
        long differing = ((tile[i] >>> bits) ^ tile[i + distance]) & even;
        tile[i] ^= differing << bits;
        tile[i + distance] ^= differing;
      }
    }
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
