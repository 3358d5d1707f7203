package dev.lance4j.benchmarks;

/** Deletes one of a hundred rows by a filter. */
public class DeleteBenchmark extends ChangeBenchmark {
  public DeleteBenchmark() {
    super(Change.DELETE);
  }
}
