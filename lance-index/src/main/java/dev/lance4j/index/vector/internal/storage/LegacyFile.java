package dev.lance4j.index.vector.internal.storage;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.proto.index.IndexProto.IVF;
import dev.lance4j.format.proto.index.IndexProto.Index;
import dev.lance4j.format.proto.index.IndexProto.PQ;
import dev.lance4j.format.proto.index.IndexProto.VectorIndex;
import dev.lance4j.format.proto.index.IndexProto.VectorIndexStage;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.index.vector.internal.quantize.CodeLayout;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;
import java.nio.ByteBuffer;
import java.util.OptionalDouble;

/**
 * An open {@code index.idx} of the legacy layout: for each partition its codes and then its row
 * ids, and after all a message that describes them. Only with product quantization.
 */
public final class LegacyFile implements AutoCloseable {
  private static final int FOOTER = 16;

  private final ObjectReader reader;
  private final SegmentModel model;
  private final long[] offsets;
  private final int[] lengths;

  private LegacyFile(ObjectReader reader) {
    this.reader = reader;
    VectorIndex index = index().getVectorIndex();
    IVF ivf = null;
    PQ pq = null;
    for (VectorIndexStage stage : index.getStagesList()) {
      switch (stage.getStageCase()) {
        case IVF -> ivf = stage.getIvf();
        case PQ -> pq = stage.getPq();
        case DISKANN -> throw unsupported("DiskANN support is removed");
        default -> throw unsupported("a stage " + stage.getStageCase() + " is not known");
      }
    }
    if (ivf == null || pq == null) {
      throw unsupported("it is no IVF_PQ index");
    }
    this.lengths = ivf.getLengthsList().stream().mapToInt(Integer::intValue).toArray();
    this.offsets = ivf.getOffsetsList().stream().mapToLong(Long::longValue).toArray();
    ProductQuantizer quantizer = quantizer(pq);
    checkRanges(quantizer.codeBytes());
    this.model =
        new SegmentModel(
            VectorIndexType.IVF_PQ,
            metric(index),
            Centroids.read(ivf, lengths.length, reader.path()),
            new QuantizerMetadata(quantizer, CodeLayout.ROWS),
            ivf.hasLoss() ? OptionalDouble.of(ivf.getLoss()) : OptionalDouble.empty());
    if (model.dimension() != quantizer.dimension()) {
      throw corrupt("the centroids and the codes are of different dimensions");
    }
  }

  /** Opens the file of a segment. */
  public static LegacyFile open(ObjectStore store, String directory) {
    ObjectReader reader = store.open(directory + "/" + GraphFile.NAME);
    try {
      return new LegacyFile(reader);
    } catch (RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  private Index index() {
    long size = reader.size();
    if (size < FOOTER + Integer.BYTES) {
      throw corrupt("the file is shorter than a footer");
    }
    long position = reader.read(size - FOOTER, FOOTER).getLong(0);
    if (position < 0 || position > size - FOOTER - Integer.BYTES) {
      throw corrupt("the description is said to be at " + position + ", outside the file");
    }
    int length = reader.read(position, Integer.BYTES).getInt(0);
    if (length < 0 || length > size - FOOTER - Integer.BYTES - position) {
      throw corrupt("the description of " + length + " bytes does not fit in the file");
    }
    try {
      return Index.parseFrom(reader.read(position + Integer.BYTES, length));
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(reader.path(), position, "unreadable description", e);
    }
  }

  @SuppressWarnings("deprecation") // early files have nothing else
  private ProductQuantizer quantizer(PQ pq) {
    float[] codebook;
    VectorElement element = VectorElement.FLOAT32;
    if (pq.hasCodebookTensor()) {
      element = Tensors.element(pq.getCodebookTensor(), reader.path());
      codebook = Tensors.floats(pq.getCodebookTensor(), reader.path()).values();
    } else {
      codebook = new float[pq.getCodebookCount()];
      for (int i = 0; i < codebook.length; i++) {
        codebook[i] = pq.getCodebook(i);
      }
    }
    try {
      return new ProductQuantizer(
          pq.getDimension(), pq.getNumSubVectors(), pq.getNumBits(), element, codebook);
    } catch (InvalidInputException e) {
      throw new CorruptFileException(reader.path(), -1, e.getMessage(), e);
    }
  }

  private Metric metric(VectorIndex index) {
    return switch (index.getMetricType()) {
      case L2 -> Metric.L2;
      case Cosine -> Metric.COSINE;
      case Dot -> Metric.DOT;
      default -> throw corrupt("the metric is " + index.getMetricTypeValue());
    };
  }

  private void checkRanges(int codeBytes) {
    if (offsets.length != lengths.length) {
      throw corrupt(lengths.length + " partitions have " + offsets.length + " offsets");
    }
    for (int p = 0; p < lengths.length; p++) {
      long bytes = (long) lengths[p] * (codeBytes + Long.BYTES);
      if (lengths[p] < 0 || offsets[p] < 0 || bytes > reader.size() - offsets[p]) {
        throw corrupt("partition " + p + " is not inside the file");
      }
    }
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(reader.path(), -1, problem);
  }

  private UnsupportedFormatException unsupported(String problem) {
    return new UnsupportedFormatException(
        reader.path() + " is a legacy index that is not supported, rebuild it: " + problem);
  }

  /** What the segment was trained to. */
  public SegmentModel model() {
    return model;
  }

  /** The number of rows of each partition. */
  public int[] lengths() {
    return lengths.clone();
  }

  /** The size of the file in bytes. */
  public long size() {
    return reader.size();
  }

  /** The codes of a partition, one after the other. */
  public ByteBuffer codes(int partition) {
    int bytes = codeBytes(partition);
    return reader.read(offsets[partition], bytes);
  }

  /** The row ids of a partition. */
  public ByteBuffer rowIds(int partition) {
    int bytes = Math.multiplyExact(lengths[partition], Long.BYTES);
    return reader.read(offsets[partition] + codeBytes(partition), bytes);
  }

  private int codeBytes(int partition) {
    return Math.multiplyExact(lengths[partition], model.quantization().quantizer().codeBytes());
  }

  @Override
  public void close() {
    reader.close();
  }
}
