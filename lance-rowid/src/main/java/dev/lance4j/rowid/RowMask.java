package dev.lance4j.rowid;

/**
 * A choice of rows: only those of a set, or all but those of a set. Immutable.
 *
 * @param kind whether the rows of the set are allowed or blocked
 * @param rows addresses or stable row ids
 * @param <S> the kind of set; masks of different kinds do not combine
 */
public record RowMask<S extends RowSet<S>>(Kind kind, S rows) {
  /** What a mask does with the rows of its set. */
  public enum Kind {
    /** Only the rows of the set are selected. */
    ALLOW,
    /** All rows but those of the set are selected. */
    BLOCK
  }

  /** Selects the rows of a set. */
  public static <S extends RowSet<S>> RowMask<S> allow(S rows) {
    return new RowMask<>(Kind.ALLOW, rows);
  }

  /** Selects all rows but those of a set. */
  public static <S extends RowSet<S>> RowMask<S> block(S rows) {
    return new RowMask<>(Kind.BLOCK, rows);
  }

  /** Selects all rows. */
  public static <S extends RowSet<S>> RowMask<S> all(RowDomain<S> domain) {
    return block(domain.empty());
  }

  /** Selects no row. */
  public static <S extends RowSet<S>> RowMask<S> none(RowDomain<S> domain) {
    return allow(domain.empty());
  }

  /** Whether a row is selected; it is an address or a stable row id as those of the mask are. */
  public boolean selects(long row) {
    return rows.contains(row) == allows();
  }

  /** Whether the mask is a list of the rows that it selects. */
  public boolean allows() {
    return kind == Kind.ALLOW;
  }

  /** Whether the mask certainly selects all rows. */
  public boolean selectsAll() {
    return kind == Kind.BLOCK && rows.isEmpty();
  }

  /** Whether the mask certainly selects no row. */
  public boolean selectsNone() {
    return kind == Kind.ALLOW && rows.isEmpty();
  }

  /** Selects what this mask does not. */
  public RowMask<S> not() {
    return allows() ? block(rows) : allow(rows);
  }

  /** Selects what both masks do. */
  public RowMask<S> and(RowMask<S> that) {
    if (allows()) {
      return allow(that.allows() ? rows.and(that.rows) : rows.andNot(that.rows));
    }
    return that.allows() ? that.and(this) : block(rows.or(that.rows));
  }

  /** Selects what one or both of the masks do. */
  public RowMask<S> or(RowMask<S> that) {
    return not().and(that.not()).not();
  }

  /** Selects what this mask does, without the rows of a set. */
  public RowMask<S> alsoBlock(S blocked) {
    return and(block(blocked));
  }

  /** Selects what this mask does, and the rows of a set. */
  public RowMask<S> alsoAllow(S allowed) {
    return or(allow(allowed));
  }
}
