package dev.lance4j.scan.internal.lookup;

import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.RowAnswer;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.rowid.RowAddressSet;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.roaringbitmap.RoaringBitmap;

/**
 * A condition that indices answer, in whole or so that no row is missed for which it is true.
 * Immutable.
 */
public sealed interface IndexQuery {
  /** Whether the answer tells for each row whether the condition is true, false or null. */
  boolean isExact();

  /**
   * Asks the indices.
   *
   * @throws dev.lance4j.format.CorruptFileException if an index is damaged
   */
  RowAnswer answer();

  /** Passes on the questions to the indices. */
  void forEachLeaf(Consumer<Leaf> consumer);

  /**
   * The fragments that all indices answer for.
   *
   * @throws dev.lance4j.format.CorruptFileException if an index is damaged
   */
  default RoaringBitmap coverage() {
    RoaringBitmap[] common = new RoaringBitmap[1];
    forEachLeaf(
        leaf -> {
          if (common[0] == null) {
            common[0] = leaf.index().coverage().clone();
          } else {
            common[0].and(leaf.index().coverage());
          }
        });
    return common[0];
  }

  /**
   * A question to one index.
   *
   * @param isExact whether the index knows the answer, and the question is all of the condition
   */
  record Leaf(FilterIndex index, ScalarQuery query, boolean isExact) implements IndexQuery {
    @Override
    public RowAnswer answer() {
      RowAnswer found = index.search(query);
      return isExact || found.guarantee() != Guarantee.EXACT
          ? found
          : new RowAnswer(Guarantee.AT_MOST, found.selected(), RowAddressSet.EMPTY);
    }

    @Override
    public void forEachLeaf(Consumer<Leaf> consumer) {
      consumer.accept(this);
    }

    @Override
    public String toString() {
      return QueryText.of(index.column(), query) + " by " + index.describe();
    }
  }

  /**
   * All of some conditions.
   *
   * @param isExact whether all are exact, and there are no others
   */
  record All(List<IndexQuery> parts, boolean isExact) implements IndexQuery {
    public All {
      parts = List.copyOf(parts);
    }

    @Override
    public RowAnswer answer() {
      RowAnswer both = combined(parts, RowAnswer::and);
      return isExact || both.guarantee() != Guarantee.EXACT
          ? both
          : new RowAnswer(Guarantee.AT_MOST, both.selected(), RowAddressSet.EMPTY);
    }

    @Override
    public void forEachLeaf(Consumer<Leaf> consumer) {
      parts.forEach(part -> part.forEachLeaf(consumer));
    }

    @Override
    public String toString() {
      return joined(parts, " AND ");
    }
  }

  /** At least one of some conditions. */
  record Any(List<IndexQuery> parts) implements IndexQuery {
    public Any {
      parts = List.copyOf(parts);
    }

    @Override
    public boolean isExact() {
      return parts.stream().allMatch(IndexQuery::isExact);
    }

    @Override
    public RowAnswer answer() {
      return combined(parts, RowAnswer::or);
    }

    @Override
    public void forEachLeaf(Consumer<Leaf> consumer) {
      parts.forEach(part -> part.forEachLeaf(consumer));
    }

    @Override
    public String toString() {
      return joined(parts, " OR ");
    }
  }

  /** The opposite of a condition that is answered exactly. */
  record Not(IndexQuery part) implements IndexQuery {
    @Override
    public boolean isExact() {
      return part.isExact();
    }

    @Override
    public RowAnswer answer() {
      return part.answer().not();
    }

    @Override
    public void forEachLeaf(Consumer<Leaf> consumer) {
      part.forEachLeaf(consumer);
    }

    @Override
    public String toString() {
      return "NOT (" + part + ")";
    }
  }

  /** Whether a condition is true: false where it is null. */
  record IsTrue(IndexQuery part) implements IndexQuery {
    @Override
    public boolean isExact() {
      return part.isExact();
    }

    @Override
    public RowAnswer answer() {
      RowAnswer found = part.answer();
      return new RowAnswer(found.guarantee(), found.selected(), RowAddressSet.EMPTY);
    }

    @Override
    public void forEachLeaf(Consumer<Leaf> consumer) {
      part.forEachLeaf(consumer);
    }

    @Override
    public String toString() {
      return "(" + part + ") IS TRUE";
    }
  }

  private static RowAnswer combined(List<IndexQuery> parts, BinaryOperator<RowAnswer> operator) {
    RowAnswer all = parts.get(0).answer();
    for (IndexQuery part : parts.subList(1, parts.size())) {
      all = operator.apply(all, part.answer());
    }
    return all;
  }

  private static String joined(List<IndexQuery> parts, String operator) {
    return parts.stream()
        .map(part -> part instanceof Leaf || part instanceof Not ? "" + part : "(" + part + ")")
        .collect(Collectors.joining(operator));
  }
}
