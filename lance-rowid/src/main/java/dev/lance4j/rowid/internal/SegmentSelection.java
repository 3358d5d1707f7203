package dev.lance4j.rowid.internal;

import org.roaringbitmap.RoaringBitmap;

/** Which values of a segment are in a set, or are not. */
public final class SegmentSelection {
  private static final int BATCH = 1024;

  private final U64Segment segment;
  private final WordMap set;
  private final boolean inside;

  /**
   * A choice of the values of a segment.
   *
   * @param inside whether the values in the set are wanted, or the others
   */
  public SegmentSelection(U64Segment segment, WordMap set, boolean inside) {
    this.segment = segment;
    this.set = set;
    this.inside = inside;
  }

  /** Adds the positions of the wanted values, plus a base. */
  public void addOffsets(long base, RoaringBitmap offsets) {
    long length = segment.length();
    if (length == 0) {
      return;
    }
    long candidates = set.cardinality(segment.min(), segment.max());
    if (candidates == 0) {
      if (!inside) {
        offsets.add(base, base + length);
      }
    } else if (segment instanceof RangeSegment && candidates == length) {
      if (inside) {
        offsets.add(base, base + length);
      }
    } else if (candidates < length && !(segment instanceof ArraySegment)) {
      addByCandidate(base, offsets);
    } else {
      addByValue(base, offsets);
    }
  }

  private void addByCandidate(long base, RoaringBitmap offsets) {
    if (!inside) {
      offsets.add(base, base + segment.length());
    }
    WordMap.Cursor candidate = set.cursor(segment.min(), segment.max());
    while (candidate.next()) {
      long position = segment.position(candidate.number());
      if (position >= 0 && inside) {
        offsets.add((int) (base + position));
      } else if (position >= 0) {
        offsets.remove((int) (base + position));
      }
    }
  }

  private void addByValue(long base, RoaringBitmap offsets) {
    long length = segment.length();
    long[] batch = new long[(int) Math.min(BATCH, length)];
    for (long from = 0; from < length; from += batch.length) {
      int count = (int) Math.min(batch.length, length - from);
      segment.copy(from, count, batch, 0);
      for (int i = 0; i < count; i++) {
        if (set.contains(batch[i]) == inside) {
          offsets.add((int) (base + from + i));
        }
      }
    }
  }

  /** Adds all values of a segment to a set. */
  public static void addAll(U64Segment segment, WordMap.Builder set) {
    long length = segment.length();
    if (length > 0 && segment instanceof RangeSegment) {
      set.addRange(segment.min(), segment.max());
      return;
    }
    long[] batch = new long[(int) Math.min(BATCH, length)];
    for (long from = 0; from < length; from += batch.length) {
      int count = (int) Math.min(batch.length, length - from);
      segment.copy(from, count, batch, 0);
      set.add(batch, 0, count);
    }
  }
}
