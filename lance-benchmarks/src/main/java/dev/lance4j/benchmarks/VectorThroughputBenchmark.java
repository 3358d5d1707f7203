package dev.lance4j.benchmarks;

import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Threads;

/** Finds the nearest rows of an open table by two threads at once; the mean time of a search. */
@BenchmarkMode(Mode.AverageTime)
@Threads(2)
public class VectorThroughputBenchmark extends VectorSearchBenchmark {}
