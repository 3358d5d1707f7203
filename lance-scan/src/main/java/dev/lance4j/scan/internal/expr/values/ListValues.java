package dev.lance4j.scan.internal.expr.values;

/** Lists, and maps as lists of entries: ranges of the items. */
public final class ListValues extends Values {
  private final int[] starts;
  private final int[] ends;
  private final Values items;

  public ListValues(int[] starts, int[] ends, Values items, long[] valid) {
    super(starts.length, valid);
    this.starts = starts;
    this.ends = ends;
    this.items = items;
  }

  public int start(int row) {
    return starts[row];
  }

  public int end(int row) {
    return ends[row];
  }

  public int length(int row) {
    return ends[row] - starts[row];
  }

  public Values items() {
    return items;
  }

  /** The same lists over other items, one for each of the old ones. */
  public ListValues withItems(Values newItems) {
    return new ListValues(starts, ends, newItems, valid());
  }

  @Override
  public Values gather(int[] rows) {
    int[] newStarts = new int[rows.length];
    int[] newEnds = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] >= 0) {
        newStarts[i] = starts[rows[i]];
        newEnds[i] = ends[rows[i]];
      }
    }
    return new ListValues(newStarts, newEnds, items, Bits.gather(valid(), rows));
  }

  @Override
  public Values withValid(long[] valid) {
    return new ListValues(starts, ends, items, valid);
  }

  @Override
  public int compare(int row, Values other, int otherRow) {
    ListValues right = (ListValues) other;
    int common = Math.min(length(row), right.length(otherRow));
    for (int i = 0; i < common; i++) {
      int order =
          Rows.compareNullable(items, starts[row] + i, right.items, right.starts[otherRow] + i);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(length(row), right.length(otherRow));
  }
}
