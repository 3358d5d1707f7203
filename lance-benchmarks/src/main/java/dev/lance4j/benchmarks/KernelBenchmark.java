package dev.lance4j.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What the benchmarks of the encodings' kernels have in common: they count values per second. All
 * of them, from the root of the project:
 *
 * <pre>{@code
 * mvn -B -q -Pbenchmarks -DskipTests package -pl lance-benchmarks -am \
 *     -Dbenchmarks.main=dev.lance4j.benchmarks.KernelBenchmark
 * }</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public abstract class KernelBenchmark {
  /** Runs the benchmarks of all kernels. */
  public static void main(String[] args) throws RunnerException {
    OptionsBuilder options = new OptionsBuilder();
    options.shouldFailOnError(true);
    options.include("\\b" + FastLanesBenchmark.class.getSimpleName() + "\\b");
    options.include("\\b" + FsstBenchmark.class.getSimpleName() + "\\b");
    options.include("\\b" + ByteStreamSplitBenchmark.class.getSimpleName() + "\\b");
    options.include("\\b" + VectorKernelBenchmark.class.getSimpleName() + "\\b");
    new Runner(options.build()).run();
  }
}
