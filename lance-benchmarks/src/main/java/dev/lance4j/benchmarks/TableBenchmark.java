package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the benchmarks have in common. Each fails when a run gives anything but the right rows. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-opens=java.base/java.nio=ALL-UNNAMED")
public abstract class TableBenchmark {
  /** The library that does the work. */
  @Param({Library.LANCE4J, Library.ORACLE})
  public String library;

  @Param("1000000")
  public long rows;

  /** Where tables lie. */
  @Param("target/benchmarks")
  public String folder;

  final Library library() {
    return Library.named(library);
  }

  /** The path of a table of all rows. */
  final String table(String writer) throws IOException {
    return SampleTable.prepare(Path.of(folder), writer, rows);
  }

  /** The path of a table that the benchmark writes itself. */
  final Path scratch() {
    return Path.of(folder, "scratch-" + library + ".lance");
  }

  static void check(String what, long expected, long actual) {
    if (expected != actual) {
      throw new IllegalStateException(what + " is " + actual + " instead of " + expected);
    }
  }
}
