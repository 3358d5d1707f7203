package dev.lance4j.benchmarks;

/** Merges values of one column for a tenth of the rows. */
public class SubsetMergeBenchmark extends ChangeBenchmark {
  public SubsetMergeBenchmark() {
    super(Change.MERGE_SUBSET);
  }
}
