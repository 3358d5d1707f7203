package dev.lance4j.scan.internal.expr.values;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Strings in UTF-8 and binary values: ranges of one array, which may overlap and be in any order.
 */
public final class BytesValues extends Values {
  private final byte[] bytes;
  private final int[] starts;
  private final int[] ends;

  public BytesValues(byte[] bytes, int[] starts, int[] ends, long[] valid) {
    super(starts.length, valid);
    this.bytes = bytes;
    this.starts = starts;
    this.ends = ends;
  }

  public byte[] bytes() {
    return bytes;
  }

  /** Where each value begins in {@link #bytes()}. */
  public int[] starts() {
    return starts;
  }

  /** Where each value ends in {@link #bytes()}. */
  public int[] ends() {
    return ends;
  }

  public int length(int row) {
    return ends[row] - starts[row];
  }

  public String string(int row) {
    return new String(bytes, starts[row], ends[row] - starts[row], StandardCharsets.UTF_8);
  }

  public byte[] copy(int row) {
    return Arrays.copyOfRange(bytes, starts[row], ends[row]);
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
    return new BytesValues(bytes, newStarts, newEnds, Bits.gather(valid(), rows));
  }

  @Override
  public Values withValid(long[] valid) {
    return new BytesValues(bytes, starts, ends, valid);
  }

  @Override
  public int compare(int row, Values other, int otherRow) {
    BytesValues right = (BytesValues) other;
    return Arrays.compareUnsigned(
        bytes, starts[row], ends[row], right.bytes, right.starts[otherRow], right.ends[otherRow]);
  }

  public boolean equal(int row, BytesValues right, int otherRow) {
    return Arrays.equals(
        bytes, starts[row], ends[row], right.bytes, right.starts[otherRow], right.ends[otherRow]);
  }
}
