package dev.lance4j.index.vector.internal.storage;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.proto.index.IndexProto.IVF;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.internal.hnsw.HnswGraph;
import dev.lance4j.index.vector.internal.hnsw.HnswOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.ArrowReader;

/** An open {@code index.idx}: the kind of index, its centroids, and the graphs if it has any. */
public final class GraphFile implements AutoCloseable {
  /** The name of the file in a segment's directory. */
  public static final String NAME = "index.idx";

  /** The column of rows of a graph. */
  public static final String NODE = "__vector_id";

  /** The column of their neighbours. */
  public static final String NEIGHBORS = "__neighbors";

  /** The column of the distances of those. */
  public static final String DISTANCES = "_distance";

  private final LanceFileReader file;
  private final VectorIndexType type;
  private final Metric metric;
  private final Centroids centroids;
  private final PartitionRanges ranges;
  private final OptionalDouble loss;
  private final List<String> subIndices;

  private GraphFile(LanceFileReader file) {
    this.file = file;
    String path = file.path();
    MetadataJson index =
        MetadataJson.parse(
            FileMetadata.require(file, FileMetadata.INDEX), FileMetadata.INDEX, path);
    try {
      this.type = VectorIndexType.parse(index.text("type"));
      this.metric = Metric.parse(index.text("distance_type"));
    } catch (InvalidInputException e) {
      throw new CorruptFileException(path, -1, e.getMessage(), e);
    }
    IVF message = FileMetadata.partitions(file);
    this.ranges = PartitionRanges.read(message, file.rowCount(), path);
    this.centroids = Centroids.read(message, ranges.count(), path);
    this.loss = message.hasLoss() ? OptionalDouble.of(message.getLoss()) : OptionalDouble.empty();
    String key = type.hasGraph() ? FileMetadata.HNSW : FileMetadata.FLAT;
    this.subIndices = MetadataJson.parse(FileMetadata.require(file, key), key, path).strings();
    if (subIndices.size() != ranges.count()) {
      throw new CorruptFileException(
          path,
          -1,
          String.format(
              "%s has %d entries for %d partitions", key, subIndices.size(), ranges.count()));
    }
  }

  /** Opens the file of a segment. */
  public static GraphFile open(ObjectStore store, String directory) {
    LanceFileReader file = LanceFileReader.open(store, directory + "/" + NAME);
    try {
      return new GraphFile(file);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  public String path() {
    return file.path();
  }

  public VectorIndexType type() {
    return type;
  }

  public Metric metric() {
    return metric;
  }

  public Centroids centroids() {
    return centroids;
  }

  public OptionalDouble loss() {
    return loss;
  }

  /** The size of the file in bytes. */
  public long size() {
    return file.size();
  }

  /** How the graphs were built; the default if there are none. */
  public HnswOptions options() {
    for (int p = 0; type.hasGraph() && p < subIndices.size(); p++) {
      if (!subIndices.get(p).isEmpty()) {
        HnswMetadata metadata = graphMetadata(p);
        return new HnswOptions(
            metadata.maxLevel(), metadata.maxNeighbors(), metadata.constructionEf());
      }
    }
    return HnswOptions.DEFAULT;
  }

  /** What is recorded of the graph of a partition that has rows. */
  private HnswMetadata graphMetadata(int partition) {
    return HnswMetadata.read(subIndices.get(partition), ranges.lengths()[partition], file.path());
  }

  /**
   * Reads the graph of a partition.
   *
   * @param nodes the number of rows of the partition, at least 1
   */
  public HnswGraph readGraph(int partition, int nodes, BufferAllocator allocator) {
    if (subIndices.get(partition).isEmpty()) {
      throw new CorruptFileException(
          file.path(), -1, "partition " + partition + " has rows but no graph");
    }
    HnswMetadata metadata = graphMetadata(partition);
    if (metadata.entryPoint() >= nodes) {
      throw new CorruptFileException(
          file.path(),
          -1,
          "the entry point " + metadata.entryPoint() + " is none of " + nodes + " rows");
    }
    long first = ranges.offsets()[partition];
    HnswGraph.Level[] levels = new HnswGraph.Level[metadata.maxLevel()];
    int[] offsets = metadata.levelOffsets();
    for (int l = 0; l < levels.length; l++) {
      levels[l] = readLevel(first + offsets[l], first + offsets[l + 1], nodes, l == 0, allocator);
    }
    return new HnswGraph(levels, 0);
  }

  private HnswGraph.Level readLevel(
      long from, long to, int nodes, boolean lowest, BufferAllocator allocator) {
    LevelRows rows = new LevelRows(Math.toIntExact(to - from), nodes, file.path());
    if (to > from) {
      try (ArrowReader reader =
          file.scan().select(NODE, NEIGHBORS).range(from, to).open(allocator)) {
        while (reader.loadNextBatch()) {
          VectorSchemaRoot root = reader.getVectorSchemaRoot();
          if (root.getVector(NODE) instanceof UInt4Vector ids
              && root.getVector(NEIGHBORS) instanceof ListVector lists
              && lists.getDataVector() instanceof UInt4Vector) {
            rows.add(ids, lists, root.getRowCount());
          } else {
            throw new CorruptFileException(
                file.path(), -1, "the columns of the graph are of the wrong types");
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return rows.build(lowest);
  }

  @Override
  public void close() {
    file.close();
  }
}
