package dev.lance4j.index.vector.internal.build;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.internal.kernel.Panels;
import dev.lance4j.index.vector.internal.kmeans.BitKMeans;
import dev.lance4j.index.vector.internal.kmeans.KMeans;
import dev.lance4j.index.vector.internal.kmeans.Rows;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import dev.lance4j.index.vector.internal.quantize.FlatQuantizer;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;
import dev.lance4j.index.vector.internal.quantize.Quantizer;
import dev.lance4j.index.vector.internal.quantize.RabitQuantizer;
import dev.lance4j.index.vector.internal.quantize.ScalarQuantizer;
import dev.lance4j.index.vector.internal.storage.Centroids;
import dev.lance4j.index.vector.internal.storage.Elements;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Finds the partition of each vector, and makes its record. Safe for use by many threads. */
final class RecordEncoder {
  private final Metric metric;
  private final Centroids centroids;
  private final Panels panels;
  private final Quantizer quantizer;
  private final int recordBytes;

  /**
   * The records of a batch.
   *
   * @param partitions of each record
   * @param records one after the other
   * @param loss the sum of the distances to the centroids
   */
  record Encoded(int count, int[] partitions, byte[] records, double loss) {}

  RecordEncoder(Metric metric, Centroids centroids, Quantizer quantizer) {
    this.metric = metric;
    this.centroids = centroids;
    this.quantizer = quantizer;
    this.panels =
        centroids.floats() == null
            ? null
            : Panels.of(centroids.floats(), 0, centroids.count(), centroids.dimension());
    this.recordBytes = recordBytes(quantizer);
  }

  /** The bytes of a record. */
  static int recordBytes(Quantizer quantizer) {
    int factors = quantizer instanceof RabitQuantizer ? 2 * Float.BYTES : 0;
    return Long.BYTES + quantizer.codeBytes() + factors;
  }

  Encoded encode(VectorBatch batch) {
    int count = batch.count();
    int[] partitions = new int[count];
    double loss = batch.bits() == null ? assign(batch, partitions) : assignBits(batch, partitions);
    byte[] records = new byte[Math.multiplyExact(count, recordBytes)];
    ByteBuffer out = ByteBuffer.wrap(records).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      out.putLong(i * recordBytes, batch.rowIds()[i]);
    }
    if (quantizer instanceof FlatQuantizer flat) {
      putVectors(batch, flat, out);
    } else if (quantizer instanceof ScalarQuantizer scalar) {
      for (int i = 0; i < count; i++) {
        scalar.encode(
            batch.floats(), i * scalar.dimension(), records, i * recordBytes + Long.BYTES);
      }
    } else if (quantizer instanceof ProductQuantizer product) {
      putProductCodes(batch, partitions, product, records);
    } else {
      putRabitCodes(batch, partitions, (RabitQuantizer) quantizer, records, out);
    }
    return new Encoded(count, partitions, records, loss);
  }

  private double assign(VectorBatch batch, int[] partitions) {
    float[] distances = new float[batch.count()];
    Rows rows = Rows.of(batch.floats(), batch.count(), centroids.dimension());
    boolean dot = metric == Metric.DOT;
    KMeans.assign(rows, panels, dot, partitions, distances, ParallelRanges.SEQUENTIAL);
    double loss = dot ? batch.count() : 0;
    for (float distance : distances) {
      loss += distance;
    }
    return loss;
  }

  private double assignBits(VectorBatch batch, int[] partitions) {
    int[] distances = new int[batch.count()];
    BitKMeans.assign(
        batch.bits(),
        batch.count(),
        centroids.dimension(),
        centroids.bits(),
        centroids.count(),
        partitions,
        distances,
        ParallelRanges.SEQUENTIAL);
    double loss = 0;
    for (int distance : distances) {
      loss += distance;
    }
    return loss;
  }

  private void putVectors(VectorBatch batch, FlatQuantizer flat, ByteBuffer out) {
    int dimension = flat.dimension();
    for (int i = 0; i < batch.count(); i++) {
      out.position(i * recordBytes + Long.BYTES);
      int from = i * dimension;
      if (flat.element().isBits()) {
        out.put(batch.bits(), from, dimension);
      } else if (flat.element() == VectorElement.FLOAT64) {
        for (int d = from; d < from + dimension; d++) {
          out.putDouble(batch.doubles()[d]);
        }
      } else {
        Elements.fromFloats(flat.element(), batch.floats(), from, dimension, out);
      }
    }
  }

  private void putProductCodes(
      VectorBatch batch, int[] partitions, ProductQuantizer product, byte[] records) {
    int dimension = product.dimension();
    float[] vectors = batch.floats();
    if (metric != Metric.DOT) {
      vectors = vectors.clone();
      for (int i = 0; i < batch.count(); i++) {
        int centroid = partitions[i] * dimension;
        for (int d = 0; d < dimension; d++) {
          vectors[i * dimension + d] -= centroids.floats()[centroid + d];
        }
      }
    }
    byte[] codes = new byte[batch.count() * product.codeBytes()];
    product.encode(vectors, 0, batch.count(), codes, 0);
    for (int i = 0; i < batch.count(); i++) {
      System.arraycopy(
          codes,
          i * product.codeBytes(),
          records,
          i * recordBytes + Long.BYTES,
          product.codeBytes());
    }
  }

  private void putRabitCodes(
      VectorBatch batch, int[] partitions, RabitQuantizer rabit, byte[] records, ByteBuffer out) {
    int dimension = rabit.dimension();
    float[] scratch = new float[dimension];
    float[] factors = new float[2];
    for (int i = 0; i < batch.count(); i++) {
      int code = i * recordBytes + Long.BYTES;
      rabit.encode(
          metric == Metric.DOT,
          batch.floats(),
          i * dimension,
          centroids.floats(),
          partitions[i] * dimension,
          scratch,
          records,
          code,
          factors,
          0);
      out.putFloat(code + rabit.codeBytes(), factors[0]);
      out.putFloat(code + rabit.codeBytes() + Float.BYTES, factors[1]);
    }
  }
}
