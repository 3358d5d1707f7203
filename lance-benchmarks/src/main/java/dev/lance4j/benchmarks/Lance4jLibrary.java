package dev.lance4j.benchmarks;

import dev.lance4j.Dataset;
import dev.lance4j.OpenOptions;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
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
  public OpenTable open(String uri, Contents contents) {
    String[] columns = contents.columns().toArray(String[]::new);
    return new Table(Dataset.open(uri), columns, contents.checksum());
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

  @Override
  public void change(String uri, Change change, Batches source, BufferAllocator allocator)
      throws IOException {
    OpenOptions options = OpenOptions.builder().allocator(allocator).build();
    try (Dataset dataset = Dataset.open(uri, options);
        ArrowReader rows = source.read()) {
      changed(dataset, change, rows).close();
    }
  }

  @Override
  public void createIndex(String uri, SampleIndex index) {
    ScalarIndexSpec spec =
        switch (index) {
          case BTREE -> ScalarIndexSpec.btree();
          case BITMAP -> ScalarIndexSpec.bitmap();
        };
    try (Dataset dataset = Dataset.open(uri)) {
      dataset.createIndex(index.column(), spec).close();
    }
  }

  @Override
  public void createVectorIndex(
      String uri, SampleVectorIndex index, VectorShape shape, BufferAllocator allocator) {
    VectorIndexSpec spec =
        switch (index) {
          case IVF_PQ ->
              VectorIndexSpec.ivfPq().partitions(shape.partitions()).subVectors(shape.subVectors());
          case IVF_HNSW_SQ -> VectorIndexSpec.ivfHnswSq().partitions(shape.graphs());
          case NONE -> throw new IllegalArgumentException("no index");
        };
    OpenOptions options = OpenOptions.builder().allocator(allocator).build();
    try (Dataset dataset = Dataset.open(uri, options)) {
      dataset.createIndex(VectorRows.VECTOR, spec).close();
    }
  }

  @Override
  public VectorTable openVectors(String uri) {
    return new Vectors(Dataset.open(uri));
  }

  private static Dataset changed(Dataset dataset, Change change, ArrowReader rows) {
    return switch (change) {
      case DELETE -> dataset.delete(Change.FILTER).dataset();
      case UPDATE ->
          dataset
              .update()
              .where(Change.FILTER)
              .set(SampleRows.SCORE, SampleRows.SCORE + " + 1")
              .execute()
              .dataset();
      case MERGE ->
          dataset
              .mergeInsert(SampleRows.ID)
              .whenMatched(WhenMatched.updateAll())
              .execute(rows)
              .dataset();
      case MERGE_SUBSET ->
          dataset
              .mergeInsert(SampleRows.ID)
              .whenMatched(WhenMatched.updateAll())
              .whenNotMatched(WhenNotMatched.doNothing())
              .execute(rows)
              .dataset();
    };
  }

  @Override
  public void compact(String uri, BufferAllocator allocator) {
    OpenOptions options = OpenOptions.builder().allocator(allocator).build();
    try (Dataset dataset = Dataset.open(uri, options)) {
      dataset.compact().dataset().close();
    }
  }

  /** The number of fragments of the newest version. */
  static long fragments(String uri) {
    try (Dataset dataset = Dataset.open(uri)) {
      return dataset.fragments().size();
    }
  }

  private record Table(Dataset dataset, String[] columns, RowsChecksum checksum)
      implements OpenTable {
    @Override
    public long scan() throws IOException {
      try (ArrowReader reader = dataset.scan().open()) {
        return checksum.of(reader);
      }
    }

    @Override
    public long filter(String condition) throws IOException {
      try (ArrowReader reader = dataset.scan().where(condition).open()) {
        return checksum.of(reader);
      }
    }

    @Override
    public long count(String condition) {
      return dataset.scan().where(condition).count();
    }

    @Override
    public long take(long[] positions) throws IOException {
      try (ArrowReader reader = dataset.take(positions, columns)) {
        return checksum.of(reader);
      }
    }

    @Override
    public long takeRows(long[] rowIds) throws IOException {
      try (ArrowReader reader = dataset.takeRows(rowIds, columns)) {
        return checksum.of(reader);
      }
    }

    @Override
    public void close() {
      dataset.close();
    }
  }

  private record Vectors(Dataset dataset) implements VectorTable {
    @Override
    public long[] nearest(float[] query, int k, SampleVectorIndex index) throws IOException {
      VectorQuery nearest = VectorQuery.of(VectorRows.VECTOR, query).k(k);
      if (index == SampleVectorIndex.NONE) {
        nearest = nearest.useIndex(false);
      } else {
        nearest = nearest.probes(index.probes()).refine(index.refine());
      }
      if (index.ef() > 0) {
        nearest = nearest.ef(index.ef());
      }
      try (ArrowReader reader = dataset.scan().select(VectorRows.ID).nearest(nearest).open()) {
        return VectorRows.ids(reader);
      }
    }

    @Override
    public void close() {
      dataset.close();
    }
  }
}
