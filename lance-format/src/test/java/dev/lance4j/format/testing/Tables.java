package dev.lance4j.format.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Makes tables out of tables. */
public final class Tables {
  private Tables() {}

  /** A copy with values in the place of dictionary keys. */
  public static ArrowTable decoded(ArrowTable table, BufferAllocator allocator) {
    return slice(table, 0, table.rowCount(), allocator);
  }

  /** Rows {@code from} to {@code to - 1}, copied and decoded. */
  public static ArrowTable slice(ArrowTable table, int from, int to, BufferAllocator allocator) {
    try (TableBuilder builder = new TableBuilder(allocator)) {
      return builder.append(table.root(), table.dictionaries(), from, to).build();
    }
  }

  /** The rows at the positions given, copied and decoded. */
  public static ArrowTable gather(ArrowTable table, int[] positions, BufferAllocator allocator) {
    try (TableBuilder builder = new TableBuilder(allocator)) {
      return builder.append(table.root(), table.dictionaries(), positions).build();
    }
  }

  /** The rows of one table after those of the other, copied and decoded. */
  public static ArrowTable concat(ArrowTable first, ArrowTable second, BufferAllocator allocator) {
    try (TableBuilder builder = new TableBuilder(allocator)) {
      return builder
          .append(first.root(), first.dictionaries())
          .append(second.root(), second.dictionaries())
          .build();
    }
  }

  /** Everything that a reader still has, decoded; the reader is closed. */
  public static ArrowTable drain(ArrowReader reader, BufferAllocator allocator) {
    try (reader;
        TableBuilder builder = new TableBuilder(allocator)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      boolean empty = true;
      while (reader.loadNextBatch()) {
        builder.append(root, reader);
        empty = false;
      }
      if (empty) {
        root.setRowCount(0);
        builder.append(root, reader);
      }
      return builder.build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Some of the columns, sharing their memory; only the argument is to be closed. */
  public static ArrowTable select(ArrowTable table, String... columns) {
    List<FieldVector> vectors = new ArrayList<>();
    for (String column : columns) {
      vectors.add(table.column(column));
    }
    VectorSchemaRoot root = new VectorSchemaRoot(vectors);
    root.setRowCount(table.rowCount());
    return new ArrowTable(root, table.dictionaries());
  }
}
