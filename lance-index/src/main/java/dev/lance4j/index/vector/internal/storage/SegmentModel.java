package dev.lance4j.index.vector.internal.storage;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;
import java.util.OptionalDouble;

/**
 * What a segment was trained to, without its rows.
 *
 * @param quantization how codes are made and stored
 * @param loss the sum of all rows' distances to their centroids, if recorded
 */
public record SegmentModel(
    VectorIndexType type,
    Metric metric,
    Centroids centroids,
    QuantizerMetadata quantization,
    OptionalDouble loss) {

  /** The dimension of the vectors in components; for vectors of bits, in bytes. */
  public int dimension() {
    return centroids.dimension();
  }

  /** The number of partitions. */
  public int partitions() {
    return centroids.count();
  }

  /** A specification with what segments can share that are built apart. */
  public VectorIndexSpec shared(VectorIndexSpec spec) {
    if (centroids.floats() == null) {
      return spec;
    }
    VectorIndexSpec shared = spec.centroids(centroids.floats());
    return quantization.quantizer() instanceof ProductQuantizer product
        ? shared.codebook(product.codebook())
        : shared;
  }
}
