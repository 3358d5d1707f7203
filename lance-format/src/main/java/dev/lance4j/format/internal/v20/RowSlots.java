package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.Bitmaps;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.page.RowRanges;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;

/** Where the values of some rows of variable length lie in a page. Immutable. */
final class RowSlots {
  private final long[] starts;
  private final int[] lengths;
  private final int nulls;

  /**
   * @param starts of each row's values in the page, not descending
   * @param lengths the number of values of each row, negative for nulls
   * @param nulls how many rows are null
   */
  RowSlots(long[] starts, int[] lengths, int nulls) {
    this.starts = starts;
    this.lengths = lengths;
    this.nulls = nulls;
  }

  /** The rows of several pages in order; only their lengths are used together. */
  static RowSlots concat(List<RowSlots> parts) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    int count = 0;
    int nulls = 0;
    for (RowSlots part : parts) {
      count += part.count();
      nulls += part.nulls;
    }
    int[] lengths = new int[count];
    int at = 0;
    for (RowSlots part : parts) {
      System.arraycopy(part.lengths, 0, lengths, at, part.count());
      at += part.count();
    }
    return new RowSlots(new long[count], lengths, nulls);
  }

  int count() {
    return lengths.length;
  }

  int nulls() {
    return nulls;
  }

  boolean isNull(int row) {
    return lengths[row] < 0;
  }

  /** The first value of a row. */
  long start(int row) {
    return starts[row];
  }

  /** The number of values of a row; negative for nulls. */
  int length(int row) {
    return lengths[row];
  }

  /** The values that belong to rows; what lies in the slots of nulls is left out. */
  RowRanges values() {
    RangeList ranges = new RangeList();
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] > 0) {
        ranges.add(starts[i], starts[i] + lengths[i]);
      }
    }
    return ranges.toRanges();
  }

  /** The validity buffer, or null when there are no nulls. */
  ArrowBuf validity(OwnedBuffers owned) {
    if (nulls == 0) {
      return null;
    }
    ArrowBuf validity = owned.zeros(Bitmaps.bytes(lengths.length));
    for (int first = 0; first < lengths.length; first += Byte.SIZE) {
      int bits = 0;
      for (int i = first; i < Math.min(first + Byte.SIZE, lengths.length); i++) {
        bits |= lengths[i] >= 0 ? 1 << (i - first) : 0;
      }
      validity.setByte(first / Byte.SIZE, bits);
    }
    return validity;
  }

  /**
   * The Arrow offsets of the rows over {@link #values}.
   *
   * @param wide whether offsets have 64 bits
   * @throws dev.lance4j.format.UnsupportedFormatException if 32 bits do not suffice
   */
  ArrowBuf offsets(boolean wide, OwnedBuffers owned) {
    int width = wide ? Long.BYTES : Integer.BYTES;
    int bytes = ReadLimits.count((lengths.length + 1L) * width);
    ArrowBuf offsets = owned.allocate(bytes);
    ByteBuffer target = offsets.nioBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
    long end = 0;
    if (wide) {
      target.putLong(end);
      for (int length : lengths) {
        end += Math.max(0, length);
        target.putLong(end);
      }
    } else {
      target.putInt(0);
      for (int length : lengths) {
        end += Math.max(0, length);
        target.putInt((int) end);
      }
      ReadLimits.count(end);
    }
    return offsets;
  }
}
