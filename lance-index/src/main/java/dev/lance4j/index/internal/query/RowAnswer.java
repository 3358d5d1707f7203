package dev.lance4j.index.internal.query;

import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowMask;

/**
 * For which rows a condition is true and for which it is null, in the logic of SQL: it is false for
 * all others. A row that both say is null.
 *
 * @param guarantee what the rows are
 * @param rows by address; those for which the condition is true, or may be
 * @param nulls for which it is neither true nor false; without meaning where the guarantee is not
 *     {@link Guarantee#EXACT}
 */
public record RowAnswer(Guarantee guarantee, RowMask<RowAddressSet> rows, RowAddressSet nulls) {
  /** No row. */
  public static RowAnswer none() {
    return new RowAnswer(Guarantee.EXACT, RowMask.none(RowDomain.ADDRESSES), RowAddressSet.EMPTY);
  }

  /**
   * The rows for which the condition is true or, unless that is known, may be true. Those for which
   * it is known to be null are not among them.
   */
  public RowMask<RowAddressSet> selected() {
    return guarantee == Guarantee.EXACT ? rows.alsoBlock(nulls) : rows;
  }

  /**
   * The answer to the opposite condition. Where some rows only may fulfil the condition, the others
   * may be null, so that nothing is known of its opposite.
   */
  public RowAnswer not() {
    return switch (guarantee) {
      case EXACT -> new RowAnswer(Guarantee.EXACT, rows.not(), nulls);
      case AT_MOST -> new RowAnswer(Guarantee.AT_LEAST, none().rows, RowAddressSet.EMPTY);
      case AT_LEAST -> new RowAnswer(Guarantee.AT_MOST, rows.not(), RowAddressSet.EMPTY);
    };
  }

  /** The answer to both conditions at once. */
  public RowAnswer and(RowAnswer that) {
    if (isLeast(guarantee) != isLeast(that.guarantee)) {
      RowAnswer most = isLeast(guarantee) ? that : this;
      return new RowAnswer(Guarantee.AT_MOST, most.selected(), RowAddressSet.EMPTY);
    }
    if (guarantee == Guarantee.EXACT && that.guarantee == Guarantee.EXACT) {
      return new RowAnswer(Guarantee.EXACT, selected().and(that.selected()), nullWith(that));
    }
    Guarantee both = isLeast(guarantee) ? Guarantee.AT_LEAST : Guarantee.AT_MOST;
    return new RowAnswer(both, selected().and(that.selected()), RowAddressSet.EMPTY);
  }

  /** The answer to one condition or the other. */
  public RowAnswer or(RowAnswer that) {
    if (guarantee == Guarantee.EXACT && that.guarantee == Guarantee.EXACT) {
      RowMask<RowAddressSet> either = selected().or(that.selected());
      return new RowAnswer(Guarantee.EXACT, either, without(nulls.or(that.nulls), either));
    }
    boolean least = isLeast(guarantee) || isLeast(that.guarantee);
    boolean most = guarantee == Guarantee.AT_MOST || that.guarantee == Guarantee.AT_MOST;
    if (least && most) {
      RowAnswer known = isLeast(guarantee) ? this : that;
      return new RowAnswer(Guarantee.AT_LEAST, known.selected(), RowAddressSet.EMPTY);
    }
    return new RowAnswer(
        least ? Guarantee.AT_LEAST : Guarantee.AT_MOST,
        selected().or(that.selected()),
        RowAddressSet.EMPTY);
  }

  private static boolean isLeast(Guarantee guarantee) {
    return guarantee == Guarantee.AT_LEAST;
  }

  private RowAddressSet nullWith(RowAnswer that) {
    RowAddressSet both = nulls.and(that.nulls);
    RowAddressSet ours = within(nulls, that.selected());
    RowAddressSet theirs = within(that.nulls, selected());
    return both.or(ours).or(theirs);
  }

  private static RowAddressSet within(RowAddressSet set, RowMask<RowAddressSet> mask) {
    return mask.allows() ? set.and(mask.rows()) : set.andNot(mask.rows());
  }

  private static RowAddressSet without(RowAddressSet set, RowMask<RowAddressSet> mask) {
    return mask.allows() ? set.andNot(mask.rows()) : set.and(mask.rows());
  }
}
