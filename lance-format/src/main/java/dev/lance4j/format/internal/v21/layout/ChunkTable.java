package dev.lance4j.format.internal.v21.layout;

import java.nio.ByteBuffer;

/**
 * Where the chunks of a mini-block page are, how many items each has and which rows begin in it. A
 * row may begin in one chunk and go on in the next ones: the part at the beginning of a chunk that
 * belongs to a row of an earlier chunk is its preamble.
 *
 * <p>The pieces of a chunk are its preamble, if any, and then the rows that begin in it.
 */
final class ChunkTable {
  private static final int WORD_UNIT = 8;
  private static final int COUNT_BITS = 4;

  private final long[] offsets;
  private final int[] items;
  private final int[] firstRows;
  private final boolean[] preambles;

  private ChunkTable(long[] offsets, int[] items, int[] firstRows, boolean[] preambles) {
    this.offsets = offsets;
    this.items = items;
    this.firstRows = firstRows;
    this.preambles = preambles;
  }

  /**
   * Reads the table of a page.
   *
   * @param words one word for each chunk: its size and the logarithm of its item count
   * @param wordBytes the size of a word, 2 or 4
   * @param index the repetition index, two words for each chunk; null without lists
   * @param pageItems the number of items of the page
   * @param rows the number of rows of the page
   * @param dataBytes the size of the chunks' buffer
   * @throws IllegalArgumentException if these contradict each other
   */
  static ChunkTable parse(
      ByteBuffer words,
      int wordBytes,
      ByteBuffer index,
      long pageItems,
      long rows,
      long dataBytes) {
    int chunks = words.limit() / wordBytes;
    require(words.limit() % wordBytes == 0, "the chunk table ends inside a word");
    long[] offsets = new long[chunks + 1];
    int[] items = new int[chunks];
    long left = pageItems;
    for (int i = 0; i < chunks; i++) {
      long word =
          wordBytes == 2 ? words.getShort(2 * i) & 0xffff : words.getInt(4 * i) & 0xffffffffL;
      offsets[i + 1] = offsets[i] + ((word >>> COUNT_BITS) + 1) * WORD_UNIT;
      long count = i == chunks - 1 ? left : 1L << (word & ((1 << COUNT_BITS) - 1));
      require(count >= 0 && count <= left, "the chunks hold more items than the page");
      items[i] = Math.toIntExact(count);
      left -= count;
    }
    require(left == 0, "the chunks hold fewer items than the page");
    require(offsets[chunks] <= dataBytes, "the chunks are larger than their buffer");
    int[] firstRows = new int[chunks + 1];
    boolean[] preambles = new boolean[chunks + 1];
    if (index == null) {
      for (int i = 0; i < chunks; i++) {
        firstRows[i + 1] = firstRows[i] + items[i];
      }
    } else {
      readIndex(index, chunks, firstRows, preambles);
    }
    require(firstRows[chunks] == rows, "the chunks hold " + firstRows[chunks] + " rows");
    return new ChunkTable(offsets, items, firstRows, preambles);
  }

  private static void readIndex(
      ByteBuffer index, int chunks, int[] firstRows, boolean[] preambles) {
    require(index.limit() == 2L * Long.BYTES * chunks, "the repetition index has a wrong size");
    for (int i = 0; i < chunks; i++) {
      long ends = index.getLong(2 * Long.BYTES * i);
      preambles[i + 1] = index.getLong(2 * Long.BYTES * i + Long.BYTES) != 0;
      require(ends >= 0 && ends < Integer.MAX_VALUE, "the repetition index has a wrong row count");
      long starts = ends + (preambles[i + 1] ? 1 : 0) - (preambles[i] ? 1 : 0);
      require(starts >= 0, "the repetition index has a row that does not go on");
      firstRows[i + 1] = Math.toIntExact(firstRows[i] + starts);
    }
    require(!preambles[chunks], "the last row goes on after the last chunk");
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** The chunk in which a row begins. */
  int chunkOf(int row) {
    int low = 0;
    int high = items.length - 1;
    while (low < high) {
      int mid = (low + high + 1) >>> 1;
      if (firstRows[mid] <= row) {
        low = mid;
      } else {
        high = mid - 1;
      }
    }
    return low;
  }

  /** Where a chunk begins in its buffer; defined for the end of the last chunk too. */
  long offset(int chunk) {
    return offsets[chunk];
  }

  /** The number of items in a chunk. */
  int items(int chunk) {
    return items[chunk];
  }

  /** The first row that begins in a chunk or after it. */
  int firstRow(int chunk) {
    return firstRows[chunk];
  }

  /** The number of rows that begin in a chunk. */
  int starts(int chunk) {
    return firstRows[chunk + 1] - firstRows[chunk];
  }

  boolean hasPreamble(int chunk) {
    return preambles[chunk];
  }

  /** Whether the last row of a chunk goes on in the next one. */
  boolean hasTrailer(int chunk) {
    return preambles[chunk + 1];
  }

  /** The number of pieces of a chunk. */
  int pieces(int chunk) {
    return starts(chunk) + (preambles[chunk] ? 1 : 0);
  }
}
