package dev.lance4j;

import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.vector.Metric;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.Schema;

/** Tables in which a row has a list of vectors: row {@code k} those from {@code 3 k} on. */
final class ListsOfVectors {
  private static final int ROWS = 190;

  private ListsOfVectors() {}

  /** The number of vectors of a row; -1 for one without a list. */
  private static int count(long k) {
    return k % 31 == 7 ? -1 : (int) (k % 4);
  }

  /** A table made of some vectors. */
  static Dataset create(String uri, VectorRows single, BufferAllocator allocator) {
    Schema schema =
        new Schema(List.of(SampleFields.int64("k"), SampleFields.list("v", single.field())));
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        VectorSchemaRoot all = single.batch(allocator)) {
      root.allocateNew();
      ListVector lists = (ListVector) root.getVector("v");
      int at = 0;
      for (int k = 0; k < ROWS; k++) {
        ((BigIntVector) root.getVector("k")).setSafe(k, k);
        if (count(k) < 0) {
          lists.setNull(k);
          continue;
        }
        lists.startNewValue(k);
        for (int i = 0; i < count(k); i++) {
          lists.getDataVector().copyFromSafe(3 * k + i, at++, all.getVector("v"));
        }
        lists.endValue(k, count(k));
      }
      lists.getDataVector().setValueCount(at);
      root.setRowCount(ROWS);
      return Dataset.write(uri).allocator(allocator).maxRowsPerFile(70).from(root);
    }
  }

  /** The numbers of the nearest rows by brute force. */
  static List<Long> nearest(VectorRows single, double[][] query, int count) {
    return LongStream.range(0, ROWS)
        .boxed()
        .filter(k -> !Double.isNaN(distance(single, query, k)))
        .sorted(Comparator.comparingDouble(k -> distance(single, query, k)))
        .limit(count)
        .toList();
  }

  private static double distance(VectorRows single, double[][] query, long k) {
    double similarity = 0;
    for (double[] vector : query) {
      double most = Double.NaN;
      for (int i = 0; i < count(k); i++) {
        double[] other = single.vector((int) (3 * k + i));
        double near =
            other == null ? Double.NaN : 1 - VectorRows.distance(vector, other, Metric.COSINE);
        most = Double.isNaN(near) || most > near ? most : near;
      }
      similarity += most;
    }
    return 1 - similarity;
  }
}
