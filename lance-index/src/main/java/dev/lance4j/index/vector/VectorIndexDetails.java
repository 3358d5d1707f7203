package dev.lance4j.index.vector;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.index.IndexProto;
import dev.lance4j.format.proto.index.IndexProto.VectorMetricType;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexMetadata;
import java.util.Optional;

/**
 * What a table records about the segments of a vector index, so that nobody needs to open them to
 * know their kind.
 *
 * @param type the kind of index
 * @param metric what its distances are
 */
public record VectorIndexDetails(VectorIndexType type, Metric metric) {
  private static final String TYPE_URL = "/lance.index.pb.VectorIndexDetails";
  private static final String NAME = "VectorIndexDetails";
  private static final int MAX_VERSION = 2;

  /** What tables record of an index that is built so. */
  public static IndexDetails of(VectorIndexSpec spec, int dimension) {
    IndexProto.VectorIndexDetails.Builder message =
        IndexProto.VectorIndexDetails.newBuilder()
            .setMetricType(
                switch (spec.metric()) {
                  case L2 -> VectorMetricType.L2;
                  case COSINE -> VectorMetricType.Cosine;
                  case DOT -> VectorMetricType.Dot;
                  case HAMMING -> VectorMetricType.Hamming;
                })
            .setTargetPartitionSize(spec.targetPartitionRows());
    if (spec.type().hasGraph()) {
      message
          .getHnswIndexConfigBuilder()
          .setMaxConnections(spec.maxConnections())
          .setConstructionEf(spec.constructionEf())
          .setMaxLevel(spec.maxLevel());
    }
    switch (spec.type().quantization()) {
      case FLAT -> message.getFlatBuilder();
      case SCALAR -> message.getSqBuilder().setNumBits(spec.bits());
      case PRODUCT ->
          message
              .getPqBuilder()
              .setNumBits(spec.bits())
              .setNumSubVectors(spec.subVectorsFor(dimension));
      case RABIT -> message.getRqBuilder().setNumBits(spec.bits());
    }
    return new IndexDetails(TYPE_URL, message.build().toByteString());
  }

  /** The version of the format that tables record for segments of a kind. */
  public static int formatVersion(VectorIndexType type) {
    return type == VectorIndexType.IVF_RQ ? 2 : 1;
  }

  /** Whether a segment's format is none of a later release. */
  public static boolean canRead(IndexMetadata segment) {
    int version = segment.indexVersion().orElse(0);
    return version >= 0 && version <= MAX_VERSION;
  }

  /** Whether details are those of a vector index, known or not. */
  public static boolean areOfVectors(IndexDetails details) {
    return details.is(NAME);
  }

  /**
   * Reads what a table records.
   *
   * @param path of the manifest, for errors
   * @return nothing if an early writer recorded no more than that there is a vector index
   * @throws CorruptFileException if the details are damaged
   */
  public static Optional<VectorIndexDetails> read(IndexDetails details, String path) {
    if (!details.is(NAME) || details.value().isEmpty()) {
      return Optional.empty();
    }
    IndexProto.VectorIndexDetails message;
    try {
      message = IndexProto.VectorIndexDetails.parseFrom(details.value());
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(path, -1, "unreadable details of a vector index", e);
    }
    Metric metric =
        switch (message.getMetricType()) {
          case L2 -> Metric.L2;
          case Cosine -> Metric.COSINE;
          case Dot -> Metric.DOT;
          case Hamming -> Metric.HAMMING;
          case UNRECOGNIZED ->
              throw new CorruptFileException(
                  path, -1, "a vector index has metric " + message.getMetricTypeValue());
        };
    boolean graph = message.hasHnswIndexConfig();
    return switch (message.getCompressionCase()) {
      case PQ -> known(graph ? VectorIndexType.IVF_HNSW_PQ : VectorIndexType.IVF_PQ, metric);
      case SQ -> known(graph ? VectorIndexType.IVF_HNSW_SQ : VectorIndexType.IVF_SQ, metric);
      case RQ -> known(VectorIndexType.IVF_RQ, metric);
      case FLAT -> known(graph ? VectorIndexType.IVF_HNSW_FLAT : VectorIndexType.IVF_FLAT, metric);
      case COMPRESSION_NOT_SET -> Optional.empty();
    };
  }

  private static Optional<VectorIndexDetails> known(VectorIndexType type, Metric metric) {
    return Optional.of(new VectorIndexDetails(type, metric));
  }
}
