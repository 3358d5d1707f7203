package dev.lance4j.index.vector;

import dev.lance4j.format.InvalidInputException;

/**
 * The kinds of vector indices. Each divides the vectors into partitions around centroids; they
 * differ in what is kept of a vector, and in whether a partition is scanned or has a graph.
 */
public enum VectorIndexType {
  IVF_FLAT(101, Quantization.FLAT, false, 4_096),
  IVF_SQ(102, Quantization.SCALAR, false, 8_192),
  IVF_PQ(103, Quantization.PRODUCT, false, 8_192),
  IVF_HNSW_SQ(104, Quantization.SCALAR, true, 1_048_576),
  IVF_HNSW_PQ(105, Quantization.PRODUCT, true, 1_048_576),
  IVF_HNSW_FLAT(106, Quantization.FLAT, true, 1_048_576),
  IVF_RQ(107, Quantization.RABIT, false, 8_192);

  /** What is kept of a vector. */
  public enum Quantization {
    /** The vector itself. */
    FLAT,
    /** One byte for each component. */
    SCALAR,
    /** A code for each part of the vector. */
    PRODUCT,
    /** A bit for each component of the rotated vector. */
    RABIT
  }

  private final int code;
  private final Quantization quantization;
  private final boolean hasGraph;
  private final int targetPartitionRows;

  VectorIndexType(int code, Quantization quantization, boolean hasGraph, int targetPartitionRows) {
    this.code = code;
    this.quantization = quantization;
    this.hasGraph = hasGraph;
    this.targetPartitionRows = targetPartitionRows;
  }

  /** The number of the kind in programming interfaces of Lance. */
  public int code() {
    return code;
  }

  public Quantization quantization() {
    return quantization;
  }

  /** Whether a partition is searched by a graph of neighbours. */
  public boolean hasGraph() {
    return hasGraph;
  }

  /** How many rows a partition is meant to have unless asked otherwise. */
  public int targetPartitionRows() {
    return targetPartitionRows;
  }

  /**
   * The kind of this name, as index files record it.
   *
   * @throws InvalidInputException if there is none
   */
  public static VectorIndexType parse(String name) {
    for (VectorIndexType type : values()) {
      if (type.name().equals(name)) {
        return type;
      }
    }
    throw new InvalidInputException("There is no kind of vector index named '" + name + "'");
  }
}
