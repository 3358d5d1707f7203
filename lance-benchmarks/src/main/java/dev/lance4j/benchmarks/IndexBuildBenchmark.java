package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Builds an index on a column of a table that the real library wrote, opening included. */
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 4)
@Measurement(iterations = 7)
public class IndexBuildBenchmark extends TableBenchmark {
  @Param("BTREE")
  public SampleIndex index;

  private Path prepared;

  @Setup
  public void prepare() throws IOException {
    prepared = Path.of(SampleTable.prepareForIndices(Path.of(folder), rows));
  }

  @Setup(Level.Invocation)
  public void link() throws IOException {
    SampleTable.delete(scratch());
    SampleTable.link(prepared, scratch());
  }

  @Benchmark
  public void build() {
    library().createIndex(scratch().toString(), index);
  }

  @TearDown(Level.Invocation)
  public void verify() throws Exception {
    try (Library.OpenTable table = library().open(scratch().toString(), IndexRows.CONTENTS)) {
      for (SampleLookup lookup : SampleLookup.values()) {
        check(
            "what was found by " + lookup,
            lookup.checksum(rows),
            table.filter(lookup.condition(rows)));
      }
    }
    SampleTable.delete(scratch());
  }
}
