package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.internal.kernel.CodeTables;

/**
 * Codes in blocks of rows, each with the first bytes of its codes, then their second ones and so
 * on, so that a scan takes the same byte of many codes in turn.
 */
final class ColumnCodes {
  private static final int BLOCK_SHIFT = 14;
  private static final int BLOCK = 1 << BLOCK_SHIFT;

  private final int rows;
  private final int width;
  private final byte[][] blocks;

  /** Room for codes of {@code width} bytes. */
  ColumnCodes(int rows, int width) {
    this.rows = rows;
    this.width = width;
    this.blocks = new byte[(int) (((long) rows + BLOCK - 1) >>> BLOCK_SHIFT)][];
    for (int b = 0; b < blocks.length; b++) {
      blocks[b] = new byte[Math.multiplyExact(stride(b), width)];
    }
  }

  int rows() {
    return rows;
  }

  int width() {
    return width;
  }

  private int stride(int block) {
    return Math.min(BLOCK, rows - (block << BLOCK_SHIFT));
  }

  /** Fills in bytes of one column, from row {@code first} on. */
  void setColumn(int column, int first, byte[] bytes, int from, int count) {
    for (int done = 0; done < count; ) {
      int row = first + done;
      int block = row >>> BLOCK_SHIFT;
      int inBlock = row & (BLOCK - 1);
      int together = Math.min(count - done, stride(block) - inBlock);
      System.arraycopy(
          bytes, from + done, blocks[block], column * stride(block) + inBlock, together);
      done += together;
    }
  }

  /** Fills in one code. */
  void setRow(int row, byte[] code, int from) {
    int block = row >>> BLOCK_SHIFT;
    int stride = stride(block);
    byte[] to = blocks[block];
    int at = row & (BLOCK - 1);
    for (int b = 0; b < width; b++) {
      to[at + b * stride] = code[from + b];
    }
  }

  /** Copies one code. */
  void getRow(int row, byte[] out, int at) {
    int block = row >>> BLOCK_SHIFT;
    int stride = stride(block);
    byte[] from = blocks[block];
    for (int b = 0; b < width; b++) {
      out[at + b] = from[(row & (BLOCK - 1)) + b * stride];
    }
  }

  /** The sums of table entries of {@code count} codes; see {@link CodeTables}. */
  void sum(float[] tables, int first, int count, float[] out) {
    for (int done = 0; done < count; ) {
      int row = first + done;
      int block = row >>> BLOCK_SHIFT;
      int inBlock = row & (BLOCK - 1);
      int together = Math.min(count - done, stride(block) - inBlock);
      CodeTables.sumColumns(
          tables, width, blocks[block], stride(block), inBlock, together, out, done);
      done += together;
    }
  }

  /** The sum of table entries of one code. */
  float sum(float[] tables, int row) {
    int block = row >>> BLOCK_SHIFT;
    int stride = stride(block);
    byte[] codes = blocks[block];
    int at = row & (BLOCK - 1);
    float sum = 0;
    for (int b = 0; b < width; b++) {
      sum += tables[b * CodeTables.ENTRIES + (codes[at + b * stride] & 0xFF)];
    }
    return sum;
  }

  long memoryBytes() {
    return (long) rows * width;
  }
}
