package dev.lance4j.benchmarks;

import java.io.IOException;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/** Reads a table that stays open, or one that is opened anew for each reading. */
public abstract class ReadBenchmark extends TableBenchmark {
  /** The library that wrote the table. */
  @Param(Library.ORACLE)
  public String writer;

  /** Whether nothing that was learned of the table is left from the reading before. */
  @Param("false")
  public boolean cold;

  private String uri;
  private Library.OpenTable kept;

  /** A reading, which gives what tells right rows from wrong ones. */
  interface Reading {
    long of(Library.OpenTable table) throws Exception;
  }

  /** Writes the table unless it is there, and opens it. */
  final void prepareTable() throws IOException {
    uri = table(writer);
    kept = open();
  }

  private Library.OpenTable open() {
    return library().open(uri, SampleRows.CONTENTS);
  }

  @TearDown
  public void close() {
    kept.close();
  }

  /** Reads and compares with what is expected. */
  final long read(Reading reading, long expected) throws Exception {
    long read;
    if (cold) {
      try (Library.OpenTable table = open()) {
        read = reading.of(table);
      }
    } else {
      read = reading.of(kept);
    }
    check("what was read", expected, read);
    return read;
  }
}
