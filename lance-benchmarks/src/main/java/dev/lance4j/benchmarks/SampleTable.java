package dev.lance4j.benchmarks;

import dev.lance4j.Dataset;
import dev.lance4j.format.testing.SampleColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Tables of {@link SampleRows} on disk. */
final class SampleTable {
  private static final int PARTITIONS = 256;
  private static final int SUB_VECTORS = 16;

  private SampleTable() {}

  /**
   * The table of the first rows, written unless it is there.
   *
   * @param folder for the tables of all benchmarks
   * @param library the name of the one that writes it
   * @return its path
   */
  static String prepare(Path folder, String library, long rows) throws IOException {
    return prepare(
        folder.resolve(library + "-" + rows + ".lance"),
        (path, allocator) -> {
          try (ArrowReader reader = new RowsReader(rows, allocator)) {
            Library.named(library).create(path, reader, allocator);
          }
        });
  }

  /**
   * A table of the first rows, whose stable ids are their numbers, and of which one of every {@code
   * step} was updated; written by the real library unless it is there.
   *
   * @return its path
   */
  static String prepareStable(Path folder, long rows, int step) throws IOException {
    return prepare(
        folder.resolve("stable-" + step + "-" + rows + ".lance"),
        (path, allocator) -> {
          List<VectorSchemaRoot> batches = SampleRows.batches(rows, allocator);
          List<VectorSchemaRoot> again = SampleRows.every(step, rows, allocator);
          try (ArrowReader reader = new BatchesReader(batches, allocator);
              ArrowReader updates = new BatchesReader(again, allocator)) {
            OracleLibrary.createStable(path, reader, updates, allocator);
          } finally {
            batches.forEach(VectorSchemaRoot::close);
            again.forEach(VectorSchemaRoot::close);
          }
        });
  }

  /**
   * A table of {@link ChangeRows}, written by the real library unless it is there.
   *
   * @return its path
   */
  static String prepareForChanges(Path folder, long rows) throws IOException {
    return prepare(
        folder.resolve("changes-" + rows + ".lance"),
        (path, allocator) -> {
          List<VectorSchemaRoot> batches =
              ChangeRows.batches(SampleRows.schema(), rows, row -> row, 0, allocator);
          try (ArrowReader reader = new BatchesReader(SampleRows.schema(), batches, allocator)) {
            Library.named(Library.ORACLE).create(path, reader, allocator);
          } finally {
            batches.forEach(VectorSchemaRoot::close);
          }
        });
  }

  /**
   * A table of {@link ChangeRows} in small fragments, written by the real library unless it is
   * there.
   *
   * @param rowsEach of each fragment
   * @param indexed whether it has a BTree on the numbers and an IVF_PQ on the vectors
   * @return its path
   */
  static String prepareFragments(Path folder, long rows, int rowsEach, boolean indexed)
      throws IOException {
    String fragments =
        prepare(
            folder.resolve("fragments-" + rowsEach + "-" + rows + ".lance"),
            (path, allocator) -> {
              List<VectorSchemaRoot> batches =
                  ChangeRows.batches(SampleRows.schema(), rows, row -> row, 0, allocator);
              try (ArrowReader reader =
                  new BatchesReader(SampleRows.schema(), batches, allocator)) {
                OracleLibrary.createFragments(path, reader, rowsEach, allocator);
              } finally {
                batches.forEach(VectorSchemaRoot::close);
              }
            });
    if (!indexed) {
      return fragments;
    }
    return prepare(
        folder.resolve("fragments-" + rowsEach + "-indexed-" + rows + ".lance"),
        (path, allocator) -> {
          link(Path.of(fragments), Path.of(path));
          OracleLibrary.createBTree(path, SampleRows.ID);
          OracleLibrary.createProductIndex(path, SampleRows.VECTOR, PARTITIONS, SUB_VECTORS);
        });
  }

  /**
   * A table of {@link IndexRows}, written by the real library unless it is there.
   *
   * @return its path
   */
  static String prepareForIndices(Path folder, long rows) throws IOException {
    return prepare(
        folder.resolve("index-rows-" + rows + ".lance"),
        (path, allocator) -> {
          try (ArrowReader reader = IndexRows.reader(rows, allocator)) {
            Library.named(Library.ORACLE).create(path, reader, allocator);
          }
        });
  }

  /**
   * A table of {@link IndexRows} with each {@link SampleIndex}, written unless it is there.
   *
   * @param library the name of the one that builds the indices
   * @return its path
   */
  static String prepareIndexed(Path folder, String library, long rows) throws IOException {
    String table = prepareForIndices(folder, rows);
    return prepare(
        folder.resolve(library + "-indexed-" + rows + ".lance"),
        (path, allocator) -> {
          link(Path.of(table), Path.of(path));
          for (SampleIndex index : SampleIndex.values()) {
            Library.named(library).createIndex(path, index);
          }
        });
  }

  /**
   * A table of {@link VectorRows}, written by the real library unless it is there.
   *
   * @return its path
   */
  static String prepareVectors(Path folder, VectorShape shape) throws IOException {
    return prepare(
        folder.resolve("vectors-" + shape.rows() + "-" + shape.dimension() + ".lance"),
        (path, allocator) -> {
          try (ArrowReader reader = VectorRows.reader(shape.rows(), shape.dimension(), allocator)) {
            Library.named(Library.ORACLE).create(path, reader, allocator);
          }
        });
  }

  /**
   * A table of {@link VectorRows} with an index, written unless it is there.
   *
   * @param library the name of the one that builds the index
   * @return its path
   */
  static String prepareVectors(
      Path folder, String library, VectorShape shape, SampleVectorIndex index) throws IOException {
    String table = prepareVectors(folder, shape);
    return prepare(
        folder.resolve(library + "-" + index + "-" + shape + ".lance"),
        (path, allocator) -> {
          link(Path.of(table), Path.of(path));
          Library.named(library).createVectorIndex(path, index, shape, allocator);
        });
  }

  /**
   * A table of the first rows, each in a fragment of its own, of which all versions but the first
   * only change a setting; written unless it is there.
   *
   * @return its path
   */
  static String prepareForCommits(Path folder, int versions, int fragments) throws IOException {
    return prepare(
        folder.resolve("commits-" + versions + "-" + fragments + ".lance"),
        (path, allocator) -> {
          List<VectorSchemaRoot> rows = SampleRows.batches(fragments, allocator);
          try (ArrowReader reader = new BatchesReader(rows, allocator)) {
            Dataset.write(path).allocator(allocator).maxRowsPerFile(1).from(reader).close();
          } finally {
            rows.forEach(VectorSchemaRoot::close);
          }
          for (int version = 1; version < versions; version++) {
            try (Dataset dataset = Dataset.open(path);
                Dataset next = dataset.updateConfig(Map.of("changes", "" + version))) {
              next.version();
            }
          }
        });
  }

  /** Makes another table of the same files, which are not copied, since nobody writes to them. */
  static void link(Path table, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(table)) {
      for (Path file : files.toList()) {
        Path link = target.resolve(table.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(link);
        } else {
          Files.createLink(link, file);
        }
      }
    }
  }

  /**
   * The table of the first values of a column, written unless it is there.
   *
   * @param library the name of the one that writes it
   * @return its path
   */
  static String prepare(Path folder, String library, SampleColumn column, long values)
      throws IOException {
    long rows = ColumnReader.rows(column, values);
    return prepare(
        folder.resolve(column + "-" + library + "-" + rows + ".lance"),
        (path, allocator) -> {
          try (ArrowReader reader = new ColumnReader(column, rows, allocator)) {
            Library.named(library).create(path, reader, allocator);
          }
        });
  }

  private interface Writer {
    void write(String path, BufferAllocator allocator) throws IOException;
  }

  private static String prepare(Path table, Writer writer) throws IOException {
    if (!Files.exists(table)) {
      Path unfinished = table.resolveSibling(table.getFileName() + ".part");
      delete(unfinished);
      Files.createDirectories(table.getParent());
      try (BufferAllocator allocator = new RootAllocator()) {
        writer.write(unfinished.toString(), allocator);
      }
      Files.move(unfinished, table);
    }
    return table.toString();
  }

  /** Removes a table, if it is there. */
  static void delete(Path table) throws IOException {
    if (!Files.exists(table)) {
      return;
    }
    try (Stream<Path> files = Files.walk(table)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
