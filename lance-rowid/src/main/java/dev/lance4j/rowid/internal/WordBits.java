package dev.lance4j.rowid.internal;

import java.util.OptionalLong;
import org.roaringbitmap.RoaringBitmap;

/**
 * A set of 32-bit numbers: those of a bitmap or, inverted, all others. So "all" and "all but a few"
 * cost nothing. The bitmap is never changed.
 */
record WordBits(RoaringBitmap bits, boolean inverted) {
  static final WordBits FULL = new WordBits(new RoaringBitmap(), true);

  private static final long NUMBERS = 1L << 32;

  static WordBits of(RoaringBitmap bits) {
    return new WordBits(bits, false);
  }

  boolean contains(int number) {
    return bits.contains(number) != inverted;
  }

  boolean isEmpty() {
    return inverted ? bits.getLongCardinality() == NUMBERS : bits.isEmpty();
  }

  boolean isFull() {
    return inverted && bits.isEmpty();
  }

  /** The number of numbers; unknown if inverted, as nobody knows how many of them are rows. */
  OptionalLong cardinality() {
    return inverted ? OptionalLong.empty() : OptionalLong.of(bits.getLongCardinality());
  }

  /** The numbers below a limit, in a bitmap that is the caller's. */
  RoaringBitmap below(long limit) {
    return inverted
        ? RoaringBitmap.andNot(RoaringBitmap.bitmapOfRange(0, limit), bits)
        : bits.selectRange(0, limit);
  }

  WordBits or(WordBits that) {
    if (!inverted) {
      return that.inverted ? that.or(this) : of(RoaringBitmap.or(bits, that.bits));
    }
    RoaringBitmap missing =
        that.inverted ? RoaringBitmap.and(bits, that.bits) : RoaringBitmap.andNot(bits, that.bits);
    return new WordBits(missing, true);
  }

  WordBits and(WordBits that) {
    if (inverted) {
      return that.inverted ? new WordBits(RoaringBitmap.or(bits, that.bits), true) : that.and(this);
    }
    return of(
        that.inverted ? RoaringBitmap.andNot(bits, that.bits) : RoaringBitmap.and(bits, that.bits));
  }

  WordBits andNot(WordBits that) {
    return and(new WordBits(that.bits, !that.inverted));
  }

  /** The portable serialisation of the numbers. */
  byte[] toBytes() {
    // Nearly all numbers take 512 MB unless they stay in run containers.
    return inverted
        ? RoaringBytes.toBytesWithRuns(expand())
        : RoaringBytes.toBytes(bits).toByteArray();
  }

  /** The numbers in a plain bitmap, which may be large if this is inverted. */
  RoaringBitmap expand() {
    return inverted ? RoaringBitmap.flip(bits, 0, NUMBERS) : bits;
  }
}
