package dev.lance4j.format.internal.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * FastLanes bit-packing: groups of 1024 unsigned values of {@code T} bits, of which the low {@code
 * width} bits are kept.
 *
 * <p>A group has {@code 1024 / T} lanes of {@code T} rows. The values of a lane are strung together
 * and the words of the lanes are interleaved, so that a row is 1024 bits, packed or not, whatever
 * {@code T} is. One kernel serves all four types: it moves a row as sixteen {@code long}s, each of
 * which holds {@code 64 / T} neighbouring lanes.
 *
 * <p>A packed group is little-endian and takes {@code 128 * width} bytes. Buffers are accessed at
 * absolute offsets; their position and byte order are neither used nor changed. All methods throw
 * {@link IllegalArgumentException} if the width is not in {@code 0..T}, and {@link
 * IndexOutOfBoundsException} if a group does not fit into its buffer or array.
 */
public final class FastLanes {
  /** The number of values in a group. */
  public static final int GROUP = 1024;

  private static final int ROW_BYTES = GROUP / Byte.SIZE;

  /** Which sixteenth of each 128 values a block of eight rows fills. */
  private static final int[] ROW_BLOCK_ORDER = {0, 4, 2, 6, 1, 5, 3, 7};

  /** A one in each lane of 8, 16, 32 and 64 bits. */
  private static final long[] ONE_IN_EACH_LANE = {
    0x0101_0101_0101_0101L, 0x0001_0001_0001_0001L, 0x0000_0001_0000_0001L, 1L
  };

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle SHORT_WORDS =
      MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT_WORDS =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_WORDS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Fresh arrays would cost more than the unpacking: each call would touch cold memory. */
  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private FastLanes() {}

  /** The size of a packed group in bytes. */
  public static int packedBytes(int width) {
    return ROW_BYTES * width;
  }

  /** Unpacks a group of 8-bit values. */
  public static void unpackBytes(int width, ByteBuffer in, int offset, byte[] out, int outOffset) {
    unpack(Byte.SIZE, width, in, offset, out, outOffset);
  }

  /** Unpacks a group of 16-bit values. */
  public static void unpackShorts(
      int width, ByteBuffer in, int offset, short[] out, int outOffset) {
    Scratch scratch = SCRATCH.get();
    unpack(Short.SIZE, width, in, offset, scratch.values, 0);
    scratch.view().asShortBuffer().get(out, outOffset, GROUP);
  }

  /** Unpacks a group of 32-bit values. */
  public static void unpackInts(int width, ByteBuffer in, int offset, int[] out, int outOffset) {
    Scratch scratch = SCRATCH.get();
    unpack(Integer.SIZE, width, in, offset, scratch.values, 0);
    scratch.view().asIntBuffer().get(out, outOffset, GROUP);
  }

  /** Unpacks a group of 64-bit values. */
  public static void unpackLongs(int width, ByteBuffer in, int offset, long[] out, int outOffset) {
    Scratch scratch = SCRATCH.get();
    unpack(Long.SIZE, width, in, offset, scratch.values, 0);
    scratch.view().asLongBuffer().get(out, outOffset, GROUP);
  }

  /** Packs a group of 8-bit values; bits above the width are dropped. */
  public static void packBytes(int width, byte[] in, int inOffset, ByteBuffer out, int offset) {
    pack(Byte.SIZE, width, in, inOffset, out, offset);
  }

  /** Packs a group of 16-bit values; bits above the width are dropped. */
  public static void packShorts(int width, short[] in, int inOffset, ByteBuffer out, int offset) {
    Scratch scratch = SCRATCH.get();
    scratch.view().asShortBuffer().put(in, inOffset, GROUP);
    pack(Short.SIZE, width, scratch.values, 0, out, offset);
  }

  /** Packs a group of 32-bit values; bits above the width are dropped. */
  public static void packInts(int width, int[] in, int inOffset, ByteBuffer out, int offset) {
    Scratch scratch = SCRATCH.get();
    scratch.view().asIntBuffer().put(in, inOffset, GROUP);
    pack(Integer.SIZE, width, scratch.values, 0, out, offset);
  }

  /** Packs a group of 64-bit values; bits above the width are dropped. */
  public static void packLongs(int width, long[] in, int inOffset, ByteBuffer out, int offset) {
    Scratch scratch = SCRATCH.get();
    scratch.view().asLongBuffer().put(in, inOffset, GROUP);
    pack(Long.SIZE, width, scratch.values, 0, out, offset);
  }

  /**
   * Unpacks a group of values of any of the four types into little-endian bytes.
   *
   * @param bits the width of the values: 8, 16, 32 or 64
   * @param out takes {@code 128 * bits} bytes from {@code outOffset} on
   */
  public static void unpack(
      int bits, int width, ByteBuffer in, int offset, byte[] out, int outOffset) {
    checkWidth(bits, width);
    if (width == 0) {
      Arrays.fill(out, outOffset, outOffset + GROUP * bits / Byte.SIZE, (byte) 0);
      return;
    }
    byte[] words = SCRATCH.get().words;
    in.get(offset, words, 0, packedBytes(width));
    for (int row = 0; row < bits; row++) {
      int shift = row * width % bits;
      int word = row * width / bits * ROW_BYTES;
      int here = Math.min(width, bits - shift);
      int target = outOffset + rowOffset(row, bits);
      if (here == width) {
        unpackRow(words, word, shift, inEachLane(bits, 0, width), out, target);
      } else {
        long lowMask = inEachLane(bits, 0, here);
        long highMask = inEachLane(bits, here, width);
        unpackSplitRow(words, word, shift, lowMask, here, highMask, out, target);
      }
    }
  }

  /**
   * Unpacks one value of a group, for reads of a few.
   *
   * @param bits the width of the values: 8, 16, 32 or 64
   * @param index of the value in the group
   */
  public static long unpackSingle(int bits, int width, ByteBuffer in, int offset, int index) {
    checkWidth(bits, width);
    if (width == 0) {
      return 0;
    }
    int lanes = GROUP / bits;
    int inBlock = index % 128;
    // The order of blocks is its own inverse.
    int row = ROW_BLOCK_ORDER[inBlock / lanes * lanes / 16] * 8 + index / 128;
    int shift = row * width % bits;
    int at = offset + row * width / bits * ROW_BYTES + inBlock % lanes * bits / Byte.SIZE;
    long value = word(bits, in, at) >>> shift;
    if (shift + width > bits) {
      value |= word(bits, in, at + ROW_BYTES) << (bits - shift);
    }
    return value & (-1L >>> (Long.SIZE - width));
  }

  private static long word(int bits, ByteBuffer in, int at) {
    return switch (bits) {
      case Byte.SIZE -> in.get(at) & 0xFF;
      case Short.SIZE -> (short) SHORT_WORDS.get(in, at) & 0xFFFF;
      case Integer.SIZE -> (int) INT_WORDS.get(in, at) & 0xFFFF_FFFFL;
      default -> (long) LONG_WORDS.get(in, at);
    };
  }

  private static void unpackRow(
      byte[] words, int word, int shift, long mask, byte[] out, int target) {
    for (int i = 0; i < ROW_BYTES; i += Long.BYTES) {
      LONGS.set(out, target + i, (long) LONGS.get(words, word + i) >>> shift & mask);
    }
  }

  /** Unpacks a row whose values begin in one word of their lane and end in the next. */
  private static void unpackSplitRow(
      byte[] words,
      int word,
      int shift,
      long lowMask,
      int highShift,
      long highMask,
      byte[] out,
      int target) {
    int next = word + ROW_BYTES;
    for (int i = 0; i < ROW_BYTES; i += Long.BYTES) {
      long low = (long) LONGS.get(words, word + i) >>> shift & lowMask;
      long high = (long) LONGS.get(words, next + i) << highShift & highMask;
      LONGS.set(out, target + i, low | high);
    }
  }

  /**
   * Packs a group of values of any of the four types, which are little-endian bytes; bits above the
   * width are dropped.
   *
   * @param bits the width of the values: 8, 16, 32 or 64
   * @param in {@code 128 * bits} bytes from {@code inOffset} on
   */
  public static void pack(
      int bits, int width, byte[] in, int inOffset, ByteBuffer out, int offset) {
    checkWidth(bits, width);
    if (width == 0) {
      return;
    }
    byte[] words = SCRATCH.get().words;
    for (int row = 0; row < bits; row++) {
      int shift = row * width % bits;
      int word = row * width / bits * ROW_BYTES;
      int here = Math.min(width, bits - shift);
      int source = inOffset + rowOffset(row, bits);
      long mask = inEachLane(bits, 0, here);
      if (shift == 0) {
        startWords(in, source, 0, mask, words, word);
      } else {
        extendWords(in, source, mask, shift, words, word);
      }
      if (here < width) {
        startWords(in, source, here, inEachLane(bits, 0, width - here), words, word + ROW_BYTES);
      }
    }
    out.put(offset, words, 0, packedBytes(width));
  }

  /** Fills the words of a row from bit 0; what they held before is overwritten. */
  private static void startWords(
      byte[] in, int source, int dropped, long mask, byte[] words, int word) {
    for (int i = 0; i < ROW_BYTES; i += Long.BYTES) {
      LONGS.set(words, word + i, (long) LONGS.get(in, source + i) >>> dropped & mask);
    }
  }

  /** Adds values to the words of a row above the {@code shift} bits that they hold already. */
  private static void extendWords(
      byte[] in, int source, long mask, int shift, byte[] words, int word) {
    for (int i = 0; i < ROW_BYTES; i += Long.BYTES) {
      long value = ((long) LONGS.get(in, source + i) & mask) << shift;
      LONGS.set(words, word + i, (long) LONGS.get(words, word + i) | value);
    }
  }

  /** Where the unpacked values of a row begin, in bytes from the start of the group. */
  private static int rowOffset(int row, int bits) {
    int lane0 = ROW_BLOCK_ORDER[row / 8] * 16 + row % 8 * 128;
    return lane0 * bits / Byte.SIZE;
  }

  /** Ones from bit {@code from} up to, but not including, bit {@code to} of each lane. */
  private static long inEachLane(int bits, int from, int to) {
    long lane = -1L >>> (Long.SIZE - (to - from)) << from;
    return lane * ONE_IN_EACH_LANE[Integer.numberOfTrailingZeros(bits / Byte.SIZE)];
  }

  private static void checkWidth(int bits, int width) {
    if (width < 0 || width > bits) {
      throw new IllegalArgumentException(
          "a packed width of " + width + " bits is not in 0.." + bits);
    }
  }

  /** One thread's room for the largest group. */
  private static final class Scratch {
    final byte[] words = new byte[GROUP * Long.BYTES];
    final byte[] values = new byte[GROUP * Long.BYTES];

    ByteBuffer view() {
      return ByteBuffer.wrap(values).order(ByteOrder.LITTLE_ENDIAN);
    }
  }
}
