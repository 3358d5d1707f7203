package dev.lance4j.benchmarks;

/** Updates one of a hundred rows; the real library, which cannot, merges the new rows. */
public class UpdateBenchmark extends ChangeBenchmark {
  public UpdateBenchmark() {
    super(Change.UPDATE);
  }
}
