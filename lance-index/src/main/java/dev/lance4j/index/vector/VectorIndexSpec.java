package dev.lance4j.index.vector;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.IndexSpec;
import dev.lance4j.index.vector.VectorIndexType.Quantization;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;

/**
 * What kind of vector index to build, and how. Immutable: each method returns a refined copy. What
 * is not set has the default of the format. Serialisable, so that machines can share it.
 */
public final class VectorIndexSpec implements IndexSpec {
  private static final long serialVersionUID = 1L;

  private static final int DEFAULT_SUB_VECTORS = 16;
  private static final int MAX_DERIVED_PARTITIONS = 4096;

  // Not final, so that copies can differ in one; set before a copy is given away. 0 is not set.
  private final VectorIndexType type;
  private Metric metric = Metric.L2;
  private int partitions;
  private int targetPartitionRows;
  private int maxIterations = 50;
  private int sampleRate = 256;
  private int subVectors;
  private int bits;
  private int maxLevel = 7;
  private int maxConnections = 20;
  private int constructionEf = 150;
  private float[] centroids;
  private float[] codebook;
  private long seed;

  private VectorIndexSpec(VectorIndexType type) {
    this.type = type;
    this.bits = type.quantization() == Quantization.RABIT ? 1 : 8;
  }

  /** An index of a kind. */
  public static VectorIndexSpec of(VectorIndexType type) {
    return new VectorIndexSpec(type);
  }

  /** Partitions that are scanned, with the vectors themselves. */
  public static VectorIndexSpec ivfFlat() {
    return of(VectorIndexType.IVF_FLAT);
  }

  /** Partitions that are scanned, with a byte for each component. */
  public static VectorIndexSpec ivfSq() {
    return of(VectorIndexType.IVF_SQ);
  }

  /** Partitions that are scanned, with codes of parts of the vectors. */
  public static VectorIndexSpec ivfPq() {
    return of(VectorIndexType.IVF_PQ);
  }

  /** Partitions that are scanned, with a bit for each component. */
  public static VectorIndexSpec ivfRq() {
    return of(VectorIndexType.IVF_RQ);
  }

  /** Partitions with graphs, with the vectors themselves. */
  public static VectorIndexSpec ivfHnswFlat() {
    return of(VectorIndexType.IVF_HNSW_FLAT);
  }

  /** Partitions with graphs, with a byte for each component. */
  public static VectorIndexSpec ivfHnswSq() {
    return of(VectorIndexType.IVF_HNSW_SQ);
  }

  /** Partitions with graphs, with codes of parts of the vectors. */
  public static VectorIndexSpec ivfHnswPq() {
    return of(VectorIndexType.IVF_HNSW_PQ);
  }

  private VectorIndexSpec copy() {
    VectorIndexSpec copy = new VectorIndexSpec(type);
    copy.metric = metric;
    copy.partitions = partitions;
    copy.targetPartitionRows = targetPartitionRows;
    copy.maxIterations = maxIterations;
    copy.sampleRate = sampleRate;
    copy.subVectors = subVectors;
    copy.bits = bits;
    copy.maxLevel = maxLevel;
    copy.maxConnections = maxConnections;
    copy.constructionEf = constructionEf;
    copy.centroids = centroids;
    copy.codebook = codebook;
    copy.seed = seed;
    return copy;
  }

  private static int positive(int value, String what) {
    if (value <= 0) {
      throw new InvalidInputException("The " + what + " must be positive, not " + value);
    }
    return value;
  }

  /** With another metric than {@link Metric#L2}. */
  public VectorIndexSpec metric(Metric newMetric) {
    VectorIndexSpec copy = copy();
    copy.metric = newMetric;
    return copy;
  }

  /** With so many partitions, instead of as many as the rows suggest. */
  public VectorIndexSpec partitions(int count) {
    VectorIndexSpec copy = copy();
    copy.partitions = positive(count, "number of partitions");
    return copy;
  }

  /** With as many partitions as lead to about so many rows in each. */
  public VectorIndexSpec targetPartitionRows(int rows) {
    VectorIndexSpec copy = copy();
    copy.targetPartitionRows = positive(rows, "number of rows of a partition");
    return copy;
  }

  /** Improving centroids at most so many times; 50 unless set. */
  public VectorIndexSpec maxIterations(int count) {
    VectorIndexSpec copy = copy();
    copy.maxIterations = positive(count, "number of iterations");
    return copy;
  }

  /** Looking at so many rows for each centroid that is trained; 256 unless set. */
  public VectorIndexSpec sampleRate(int rows) {
    VectorIndexSpec copy = copy();
    copy.sampleRate = positive(rows, "sample rate");
    return copy;
  }

  /**
   * With vectors cut into so many parts, in product quantization; 16 unless set, if the dimension
   * can be divided so.
   */
  public VectorIndexSpec subVectors(int count) {
    VectorIndexSpec copy = copy();
    copy.subVectors = positive(count, "number of sub-vectors");
    return copy;
  }

  /**
   * With so many bits for a part in product quantization, where it is 8 unless set, or for a
   * component in RaBit's, where it is 1.
   */
  public VectorIndexSpec bits(int count) {
    VectorIndexSpec copy = copy();
    copy.bits = positive(count, "number of bits");
    return copy;
  }

  /** With graphs of so many levels; 7 unless set. */
  public VectorIndexSpec maxLevel(int count) {
    VectorIndexSpec copy = copy();
    copy.maxLevel = positive(count, "number of levels");
    return copy;
  }

  /** With so many neighbours of a row in graphs, and twice as many on level 0; 20 unless set. */
  public VectorIndexSpec maxConnections(int count) {
    VectorIndexSpec copy = copy();
    copy.maxConnections = positive(count, "number of connections");
    return copy;
  }

  /** Keeping so many rows in sight when one is added to a graph; 150 unless set. */
  public VectorIndexSpec constructionEf(int rows) {
    VectorIndexSpec copy = copy();
    copy.constructionEf = positive(rows, "breadth of construction");
    return copy;
  }

  /**
   * With given centroids instead of trained ones, as segments must have that are built apart.
   *
   * @param values one centroid after the other
   */
  public VectorIndexSpec centroids(float[] values) {
    VectorIndexSpec copy = copy();
    copy.centroids = values.clone();
    return copy;
  }

  /**
   * With a given codebook for product quantization.
   *
   * @param values the centroids of the first part, then those of the second and so on
   */
  public VectorIndexSpec codebook(float[] values) {
    VectorIndexSpec copy = copy();
    copy.codebook = values.clone();
    return copy;
  }

  /** With other random choices. */
  public VectorIndexSpec seed(long newSeed) {
    VectorIndexSpec copy = copy();
    copy.seed = newSeed;
    return copy;
  }

  public VectorIndexType type() {
    return type;
  }

  public Metric metric() {
    return metric;
  }

  /** The partitions asked for; 0 if none were. */
  public int partitions() {
    return partitions;
  }

  /** The rows of a partition asked for; 0 if none were. */
  public int targetPartitionRows() {
    return targetPartitionRows;
  }

  public int maxIterations() {
    return maxIterations;
  }

  public int sampleRate() {
    return sampleRate;
  }

  public int bits() {
    return bits;
  }

  public int maxLevel() {
    return maxLevel;
  }

  public int maxConnections() {
    return maxConnections;
  }

  public int constructionEf() {
    return constructionEf;
  }

  public long seed() {
    return seed;
  }

  /** The given centroids, or null if they are to be trained. */
  public float[] centroids() {
    return centroids == null ? null : centroids.clone();
  }

  /** The given codebook, or null if it is to be trained. */
  public float[] codebook() {
    return codebook == null ? null : codebook.clone();
  }

  /**
   * How many partitions there will be.
   *
   * @param rows to be indexed
   * @param dimension of the vectors
   * @throws InvalidInputException if given centroids contradict the number asked for
   */
  public int partitionsFor(long rows, int dimension) {
    if (centroids != null) {
      int given = centroids.length / dimension;
      if (centroids.length % dimension != 0 || (partitions != 0 && partitions != given)) {
        throw new InvalidInputException(
            String.format(
                "%d values are given for the centroids of %s partitions of dimension %d",
                centroids.length, partitions == 0 ? "some" : partitions, dimension));
      }
      return given;
    }
    if (partitions > 0) {
      return partitions;
    }
    int target = targetPartitionRows > 0 ? targetPartitionRows : type.targetPartitionRows();
    return (int) Math.max(1, Math.min(MAX_DERIVED_PARTITIONS, rows / target));
  }

  /**
   * Into how many parts vectors are cut in product quantization.
   *
   * @throws InvalidInputException if they cannot be
   */
  public int subVectorsFor(int dimension) {
    int count = subVectors > 0 ? subVectors : defaultSubVectors(dimension);
    ProductQuantizer.check(dimension, count, bits);
    return count;
  }

  private static int defaultSubVectors(int dimension) {
    if (dimension % DEFAULT_SUB_VECTORS == 0) {
      return DEFAULT_SUB_VECTORS;
    }
    if (dimension % Byte.SIZE == 0) {
      return dimension / Byte.SIZE;
    }
    throw new InvalidInputException(
        "Vectors of dimension " + dimension + " have no default number of sub-vectors: give one");
  }

  /**
   * Checks that a column can have such an index.
   *
   * @throws InvalidInputException if not; the message says what would do
   */
  public void check(VectorColumn column) {
    VectorElement element = column.element();
    if (column.isMulti() && metric != Metric.COSINE) {
      throw new InvalidInputException("multivector type supports only cosine distance");
    }
    if (element == VectorElement.BFLOAT16) {
      throw new InvalidInputException(
          "Vectors of bfloat16 cannot be indexed; search them without an index");
    }
    if (element.isBits() != (metric == Metric.HAMMING)) {
      throw new InvalidInputException(
          String.format(
              "Unsupported data type %s with distance type %s: vectors of bits take hamming, and"
                  + " others l2, cosine or dot",
              element, metric));
    }
    if (element.isBits() && type != VectorIndexType.IVF_FLAT) {
      throw new InvalidInputException("Vectors of bits can have IVF_FLAT only, not " + type);
    }
    if (element == VectorElement.INT8 && type.quantization() != Quantization.PRODUCT) {
      throw new InvalidInputException(
          "Vectors of int8 can have IVF_PQ or IVF_HNSW_PQ only, not " + type);
    }
    switch (type.quantization()) {
      case PRODUCT -> subVectorsFor(column.dimension());
      case RABIT -> {
        if (column.dimension() % Byte.SIZE != 0) {
          throw new InvalidInputException("vector dimension must be divisible by 8 for IVF_RQ");
        }
      }
      case SCALAR -> {
        if (bits != 8) {
          throw new InvalidInputException("Scalar quantization takes 8 bits, not " + bits);
        }
      }
      case FLAT -> {}
    }
  }
}
