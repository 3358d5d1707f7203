package dev.lance4j.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.Dataset;
import org.lance.WriteDatasetBuilder;
import org.lance.WriteParams.WriteMode;
import org.lance.index.DistanceType;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.index.vector.HnswBuildParams;
import org.lance.index.vector.IvfBuildParams;
import org.lance.index.vector.PQBuildParams;
import org.lance.index.vector.SQBuildParams;
import org.lance.index.vector.VectorIndexParams;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.Query;
import org.lance.ipc.ScanOptions;
import org.lance.merge.MergeInsertParams;
import org.lance.merge.MergeInsertParams.WhenNotMatched;

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
  public OpenTable open(String uri, Contents contents) {
    return new Table(Dataset.open().uri(uri).build(), contents);
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

  /**
   * Creates a table with stable row ids and writes some of its rows anew, as an update does.
   *
   * @param rows all rows
   * @param again the rows that are updated, with the values that they have
   */
  static void createStable(
      String uri, ArrowReader rows, ArrowReader again, BufferAllocator allocator) {
    WriteDatasetBuilder builder = Dataset.write();
    builder.allocator(allocator).uri(uri).reader(rows).mode(WriteMode.CREATE);
    MergeInsertParams params = new MergeInsertParams(List.of(SampleRows.ID));
    try (Dataset created = builder.enableStableRowIds(true).execute();
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, again, stream);
      params.withMatchedUpdateAll().withNotMatched(WhenNotMatched.DoNothing);
      created.mergeInsert(params, stream).dataset().close();
    }
  }

  private static void write(
      String uri, WriteMode mode, ArrowReader rows, BufferAllocator allocator) {
    WriteDatasetBuilder builder = Dataset.write();
    builder.allocator(allocator).uri(uri).reader(rows).mode(mode).execute().close();
  }

  @Override
  public void change(String uri, Change change, Batches source, BufferAllocator allocator)
      throws IOException {
    try (Dataset dataset = Dataset.open().allocator(allocator).uri(uri).build()) {
      if (change == Change.DELETE) {
        dataset.delete(Change.FILTER);
        return;
      }
      MergeInsertParams params = new MergeInsertParams(List.of(SampleRows.ID));
      params.withMatchedUpdateAll();
      params.withNotMatched(
          change == Change.MERGE ? WhenNotMatched.InsertAll : WhenNotMatched.DoNothing);
      try (ArrowReader rows = source.read();
          ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
        Data.exportArrayStream(allocator, rows, stream);
        dataset.mergeInsert(params, stream).dataset().close();
      }
    }
  }

  @Override
  public void compact(String uri, BufferAllocator allocator) {
    try (Dataset dataset = Dataset.open().allocator(allocator).uri(uri).build()) {
      dataset.compact();
    }
  }

  /** Creates a table with so many rows in each fragment. */
  static void createFragments(
      String uri, ArrowReader rows, int rowsEach, BufferAllocator allocator) {
    WriteDatasetBuilder builder = Dataset.write();
    builder.allocator(allocator).uri(uri).reader(rows).mode(WriteMode.CREATE);
    builder.maxRowsPerFile(rowsEach).execute().close();
  }

  @Override
  public void createIndex(String uri, SampleIndex index) {
    createScalarIndex(uri, index.column(), IndexType.valueOf(index.name()));
  }

  /** Builds a BTree. */
  static void createBTree(String uri, String column) {
    createScalarIndex(uri, column, IndexType.BTREE);
  }

  private static void createScalarIndex(String uri, String column, IndexType type) {
    String kind = type.name().toLowerCase(Locale.ROOT);
    createIndex(
        uri,
        column,
        type,
        IndexParams.builder().setScalarIndexParams(ScalarIndexParams.create(kind)));
  }

  /** Builds an IVF_PQ with codes of eight bits. */
  static void createProductIndex(String uri, String column, int partitions, int subVectors) {
    VectorIndexParams.Builder params = partitioned(partitions);
    params.setPqParams(new PQBuildParams.Builder().setNumSubVectors(subVectors).build());
    createVectorIndex(uri, column, params);
  }

  @Override
  public void createVectorIndex(
      String uri, SampleVectorIndex index, VectorShape shape, BufferAllocator allocator) {
    switch (index) {
      case IVF_PQ ->
          createProductIndex(uri, VectorRows.VECTOR, shape.partitions(), shape.subVectors());
      case IVF_HNSW_SQ ->
          createVectorIndex(
              uri,
              VectorRows.VECTOR,
              partitioned(shape.graphs())
                  .setHnswParams(new HnswBuildParams.Builder().build())
                  .setSqParams(new SQBuildParams.Builder().build()));
      case NONE -> throw new IllegalArgumentException("no index");
    }
  }

  private static VectorIndexParams.Builder partitioned(int partitions) {
    return new VectorIndexParams.Builder(
            new IvfBuildParams.Builder().setNumPartitions(partitions).build())
        .setDistanceType(DistanceType.L2);
  }

  private static void createVectorIndex(
      String uri, String column, VectorIndexParams.Builder params) {
    createIndex(
        uri, column, IndexType.VECTOR, IndexParams.builder().setVectorIndexParams(params.build()));
  }

  private static void createIndex(
      String uri, String column, IndexType type, IndexParams.Builder params) {
    try (Dataset dataset = Dataset.open().uri(uri).build()) {
      dataset.createIndex(IndexOptions.builder(List.of(column), type, params.build()).build());
    }
  }

  @Override
  public VectorTable openVectors(String uri) {
    return new Vectors(Dataset.open().uri(uri).build());
  }

  private record Vectors(Dataset dataset) implements VectorTable {
    @Override
    public long[] nearest(float[] query, int k, SampleVectorIndex index) throws IOException {
      Query.Builder nearest =
          new Query.Builder().setColumn(VectorRows.VECTOR).setKey(query).setK(k);
      if (index == SampleVectorIndex.NONE) {
        nearest.setUseIndex(false);
      } else {
        nearest.setNprobes(index.probes()).setRefineFactor(index.refine());
      }
      if (index.ef() > 0) {
        nearest.setEf(index.ef());
      }
      ScanOptions options =
          new ScanOptions.Builder()
              .columns(List.of(VectorRows.ID))
              .nearest(nearest.build())
              .build();
      try (LanceScanner scanner = dataset.newScan(options);
          ArrowReader reader = scanner.scanBatches()) {
        return VectorRows.ids(reader);
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }

    @Override
    public void close() {
      dataset.close();
    }
  }

  private record Table(Dataset dataset, Contents contents) implements OpenTable {
    @Override
    public long scan() throws Exception {
      try (LanceScanner scanner = dataset.newScan();
          ArrowReader reader = scanner.scanBatches()) {
        return contents.checksum().of(reader);
      }
    }

    @Override
    public long filter(String condition) throws Exception {
      ScanOptions options = new ScanOptions.Builder().filter(condition).build();
      try (LanceScanner scanner = dataset.newScan(options);
          ArrowReader reader = scanner.scanBatches()) {
        return contents.checksum().of(reader);
      }
    }

    @Override
    public long count(String condition) {
      return dataset.countRows(condition);
    }

    @Override
    public long take(long[] positions) throws IOException {
      try (ArrowReader reader = dataset.take(boxed(positions), contents.columns())) {
        return contents.checksum().of(reader);
      }
    }

    @Override
    public long takeRows(long[] rowIds) throws IOException {
      try (ArrowReader reader = dataset.takeRows(boxed(rowIds), contents.columns())) {
        return contents.checksum().of(reader);
      }
    }

    private static List<Long> boxed(long[] values) {
      List<Long> boxed = new ArrayList<>(values.length);
      for (long value : values) {
        boxed.add(value);
      }
      return boxed;
    }

    @Override
    public void close() {
      dataset.close();
    }
  }
}
