package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.FieldArrays;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.NewColumns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * Columns that a function computes from others. What an earlier attempt left as checkpoints is used
 * again if it was made from the same rows.
 */
public final class ComputedValues implements ColumnValues {
  private final Scan.Source source;
  private final NewColumns.Computed computation;
  private final LanceSchema columns;
  private final int batchSize;
  private final Optional<ColumnCheckpoints> checkpoints;

  /**
   * @param columns the schema of the function's batches, with the ids of the new fields
   */
  public ComputedValues(
      Scan.Source source, NewColumns.Computed computation, LanceSchema columns, int batchSize) {
    this.source = source;
    this.computation = computation;
    this.columns = columns;
    this.batchSize = batchSize;
    this.checkpoints =
        computation
            .checkpoints()
            .map(kept -> new ColumnCheckpoints(kept, source.version(), columns, batchSize));
  }

  @Override
  public boolean keepsFiles() {
    return checkpoints.isPresent();
  }

  @Override
  public Optional<DataFile> finished(FragmentMetadata fragment) {
    return checkpoints.flatMap(kept -> kept.file(fragment));
  }

  @Override
  public void finish(FragmentMetadata fragment, DataFile file) {
    checkpoints.ifPresent(kept -> kept.save(fragment, file));
  }

  @Override
  public void write(FragmentMetadata fragment, ColumnFileWriter writer) {
    Scan scan =
        new Scan(source)
            .select(computation.read().toArray(String[]::new))
            .withBlobBytes()
            .batchSize(batchSize);
    long done = 0;
    for (int number = 0; writer.missingRows() > 0; number++) {
      Optional<ArrowReader> kept = saved(fragment, number);
      if (kept.isPresent()) {
        done += writeSaved(kept.get(), writer);
      } else {
        compute(scan.fragments(fragment.id()).offset(done), fragment, number, writer);
        return;
      }
    }
  }

  private Optional<ArrowReader> saved(FragmentMetadata fragment, int number) {
    return checkpoints.flatMap(kept -> kept.batch(fragment, number, source.allocator()));
  }

  private long writeSaved(ArrowReader saved, ColumnFileWriter writer) {
    try (saved) {
      VectorSchemaRoot root = saved.getVectorSchemaRoot();
      long rows = 0;
      while (saved.loadNextBatch()) {
        write(root, writer);
        rows += root.getRowCount();
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compute(Scan scan, FragmentMetadata fragment, int first, ColumnFileWriter writer) {
    try (ArrowReader reader = scan.open()) {
      VectorSchemaRoot batch = reader.getVectorSchemaRoot();
      for (int number = first; reader.loadNextBatch(); number++) {
        try (VectorSchemaRoot computed = computation.function().apply(batch)) {
          requireRows(computed.getRowCount(), batch.getRowCount());
          int current = number;
          checkpoints.ifPresent(kept -> kept.save(fragment, current, computed));
          write(computed, writer);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void requireRows(int actual, int expected) {
    if (actual != expected) {
      throw new InvalidInputException(
          "The function gave " + actual + " rows for a batch of " + expected);
    }
  }

  private void write(VectorSchemaRoot computed, ColumnFileWriter writer) {
    try (JsonTextColumns rows =
        new JsonTextColumns(BatchSource.of(computed, null), source.allocator())) {
      List<ArrayData> arrays = FieldArrays.of(columns, rows.next(), null);
      try {
        writer.write(arrays, computed.getRowCount());
      } finally {
        arrays.forEach(ArrayData::close);
      }
    }
  }
}
