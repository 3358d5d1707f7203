package dev.lance4j.index.vector.internal.build;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorColumn;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType.Quantization;
import dev.lance4j.index.vector.VectorSource;
import dev.lance4j.index.vector.internal.kernel.Panels;
import dev.lance4j.index.vector.internal.kmeans.BitKMeans;
import dev.lance4j.index.vector.internal.kmeans.HierarchicalKMeans;
import dev.lance4j.index.vector.internal.kmeans.KMeans;
import dev.lance4j.index.vector.internal.kmeans.KMeansOptions;
import dev.lance4j.index.vector.internal.kmeans.Rows;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import dev.lance4j.index.vector.internal.quantize.CodeLayout;
import dev.lance4j.index.vector.internal.quantize.FastRotation;
import dev.lance4j.index.vector.internal.quantize.FlatQuantizer;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;
import dev.lance4j.index.vector.internal.quantize.ProductTraining;
import dev.lance4j.index.vector.internal.quantize.RabitQuantizer;
import dev.lance4j.index.vector.internal.quantize.ScalarQuantizer;
import dev.lance4j.index.vector.internal.storage.Centroids;
import dev.lance4j.index.vector.internal.storage.Elements;
import dev.lance4j.index.vector.internal.storage.QuantizerMetadata;
import dev.lance4j.index.vector.internal.storage.SegmentModel;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/** Learns the centroids and the quantizer of a segment from a sample, as far as not given. */
public final class ModelTraining {
  /** Values that bounds of scalar quantization are found from, for each code. */
  private static final int SCALAR_CODES = 256;

  private final VectorIndexSpec spec;
  private final VectorSource source;
  private final VectorColumn column;
  private final IndexProgress progress;
  private final ParallelRanges parallel;
  private final boolean dot;

  private ModelTraining(
      VectorIndexSpec spec, VectorSource source, IndexProgress progress, ParallelRanges parallel) {
    this.spec = spec;
    this.source = source;
    this.column = source.column();
    this.progress = progress;
    this.parallel = parallel;
    this.dot = spec.metric() == Metric.DOT;
  }

  /**
   * Learns a model.
   *
   * @throws InvalidInputException if the column cannot have such an index, or has too few vectors
   */
  public static SegmentModel train(
      VectorIndexSpec spec, VectorSource source, IndexProgress progress, ParallelRanges parallel) {
    spec.check(source.column());
    return new ModelTraining(spec, source, progress, parallel).train();
  }

  private SegmentModel train() {
    int dimension = column.dimension();
    int partitions = spec.partitionsFor(source.rowCount(), dimension);
    boolean centroidsGiven = spec.centroids() != null;
    long forCentroids = centroidsGiven ? 0 : (long) partitions * spec.sampleRate();
    long forQuantizer = rowsForQuantizer();
    Sample sample = new Sample(0, dimension, new float[0], new byte[0]);
    if (forCentroids > 0 || forQuantizer > 0) {
      BatchDecoder decoder = new BatchDecoder(column, spec.metric());
      long rows = Math.max(forCentroids, forQuantizer);
      sample = Sample.read(source, decoder, rows, spec.seed(), progress);
    }
    progress.advanced("training centroids", 0, partitions);
    Centroids centroids =
        centroidsGiven ? given(partitions) : centroids(sample, partitions, forCentroids);
    progress.advanced("training centroids", partitions, partitions);
    QuantizerMetadata quantization = quantizer(sample, centroids, forQuantizer);
    return new SegmentModel(
        spec.type(), spec.metric(), centroids, quantization, OptionalDouble.empty());
  }

  private long rowsForQuantizer() {
    return switch (spec.type().quantization()) {
      case FLAT, RABIT -> 0;
      case SCALAR -> (long) SCALAR_CODES * spec.sampleRate();
      case PRODUCT -> spec.codebook() != null ? 0 : (long) spec.sampleRate() << spec.bits();
    };
  }

  private VectorElement centroidElement() {
    return column.element() == VectorElement.INT8 ? VectorElement.FLOAT32 : column.element();
  }

  private Centroids given(int partitions) {
    if (column.element().isBits()) {
      throw new InvalidInputException("Centroids of vectors of bits cannot be given");
    }
    float[] values = spec.centroids();
    Elements.round(centroidElement(), values);
    return Centroids.of(centroidElement(), partitions, column.dimension(), values);
  }

  private Centroids centroids(Sample sample, int partitions, long rows) {
    int dimension = column.dimension();
    if (column.element().isBits()) {
      int count = (int) Math.min(sample.count(), rows);
      byte[] trained =
          BitKMeans.train(
              sample.bits(),
              count,
              dimension,
              partitions,
              spec.maxIterations(),
              spec.seed(),
              parallel);
      return Centroids.ofBits(partitions, dimension, trained);
    }
    KMeansOptions options = new KMeansOptions(dot, spec.maxIterations(), true, spec.seed());
    float[] trained =
        HierarchicalKMeans.train(sample.rows(rows), partitions, options, parallel);
    Elements.round(centroidElement(), trained);
    return Centroids.of(centroidElement(), partitions, dimension, trained);
  }

  private QuantizerMetadata quantizer(Sample sample, Centroids centroids, long rows) {
    int dimension = column.dimension();
    Quantization kind = spec.type().quantization();
    progress.advanced("training the quantizer", 0, 1);
    QuantizerMetadata trained =
        switch (kind) {
          case FLAT ->
              new QuantizerMetadata(
                  new FlatQuantizer(dimension, column.element()), CodeLayout.ROWS);
          case SCALAR -> {
            int values = (int) Math.min(sample.count(), rows) * dimension;
            yield new QuantizerMetadata(
                ScalarQuantizer.train(dimension, sample.floats(), values), CodeLayout.ROWS);
          }
          case PRODUCT ->
              new QuantizerMetadata(product(sample, centroids, rows), CodeLayout.COLUMNS);
          case RABIT -> {
            SplittableRandom random = new SplittableRandom(spec.seed());
            FastRotation rotation = FastRotation.random(dimension * spec.bits(), random);
            yield new QuantizerMetadata(
                new RabitQuantizer(dimension, spec.bits(), rotation), CodeLayout.BLOCKS);
          }
        };
    progress.advanced("training the quantizer", 1, 1);
    return trained;
  }

  private ProductQuantizer product(Sample sample, Centroids centroids, long most) {
    int dimension = column.dimension();
    int subVectors = spec.subVectorsFor(dimension);
    float[] codebook = spec.codebook();
    if (codebook != null) {
      Elements.round(centroidElement(), codebook);
      return new ProductQuantizer(
          dimension, subVectors, spec.bits(), centroidElement(), codebook);
    }
    Rows rows = sample.rows(most);
    if (!dot) {
      rows = residuals(rows, centroids);
    }
    return ProductTraining.train(
        rows,
        subVectors,
        spec.bits(),
        centroidElement(),
        spec.maxIterations(),
        spec.seed(),
        parallel);
  }

  /** The vectors less their centroids. */
  private Rows residuals(Rows rows, Centroids centroids) {
    int dimension = column.dimension();
    int[] nearest = new int[rows.count()];
    Panels panels = Panels.of(centroids.floats(), 0, centroids.count(), dimension);
    KMeans.assign(rows, panels, false, nearest, new float[rows.count()], parallel);
    float[] residuals = new float[rows.count() * dimension];
    for (int r = 0; r < rows.count(); r++) {
      int centroid = nearest[r] * dimension;
      for (int d = 0; d < dimension; d++) {
        int at = r * dimension + d;
        residuals[at] = rows.values()[at] - centroids.floats()[centroid + d];
      }
    }
    return Rows.of(residuals, rows.count(), dimension);
  }
}
