package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.codec.ItemRuns;
import java.util.Arrays;

/** The pieces of chunks that make up some rows: ascending runs of pieces of one chunk each. */
final class ChunkSelection {
  private final ChunkTable table;
  private int[] chunks = new int[8];
  private int[] from = new int[8];
  private int[] to = new int[8];
  private int size;

  ChunkSelection(ChunkTable table, RowRanges rows) {
    this.table = table;
    for (int i = 0; i < rows.size(); i++) {
      addRows((int) rows.start(i), (int) rows.end(i));
    }
  }

  private void addRows(int start, int end) {
    int chunk = table.chunkOf(start);
    int row = start;
    while (row < end) {
      int first = row - table.firstRow(chunk);
      int n = Math.min(end - row, table.starts(chunk) - first);
      int preamble = table.hasPreamble(chunk) ? 1 : 0;
      add(chunk, preamble + first, preamble + first + n);
      row += n;
      boolean goesOn = first + n == table.starts(chunk) && table.hasTrailer(chunk);
      chunk++;
      while (goesOn) {
        add(chunk, 0, 1);
        goesOn = table.starts(chunk) == 0 && table.hasTrailer(chunk);
        chunk += goesOn ? 1 : 0;
      }
    }
  }

  private void add(int chunk, int first, int end) {
    if (first == end) {
      return;
    }
    if (size > 0 && chunks[size - 1] == chunk && to[size - 1] == first) {
      to[size - 1] = end;
      return;
    }
    if (size == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * size);
      from = Arrays.copyOf(from, 2 * size);
      to = Arrays.copyOf(to, 2 * size);
    }
    chunks[size] = chunk;
    from[size] = first;
    to[size] = end;
    size++;
  }

  /** The number of runs. */
  int size() {
    return size;
  }

  /** The chunk of run {@code i}. */
  int chunk(int i) {
    return chunks[i];
  }

  /** The first piece of run {@code i}. */
  int from(int i) {
    return from[i];
  }

  /** The piece after the last one of run {@code i}. */
  int to(int i) {
    return to[i];
  }

  /** The pieces of runs {@code first} to {@code end}, which are of one chunk. */
  ItemRuns pieces(int first, int end) {
    return new ItemRuns(from, to, first, end - first);
  }

  /** The run after the last one in the same chunk as run {@code i}. */
  int endOfChunk(int i) {
    int end = i + 1;
    while (end < size && chunks[end] == chunks[i]) {
      end++;
    }
    return end;
  }
}
