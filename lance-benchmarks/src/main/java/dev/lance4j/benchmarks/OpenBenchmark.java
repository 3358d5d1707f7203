package dev.lance4j.benchmarks;

import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/** Opens the newest version of a table, counts its rows and closes it. */
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 1)
public class OpenBenchmark extends TableBenchmark {
  /** The library that wrote the table. */
  @Param(Library.ORACLE)
  public String writer;

  private Library opener;
  private String uri;

  @Setup
  public void prepare() throws IOException {
    uri = table(writer);
    opener = library();
  }

  @Benchmark
  public long open() {
    long counted = opener.countRows(uri);
    check("the number of rows", rows, counted);
    return counted;
  }
}
