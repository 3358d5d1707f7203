package dev.lance4j.index.vector.internal.quantize;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.internal.kmeans.KMeans;
import dev.lance4j.index.vector.internal.kmeans.KMeansOptions;
import dev.lance4j.index.vector.internal.kmeans.Rows;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import dev.lance4j.index.vector.internal.storage.Elements;

/** Finds the codebooks of product quantization. */
public final class ProductTraining {
  private ProductTraining() {}

  /**
   * Trains a quantizer.
   *
   * @param rows finite vectors, less the centroids of their partitions where those are taken off
   * @param element what the codebook will be stored as
   * @throws InvalidInputException if there are too few vectors, or they cannot be cut so
   */
  public static ProductQuantizer train(
      Rows rows,
      int subVectors,
      int bits,
      VectorElement element,
      int maxIterations,
      long seed,
      ParallelRanges parallel) {
    int dimension = rows.dimension();
    ProductQuantizer.check(dimension, subVectors, bits);
    int centroids = 1 << bits;
    if (rows.count() < centroids) {
      throw new InvalidInputException(
          String.format(
              "Not enough rows to train PQ. Requires %d rows but only %d available",
              centroids, rows.count()));
    }
    int width = dimension / subVectors;
    float[] codebook = new float[centroids * dimension];
    for (int i = 0; i < subVectors; i++) {
      Rows part =
          new Rows(rows.values(), rows.from() + i * width, rows.stride(), rows.count(), width);
      KMeansOptions options = new KMeansOptions(false, maxIterations, false, seed + i);
      float[] trained = KMeans.train(part, centroids, null, options, parallel);
      System.arraycopy(trained, 0, codebook, i * centroids * width, trained.length);
    }
    VectorElement stored = element == VectorElement.INT8 ? VectorElement.FLOAT32 : element;
    Elements.round(stored, codebook);
    return new ProductQuantizer(dimension, subVectors, bits, stored, codebook);
  }
}
