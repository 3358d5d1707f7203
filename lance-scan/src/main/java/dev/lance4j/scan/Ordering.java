package dev.lance4j.scan;

/**
 * A column to order rows by. Numbers are ordered by value, floats in the total order of IEEE 754
 * with the negative NaNs first and the positive ones last, text and binary by unsigned bytes, false
 * before true, dictionary values by what they stand for, lists item by item with shorter ones
 * first, structs field by field. Maps have no order. Nulls inside lists and structs go where nulls
 * of the column go.
 *
 * @param column the name of a column of the table, a dotted path to a field, or a virtual column
 * @param ascending whether small values come first
 * @param nullsFirst whether nulls come before all values, whatever the direction
 */
public record Ordering(String column, boolean ascending, boolean nullsFirst) {
  /** Small values first, nulls before them. */
  public static Ordering asc(String column) {
    return new Ordering(column, true, true);
  }

  /** Large values first, nulls before them. */
  public static Ordering desc(String column) {
    return new Ordering(column, false, true);
  }

  /** The same with nulls before all values. */
  public Ordering withNullsFirst() {
    return new Ordering(column, ascending, true);
  }

  /** The same with nulls after all values. */
  public Ordering withNullsLast() {
    return new Ordering(column, ascending, false);
  }

  @Override
  public String toString() {
    return column
        + (ascending ? " ascending" : " descending")
        + (nullsFirst ? ", nulls first" : ", nulls last");
  }
}
