package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Reads the rows of an open table that are found through an index. */
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 7, time = 1)
public class IndexSearchBenchmark extends TableBenchmark {
  @Param("EQUALITY")
  public SampleLookup lookup;

  /** The library that wrote the table and its indices. */
  @Param(Library.ORACLE)
  public String writer;

  private String condition;
  private long expected;
  private Library.OpenTable table;

  @Setup
  public void prepare() throws IOException {
    condition = lookup.condition(rows);
    expected = lookup.checksum(rows);
    String uri = SampleTable.prepareIndexed(Path.of(folder), writer, rows);
    table = library().open(uri, IndexRows.CONTENTS);
  }

  @TearDown
  public void close() {
    table.close();
  }

  @Benchmark
  public long search() throws Exception {
    long found = table.filter(condition);
    check("what was found", expected, found);
    return found;
  }
}
