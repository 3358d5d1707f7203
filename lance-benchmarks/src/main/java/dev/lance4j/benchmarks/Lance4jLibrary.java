package dev.lance4j.benchmarks;

import dev.lance4j.Dataset;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/** This library. */
final class Lance4jLibrary implements Library {
  @Override
  public long countRows(String uri) {
    try (Dataset dataset = Dataset.open(uri)) {
      return dataset.countRows();
    }
  }

  @Override
  public OpenTable open(String uri) {
    return new Table(Dataset.open(uri));
  }

  @Override
  public void create(String uri, ArrowReader rows, BufferAllocator allocator) {
    Dataset.write(uri).allocator(allocator).from(rows).close();
  }

  @Override
  public void append(String uri, int times, Batches batch, BufferAllocator allocator)
      throws IOException {
    Dataset dataset = Dataset.open(uri);
    try {
      for (int i = 0; i < times; i++) {
        try (Dataset before = dataset;
            ArrowReader rows = batch.read()) {
          dataset = before.append(rows);
        }
      }
    } finally {
      dataset.close();
    }
  }

  private record Table(Dataset dataset) implements OpenTable {
    @Override
    public long scan() throws IOException {
      try (ArrowReader reader = dataset.scan().open()) {
        return Checksum.of(reader);
      }
    }

    @Override
    public long take(long[] positions) throws IOException {
      try (ArrowReader reader =
          dataset.take(positions, SampleRows.ID, SampleRows.TITLE, SampleRows.VECTOR)) {
        return Checksum.of(reader);
      }
    }

    @Override
    public long takeRows(long[] rowIds) throws IOException {
      try (ArrowReader reader =
          dataset.takeRows(rowIds, SampleRows.ID, SampleRows.TITLE, SampleRows.VECTOR)) {
        return Checksum.of(reader);
      }
    }

    @Override
    public void close() {
      dataset.close();
    }
  }
}
