package dev.lance4j.scan.internal.expr.values;

/** Spans of months, days and nanoseconds. */
public final class IntervalValues extends Values {
  private final int[] months;
  private final int[] days;
  private final long[] nanos;

  public IntervalValues(int[] months, int[] days, long[] nanos, long[] valid) {
    super(months.length, valid);
    this.months = months;
    this.days = days;
    this.nanos = nanos;
  }

  public int months(int row) {
    return months[row];
  }

  public int days(int row) {
    return days[row];
  }

  public long nanos(int row) {
    return nanos[row];
  }

  @Override
  public Values gather(int[] rows) {
    int[] newMonths = new int[rows.length];
    int[] newDays = new int[rows.length];
    long[] newNanos = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] >= 0) {
        newMonths[i] = months[rows[i]];
        newDays[i] = days[rows[i]];
        newNanos[i] = nanos[rows[i]];
      }
    }
    return new IntervalValues(newMonths, newDays, newNanos, Bits.gather(valid(), rows));
  }

  @Override
  public Values withValid(long[] valid) {
    return new IntervalValues(months, days, nanos, valid);
  }

  @Override
  public int compare(int row, Values other, int otherRow) {
    IntervalValues right = (IntervalValues) other;
    int order = Integer.compare(months[row], right.months[otherRow]);
    if (order == 0) {
      order = Integer.compare(days[row], right.days[otherRow]);
    }
    return order != 0 ? order : Long.compare(nanos[row], right.nanos[otherRow]);
  }
}
