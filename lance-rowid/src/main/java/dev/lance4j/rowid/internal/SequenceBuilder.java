package dev.lance4j.rowid.internal;

import java.util.ArrayList;
import java.util.List;

/** Puts segments one after the other. */
public final class SequenceBuilder {
  private final List<U64Segment> segments = new ArrayList<>();

  /** Appends a segment; ranges that touch become one. */
  public void extend(U64Segment segment) {
    int last = segments.size() - 1;
    if (last >= 0
        && segments.get(last) instanceof RangeSegment left
        && segment instanceof RangeSegment right
        && left.end() == right.start()) {
      segments.set(last, new RangeSegment(left.start(), right.end()));
    } else {
      segments.add(segment);
    }
  }

  /** Appends segments; only the first of them may become one with what is there. */
  public void extend(List<U64Segment> more) {
    if (!more.isEmpty()) {
      extend(more.get(0));
      segments.addAll(more.subList(1, more.size()));
    }
  }

  /** What was appended so far. */
  public List<U64Segment> build() {
    return segments;
  }
}
