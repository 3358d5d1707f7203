package dev.lance4j.benchmarks;

import dev.lance4j.format.testing.SampleColumn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/** What the benchmarks of tables of one column have in common. */
public abstract class ColumnBenchmark extends TableBenchmark {
  /** The library that wrote the table. */
  @Param(Library.ORACLE)
  public String writer;

  /** The column; {@code rows} is its number of values, which for lists are those in the lists. */
  @Param public SampleColumn column;

  final long columnRows() {
    return ColumnReader.rows(column, rows);
  }

  /** Opens the table of the column. */
  final Library.OpenTable open() throws IOException {
    String table = SampleTable.prepare(Path.of(folder), writer, column, rows);
    return library().open(table, new Library.Contents(List.of(column.name()), ColumnChecksum::of));
  }
}
