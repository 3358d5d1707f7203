package dev.lance4j.index.vector.internal.storage;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.index.vector.internal.hnsw.HnswGraph;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.complex.ListVector;

/** Collects the rows of one level of a graph. */
final class LevelRows {
  private final int nodes;
  private final String path;
  private final int[] ids;
  private final int[] offsets;
  private int[] neighbors = new int[64];
  private int count;

  LevelRows(int rows, int nodes, String path) {
    this.nodes = nodes;
    this.path = path;
    this.ids = new int[rows];
    this.offsets = new int[rows + 1];
  }

  void add(UInt4Vector rowIds, ListVector lists, int rows) {
    UInt4Vector items = (UInt4Vector) lists.getDataVector();
    if (rowIds.getNullCount() + lists.getNullCount() + items.getNullCount() > 0) {
      throw new CorruptFileException(path, -1, "the graph has nulls");
    }
    ArrowBuf values = items.getDataBuffer();
    for (int r = 0; r < rows; r++) {
      ids[count] = checked(rowIds.get(r));
      int start = lists.getElementStartIndex(r);
      int end = lists.getElementEndIndex(r);
      int at = offsets[count];
      int length = end - start;
      if (at + length > neighbors.length) {
        neighbors = Arrays.copyOf(neighbors, Math.max(2 * neighbors.length, at + length));
      }
      for (int i = 0; i < length; i++) {
        neighbors[at + i] = checked(values.getInt((long) Integer.BYTES * (start + i)));
      }
      offsets[++count] = at + length;
    }
  }

  private int checked(int node) {
    if (node < 0 || node >= nodes) {
      throw new CorruptFileException(
          path,
          -1,
          String.format(
              "the graph of %d rows refers to row %s", nodes, Integer.toUnsignedString(node)));
    }
    return node;
  }

  /**
   * The level.
   *
   * @param lowest whether it may have all rows in their order
   */
  HnswGraph.Level build(boolean lowest) {
    int[] exact = Arrays.copyOf(neighbors, offsets[count]);
    boolean all = lowest && count == nodes;
    for (int i = 0; all && i < count; i++) {
      all = ids[i] == i;
    }
    return new HnswGraph.Level(all ? null : ids, offsets, exact);
  }
}
