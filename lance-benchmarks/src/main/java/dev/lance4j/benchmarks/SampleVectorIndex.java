package dev.lance4j.benchmarks;

/** An index on the vectors of {@link VectorRows}, and how it is searched. */
public enum SampleVectorIndex {
  /** No index: all vectors are looked at. */
  NONE(0, 0, 0, 1),
  IVF_PQ(20, 10, 0, 0.6),
  IVF_HNSW_SQ(4, 2, 100, 0.8);

  private final int probes;
  private final int refine;
  private final int ef;
  private final double leastRecall;

  SampleVectorIndex(int probes, int refine, int ef, double leastRecall) {
    this.probes = probes;
    this.refine = refine;
    this.ef = ef;
    this.leastRecall = leastRecall;
  }

  /** How many partitions are searched. */
  int probes() {
    return probes;
  }

  /** How many times as many rows as asked for are compared exactly. */
  int refine() {
    return refine;
  }

  /** How many candidates a search of a graph keeps, or 0 where there is none. */
  int ef() {
    return ef;
  }

  /** The share of the nearest rows below which something is wrong. */
  double leastRecall() {
    return leastRecall;
  }
}
