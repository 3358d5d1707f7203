package dev.lance4j.index.vector.internal.build;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.vector.BuiltSegment;
import dev.lance4j.index.vector.VectorSource;
import dev.lance4j.index.vector.internal.hnsw.BuiltGraph;
import dev.lance4j.index.vector.internal.hnsw.HnswBuilder;
import dev.lance4j.index.vector.internal.hnsw.HnswOptions;
import dev.lance4j.index.vector.internal.parallel.ParallelRanges;
import dev.lance4j.index.vector.internal.search.Partition;
import dev.lance4j.index.vector.internal.search.PartitionReader;
import dev.lance4j.index.vector.internal.storage.CodeFile;
import dev.lance4j.index.vector.internal.storage.GraphFile;
import dev.lance4j.index.vector.internal.storage.SegmentModel;
import dev.lance4j.table.IndexFile;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Writes the files of one segment whose model is known. */
public final class SegmentBuild {
  private final HnswOptions graphs;
  private final long seed;
  private final SegmentModel model;
  private final ObjectStore store;
  private final String directory;
  private final FileVersion version;
  private final long memoryBytes;
  private final IndexProgress progress;
  private final ParallelRanges parallel;
  private final BufferAllocator allocator;

  /**
   * A build.
   *
   * @param graphs how they are built, if the index has them
   * @param seed of random choices
   * @param memoryBytes for rows until they are written
   */
  public SegmentBuild(
      HnswOptions graphs,
      long seed,
      SegmentModel model,
      ObjectStore store,
      String directory,
      FileVersion version,
      long memoryBytes,
      IndexProgress progress,
      ParallelRanges parallel,
      BufferAllocator allocator) {
    this.graphs = graphs;
    this.seed = seed;
    this.model = model;
    this.store = store;
    this.directory = directory;
    this.version = version;
    this.memoryBytes = memoryBytes;
    this.progress = progress;
    this.parallel = parallel;
    this.allocator = allocator;
  }

  /**
   * Builds the segment.
   *
   * @param old rows that are taken over; their segments have a model that fits
   * @param source of vectors that are added; null for none
   */
  public BuiltSegment run(List<OldRows> old, VectorSource source) {
    int partitions = model.partitions();
    int recordBytes = RecordEncoder.recordBytes(model.quantization().quantizer());
    try (Shuffle shuffle = new Shuffle(partitions, recordBytes, memoryBytes)) {
      double loss = 0;
      if (source != null) {
        EncodingPass pass = new EncodingPass(model, shuffle, parallel);
        loss = pass.run(source, new BatchDecoder(source.column(), model.metric()), progress);
      }
      PartitionRecords[] records = new PartitionRecords[partitions];
      for (int p = 0; p < partitions; p++) {
        List<PartitionRecords> parts = new ArrayList<>();
        for (OldRows rows : old) {
          parts.add(new StoredRecords(rows, p, recordBytes));
        }
        parts.add(shuffle.partition(p));
        records[p] = new JoinedRecords(parts);
      }
      return write(records, loss);
    }
  }

  private BuiltSegment write(PartitionRecords[] records, double loss) {
    boolean complete = false;
    try {
      long codeBytes = writeCodes(records);
      long graphBytes = writeGraphs(records, loss);
      complete = true;
      long rows = 0;
      for (PartitionRecords partition : records) {
        rows += partition.count();
      }
      return new BuiltSegment(
          rows,
          records.length,
          loss,
          List.of(
              new IndexFile(CodeFile.NAME, codeBytes), new IndexFile(GraphFile.NAME, graphBytes)));
    } finally {
      if (!complete) {
        store.delete(directory + "/" + CodeFile.NAME);
        store.delete(directory + "/" + GraphFile.NAME);
      }
    }
  }

  private long writeCodes(PartitionRecords[] records) {
    int[] lengths = new int[records.length];
    try (CodeFileWriter writer =
        new CodeFileWriter(
            store, directory, model.type(), model.quantization(), version, allocator)) {
      for (int p = 0; p < records.length; p++) {
        progress.advanced("writing partitions", p, records.length);
        writer.add(records[p]);
        lengths[p] = records[p].count();
      }
      long size = writer.finish(model.metric(), lengths);
      progress.advanced("writing partitions", records.length, records.length);
      return size;
    }
  }

  private long writeGraphs(PartitionRecords[] records, double loss) {
    try (GraphFileWriter writer =
        new GraphFileWriter(store, directory, model.type(), version, allocator)) {
      if (model.type().hasGraph()) {
        buildGraphs(records, writer);
      } else {
        for (int p = 0; p < records.length; p++) {
          writer.addWithoutGraph();
        }
      }
      return writer.finish(model.metric(), model.centroids(), loss);
    }
  }

  private void buildGraphs(PartitionRecords[] records, GraphFileWriter writer) {
    try (CodeFile codes = CodeFile.open(store, directory, model.type().quantization())) {
      PartitionReader reader = new PartitionReader(codes, true);
      for (int p = 0; p < records.length; p++) {
        progress.advanced("building graphs", p, records.length);
        if (records[p].count() == 0) {
          writer.addWithoutGraph();
          continue;
        }
        Partition partition = reader.read(p, allocator);
        BuiltGraph graph =
            HnswBuilder.build(
                partition,
                model.quantization().quantizer().codeBytes(),
                model.metric(),
                graphs,
                seed + p,
                parallel);
        writer.add(graph);
      }
      progress.advanced("building graphs", records.length, records.length);
    }
  }
}
