package dev.lance4j.scan.internal.lookup;

import dev.lance4j.index.internal.query.ScalarQuery.Bound;
import dev.lance4j.index.internal.query.ScalarQuery.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes one range of several that must all hold, so that an index is asked once. */
final class Ranges {
  private Ranges() {}

  /** Conditions that mean the same together, with at most one range for each index. */
  static List<IndexQuery> merge(List<IndexQuery> parts) {
    List<IndexQuery> merged = new ArrayList<>(parts.size());
    for (IndexQuery part : parts) {
      int same = part instanceof IndexQuery.Leaf leaf ? indexOfRange(merged, leaf) : -1;
      if (same < 0) {
        merged.add(part);
      } else {
        merged.set(same, both((IndexQuery.Leaf) merged.get(same), (IndexQuery.Leaf) part));
      }
    }
    return merged;
  }

  /** What is asked in place of a condition: the range that it was made a part of, or itself. */
  static IndexQuery in(List<IndexQuery> merged, IndexQuery part) {
    int same = part instanceof IndexQuery.Leaf leaf ? indexOfRange(merged, leaf) : -1;
    return same < 0 ? part : merged.get(same);
  }

  private static int indexOfRange(List<IndexQuery> merged, IndexQuery.Leaf range) {
    for (int i = 0; i < merged.size() && range.query() instanceof Range; i++) {
      if (merged.get(i) instanceof IndexQuery.Leaf other
          && other.query() instanceof Range
          && other.index() == range.index()) {
        return i;
      }
    }
    return -1;
  }

  private static IndexQuery both(IndexQuery.Leaf a, IndexQuery.Leaf b) {
    Range x = (Range) a.query();
    Range y = (Range) b.query();
    Range both = new Range(tighter(x.lower(), y.lower(), 1), tighter(x.upper(), y.upper(), -1));
    return new IndexQuery.Leaf(a.index(), both, a.isExact() && b.isExact());
  }

  /**
   * The end that leaves less.
   *
   * @param sign 1 if greater values leave less, else -1
   */
  private static Optional<Bound> tighter(Optional<Bound> a, Optional<Bound> b, int sign) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.or(() -> b);
    }
    int order = sign * a.get().value().compareTo(b.get().value());
    if (order == 0) {
      return a.get().inclusive() ? b : a;
    }
    return order > 0 ? a : b;
  }
}
