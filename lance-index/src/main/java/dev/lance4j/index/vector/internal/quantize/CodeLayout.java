package dev.lance4j.index.vector.internal.quantize;

/** The ways in which a partition's codes are stored. */
public enum CodeLayout {
  /** Code after code. */
  ROWS,
  /** The first bytes of all codes, then their second ones and so on. */
  COLUMNS,
  /** Blocks of 32 codes with their half bytes interleaved, the last ones by columns. */
  BLOCKS;

  /** Codes in a block. */
  public static final int BLOCK_ROWS = 32;

  private static final int HALF_BLOCK = BLOCK_ROWS / 2;
  private static final int[] ORDER = {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15};

  /**
   * Arranges codes that are stored row by row.
   *
   * @param codes of all rows of a partition
   * @param width the bytes of a code
   */
  public byte[] fromRows(byte[] codes, int rows, int width) {
    byte[] out = new byte[codes.length];
    switch (this) {
      case ROWS -> System.arraycopy(codes, 0, out, 0, codes.length);
      case COLUMNS -> columnsFromRows(codes, 0, rows, width, out);
      case BLOCKS -> {
        int blocks = rows / BLOCK_ROWS;
        for (int block = 0; block < blocks; block++) {
          pack(codes, block * BLOCK_ROWS * width, width, out);
        }
        int done = blocks * BLOCK_ROWS;
        columnsFromRows(codes, done * width, rows - done, width, out);
      }
    }
    return out;
  }

  private static void columnsFromRows(byte[] codes, int from, int rows, int width, byte[] out) {
    for (int r = 0; r < rows; r++) {
      for (int b = 0; b < width; b++) {
        out[from + b * rows + r] = codes[from + r * width + b];
      }
    }
  }

  private static void pack(byte[] codes, int from, int width, byte[] out) {
    for (int b = 0; b < width; b++) {
      int column = from + b * BLOCK_ROWS;
      for (int j = 0; j < HALF_BLOCK; j++) {
        int x = codes[from + ORDER[j] * width + b] & 0xFF;
        int y = codes[from + (ORDER[j] + HALF_BLOCK) * width + b] & 0xFF;
        out[column + j] = (byte) ((x & 0xF) | ((y & 0xF) << 4));
        out[column + j + HALF_BLOCK] = (byte) ((x >> 4) | (y & 0xF0));
      }
    }
  }

  /** The inverse of {@link #fromRows}. */
  public byte[] toRows(byte[] stored, int rows, int width) {
    byte[] out = new byte[stored.length];
    switch (this) {
      case ROWS -> System.arraycopy(stored, 0, out, 0, stored.length);
      case COLUMNS -> rowsFromColumns(stored, 0, rows, width, out);
      case BLOCKS -> {
        int blocks = rows / BLOCK_ROWS;
        for (int block = 0; block < blocks; block++) {
          unpack(stored, block * BLOCK_ROWS * width, width, out);
        }
        int done = blocks * BLOCK_ROWS;
        rowsFromColumns(stored, done * width, rows - done, width, out);
      }
    }
    return out;
  }

  private static void rowsFromColumns(byte[] stored, int from, int rows, int width, byte[] out) {
    for (int b = 0; b < width; b++) {
      for (int r = 0; r < rows; r++) {
        out[from + r * width + b] = stored[from + b * rows + r];
      }
    }
  }

  private static void unpack(byte[] stored, int from, int width, byte[] out) {
    for (int b = 0; b < width; b++) {
      int column = from + b * BLOCK_ROWS;
      for (int j = 0; j < HALF_BLOCK; j++) {
        int low = stored[column + j] & 0xFF;
        int high = stored[column + j + HALF_BLOCK] & 0xFF;
        out[from + ORDER[j] * width + b] = (byte) ((low & 0xF) | ((high & 0xF) << 4));
        out[from + (ORDER[j] + HALF_BLOCK) * width + b] = (byte) ((low >> 4) | (high & 0xF0));
      }
    }
  }
}
