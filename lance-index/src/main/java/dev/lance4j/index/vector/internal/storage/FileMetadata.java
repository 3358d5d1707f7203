package dev.lance4j.index.vector.internal.storage;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.proto.index.IndexProto.IVF;
import dev.lance4j.format.proto.index.IndexProto.Tensor;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexType;
import java.util.List;

/** The keys that the files of a segment have in the metadata of their schemas. */
public final class FileMetadata {
  static final String INDEX = "lance:index";
  static final String IVF_BUFFER = "lance:ivf";
  static final String FLAT = "lance:flat";
  static final String HNSW = "lance:hnsw";
  static final String METRIC = "distance_type";
  static final String STORAGE = "storage_metadata";

  private FileMetadata() {}

  static String require(LanceFileReader file, String key) {
    String value = file.metadata().get(key);
    if (value == null) {
      throw new CorruptFileException(file.path(), -1, key + " not found");
    }
    return value;
  }

  /** The message that the metadata refer to. */
  static IVF partitions(LanceFileReader file) {
    String text = require(file, IVF_BUFFER);
    int buffer;
    try {
      buffer = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new CorruptFileException(
          file.path(), -1, IVF_BUFFER + " is no number but '" + text + "'", e);
    }
    try {
      return IVF.parseFrom(QuantizerMetadata.globalBuffer(file, buffer));
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(file.path(), -1, "unreadable partitions", e);
    }
  }

  /** Adds what {@code auxiliary.idx} says of itself. */
  public static void describeCodes(
      LanceFileWriter file, Metric metric, QuantizerMetadata quantization, int[] lengths) {
    IVF partitions = PartitionRanges.ofLengths(lengths).message().build();
    int buffer = file.addGlobalBuffer(partitions.toByteString().asReadOnlyByteBuffer());
    Tensor tensor = quantization.tensor();
    int tensorBuffer =
        tensor == null ? 0 : file.addGlobalBuffer(tensor.toByteString().asReadOnlyByteBuffer());
    file.addMetadata(METRIC, metric.toString());
    file.addMetadata(IVF_BUFFER, String.valueOf(buffer));
    file.addMetadata(STORAGE, MetadataJson.array(List.of(quantization.json(tensorBuffer))));
    file.addMetadata(SegmentWriter.LIVE_ROWS, "true");
  }

  /**
   * Adds what {@code index.idx} says of itself.
   *
   * @param lengths the rows of each partition's graph; 0 without graphs
   * @param subIndices the metadata of each partition's graph, or nothing
   */
  public static void describeGraphs(
      LanceFileWriter file,
      VectorIndexType type,
      Metric metric,
      Centroids centroids,
      int[] lengths,
      double loss,
      List<String> subIndices) {
    IVF partitions =
        PartitionRanges.ofLengths(lengths)
            .message()
            .setCentroidsTensor(centroids.message())
            .setLoss(loss)
            .build();
    int buffer = file.addGlobalBuffer(partitions.toByteString().asReadOnlyByteBuffer());
    file.addMetadata(IVF_BUFFER, String.valueOf(buffer));
    file.addMetadata(
        INDEX, "{\"type\":\"" + type.name() + "\",\"distance_type\":\"" + metric + "\"}");
    file.addMetadata(type.hasGraph() ? HNSW : FLAT, MetadataJson.array(subIndices));
  }
}
