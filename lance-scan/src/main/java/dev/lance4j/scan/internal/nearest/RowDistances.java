package dev.lance4j.scan.internal.nearest;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.internal.search.ExactDistances;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The exact distances of rows to a query: to its only vector, or where rows have lists of vectors,
 * 1 less the sum of the similarities of each vector of the query to the one most similar of the
 * row. Safe for use by many threads.
 *
 * @param vectors of the query
 */
public record RowDistances(SearchedColumn column, Metric metric, List<QueryVector> vectors) {
  /**
   * The distances; not a number for rows without one, such as those that have no vector.
   *
   * @param rows values of the column; stay the caller's
   * @return single-precision numbers, owned by the caller
   */
  public ArrayData measure(ArrayData rows, BufferAllocator allocator) {
    float[] distances = measure(rows);
    ArrowBuf buffer = allocator.buffer((long) distances.length * Float.BYTES);
    for (int i = 0; i < distances.length; i++) {
      buffer.setFloat((long) i * Float.BYTES, distances[i]);
    }
    buffer.writerIndex((long) distances.length * Float.BYTES);
    return new ArrayData(distances.length, 0, new ArrowBuf[] {null, buffer});
  }

  /** The distances as above. */
  public float[] measure(ArrayData rows) {
    return column.vectors().isMulti() ? toLists(rows) : toVectors(rows, vectors.get(0));
  }

  private float[] toVectors(ArrayData rows, QueryVector query) {
    float[] distances = new float[rows.length()];
    if (rows.bufferCount() == 0 || rows.nullCount() == rows.length()) {
      Arrays.fill(distances, Float.NaN);
      return distances;
    }
    ArrayData items = rows.child(0);
    new ExactDistances(column.vectors(), metric, query)
        .measure(items.buffer(1), rows.length(), distances);
    if (rows.nullCount() > 0) {
      dropNulls(rows, 1, distances);
    }
    if (items.nullCount() > 0) {
      dropNulls(items, column.vectors().dimension(), distances);
    }
    return distances;
  }

  /** Rows with a null among their values have no distance. */
  private static void dropNulls(ArrayData values, int perRow, float[] distances) {
    for (int i = 0; i < values.length(); i++) {
      if (!values.isValid(i)) {
        distances[i / perRow] = Float.NaN;
      }
    }
  }

  private float[] toLists(ArrayData rows) {
    float[] distances = new float[rows.length()];
    if (rows.bufferCount() == 0 || rows.nullCount() == rows.length()) {
      Arrays.fill(distances, Float.NaN);
      return distances;
    }
    Arrays.fill(distances, 1);
    int[] starts = starts(rows);
    for (QueryVector query : vectors) {
      addMostSimilar(toVectors(rows.child(0), query), starts, distances);
    }
    dropNulls(rows, 1, distances);
    return distances;
  }

  /** Where the list of each row starts, and where the last one ends. */
  private static int[] starts(ArrayData rows) {
    int[] starts = new int[rows.length() + 1];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = rows.buffer(1).getInt((long) i * Integer.BYTES);
    }
    return starts;
  }

  private static void addMostSimilar(float[] single, int[] starts, float[] distances) {
    for (int row = 0; row < distances.length; row++) {
      float nearest = Float.NaN;
      for (int i = starts[row]; i < starts[row + 1]; i++) {
        nearest = nearest <= single[i] || Float.isNaN(single[i]) ? nearest : single[i];
      }
      distances[row] -= 1 - nearest;
    }
  }
}
