package dev.lance4j.index.vector.internal.kernel;

/**
 * Sums of table entries chosen by the bytes of codes. A code has one byte for each table, and a
 * table has an entry for each value of the byte, so that a code's sum is the distance that its
 * parts add up to. Used for product quantization and for bit vectors alike.
 */
public final class CodeTables {
  /** The number of entries of a table. */
  public static final int ENTRIES = 256;

  private CodeTables() {}

  /**
   * Adds up the entries of rows whose codes are stored column by column.
   *
   * @param tables one after the other
   * @param count the number of tables
   * @param codes the first bytes of all rows, then their second ones and so on
   * @param columnStride from a row's byte to its next one
   * @param firstRow the row to start with
   * @param rows how many to take
   * @param out takes the sums, from {@code at} on
   */
  public static void sumColumns(
      float[] tables,
      int count,
      byte[] codes,
      int columnStride,
      int firstRow,
      int rows,
      float[] out,
      int at) {
    for (int r = 0; r < rows; r++) {
      out[at + r] = 0;
    }
    int t = 0;
    for (; t + 4 <= count; t += 4) {
      addFour(tables, t * ENTRIES, codes, t * columnStride + firstRow, columnStride, rows, out, at);
    }
    for (; t < count; t++) {
      int table = t * ENTRIES;
      int column = t * columnStride + firstRow;
      for (int r = 0; r < rows; r++) {
        out[at + r] += tables[table + (codes[column + r] & 0xFF)];
      }
    }
  }

  private static void addFour(
      float[] tables,
      int t0,
      byte[] codes,
      int c0,
      int columnStride,
      int rows,
      float[] out,
      int at) {
    int t1 = t0 + ENTRIES;
    int t2 = t1 + ENTRIES;
    int t3 = t2 + ENTRIES;
    int c1 = c0 + columnStride;
    int c2 = c1 + columnStride;
    int c3 = c2 + columnStride;
    for (int r = 0; r < rows; r++) {
      out[at + r] +=
          tables[t0 + (codes[c0 + r] & 0xFF)]
              + tables[t1 + (codes[c1 + r] & 0xFF)]
              + (tables[t2 + (codes[c2 + r] & 0xFF)] + tables[t3 + (codes[c3 + r] & 0xFF)]);
    }
  }

  /**
   * Adds up the entries of one code whose bytes are together.
   *
   * @param from the code's first byte
   */
  public static float sumRow(float[] tables, int count, byte[] codes, int from) {
    float s0 = 0;
    float s1 = 0;
    int t = 0;
    for (; t + 2 <= count; t += 2) {
      s0 += tables[t * ENTRIES + (codes[from + t] & 0xFF)];
      s1 += tables[(t + 1) * ENTRIES + (codes[from + t + 1] & 0xFF)];
    }
    if (t < count) {
      s0 += tables[t * ENTRIES + (codes[from + t] & 0xFF)];
    }
    return s0 + s1;
  }
}
