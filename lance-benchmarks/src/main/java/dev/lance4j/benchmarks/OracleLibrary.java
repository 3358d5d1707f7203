package dev.lance4j.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.Dataset;
import org.lance.WriteDatasetBuilder;
import org.lance.WriteParams.WriteMode;
import org.lance.ipc.LanceScanner;

/** The real library, through its own Java API. */
@SuppressWarnings("try") // the closes of the real library declare Exception
final class OracleLibrary implements Library {
  @Override
  public long countRows(String uri) {
    try (Dataset dataset = Dataset.open().uri(uri).build()) {
      return dataset.countRows();
    }
  }

  @Override
  public OpenTable open(String uri) {
    return new Table(Dataset.open().uri(uri).build());
  }

  @Override
  public void create(String uri, ArrowReader rows, BufferAllocator allocator) {
    write(uri, WriteMode.CREATE, rows, allocator);
  }

  @Override
  public void append(String uri, int times, Batches batch, BufferAllocator allocator)
      throws IOException {
    for (int i = 0; i < times; i++) {
      try (ArrowReader rows = batch.read()) {
        write(uri, WriteMode.APPEND, rows, allocator);
      }
    }
  }

  private static void write(
      String uri, WriteMode mode, ArrowReader rows, BufferAllocator allocator) {
    WriteDatasetBuilder builder = Dataset.write();
    builder.allocator(allocator).uri(uri).reader(rows).mode(mode).execute().close();
  }

  private record Table(Dataset dataset) implements OpenTable {
    @Override
    public long scan() throws Exception {
      try (LanceScanner scanner = dataset.newScan();
          ArrowReader reader = scanner.scanBatches()) {
        return Checksum.of(reader);
      }
    }

    @Override
    public long take(long[] positions) throws IOException {
      List<Long> boxed = new ArrayList<>(positions.length);
      for (long position : positions) {
        boxed.add(position);
      }
      List<String> columns = List.of(SampleRows.ID, SampleRows.TITLE, SampleRows.VECTOR);
      try (ArrowReader reader = dataset.take(boxed, columns)) {
        return Checksum.of(reader);
      }
    }

    @Override
    public void close() {
      dataset.close();
    }
  }
}
