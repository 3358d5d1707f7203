package dev.lance4j.index.vector.internal.storage;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.internal.quantize.CodeLayout;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;
import dev.lance4j.index.vector.internal.quantize.Quantizer;
import dev.lance4j.index.vector.internal.quantize.RabitQuantizer;
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

  /** This model with codes laid out for scans. */
  public SegmentModel forScans() {
    Quantizer quantizer = quantization.quantizer();
    CodeLayout layout =
        quantizer instanceof ProductQuantizer
            ? CodeLayout.COLUMNS
            : quantizer instanceof RabitQuantizer ? CodeLayout.BLOCKS : CodeLayout.ROWS;
    return new SegmentModel(
        type, metric, centroids, new QuantizerMetadata(quantizer, layout), OptionalDouble.empty());
  }

  /** Whether rows of a segment with this model can be taken over into one with another. */
  public boolean fits(SegmentModel that) {
    return type == that.type
        && metric == that.metric
        && centroids.sameAs(that.centroids)
        && quantization.quantizer().sameAs(that.quantization.quantizer());
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
