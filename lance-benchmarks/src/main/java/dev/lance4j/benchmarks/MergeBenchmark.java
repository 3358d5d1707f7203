package dev.lance4j.benchmarks;

/** Merges rows with all columns, half of which are new. */
public class MergeBenchmark extends ChangeBenchmark {
  public MergeBenchmark() {
    super(Change.MERGE);
  }
}
