package dev.lance4j.benchmarks;

/** How many vectors of which dimension are searched, and the partitions of their indices. */
public enum VectorShape {
  HUNDRED_THOUSAND(100_000, 128, 256, 4),
  MILLION(1_000_000, 96, 1024, 16),
  TEN_MILLION(10_000_000, 128, 2048, 64);

  private final long rows;
  private final int dimension;
  private final int partitions;
  private final int graphs;

  VectorShape(long rows, int dimension, int partitions, int graphs) {
    this.rows = rows;
    this.dimension = dimension;
    this.partitions = partitions;
    this.graphs = graphs;
  }

  long rows() {
    return rows;
  }

  int dimension() {
    return dimension;
  }

  /** The partitions of an index without graphs. */
  int partitions() {
    return partitions;
  }

  /** The partitions of an index with a graph in each. */
  int graphs() {
    return graphs;
  }

  /** The parts into which product quantization cuts a vector, of eight components each. */
  int subVectors() {
    return dimension / 8;
  }
}
