package dev.lance4j.index.vector.internal.storage;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.VectorIndexType.Quantization;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** An open {@code auxiliary.idx}: row ids and codes, partition after partition. */
public final class CodeFile implements AutoCloseable {
  /** The name of the file in a segment's directory. */
  public static final String NAME = "auxiliary.idx";

  /** The column of row ids. */
  public static final String ROW_ID = "_rowid";

  /** What is added to the estimate of a row, in RaBit quantization. */
  public static final String ADDED = "__add_factors";

  /** What the estimate of a row is multiplied with, in RaBit quantization. */
  public static final String SCALE = "__scale_factors";

  private static final int BATCH_BYTES = 4 << 20;

  private final LanceFileReader file;
  private final Metric metric;
  private final PartitionRanges ranges;
  private final QuantizerMetadata quantization;
  private final String codeColumn;

  private CodeFile(LanceFileReader file, Quantization kind) {
    this.file = file;
    String path = file.path();
    this.metric = Metric.parse(FileMetadata.require(file, FileMetadata.METRIC));
    this.ranges = PartitionRanges.read(FileMetadata.partitions(file), file.rowCount(), path);
    List<String> storage =
        MetadataJson.parse(
                FileMetadata.require(file, FileMetadata.STORAGE), FileMetadata.STORAGE, path)
            .strings();
    if (storage.size() != 1) {
      throw new CorruptFileException(
          path, -1, FileMetadata.STORAGE + " has " + storage.size() + " entries instead of 1");
    }
    this.codeColumn = codeColumn(kind);
    Field codes = field(codeColumn);
    boolean isList =
        codes.getType() instanceof ArrowType.FixedSizeList && codes.getChildren().size() == 1;
    if (!isList) {
      throw new CorruptFileException(path, -1, "the column " + codeColumn + " is no vector");
    }
    VectorElement element = VectorElement.of(codes.getChildren().get(0));
    this.quantization = QuantizerMetadata.read(kind, storage.get(0), element, file);
    int size = ((ArrowType.FixedSizeList) codes.getType()).getListSize();
    if ((long) size * element.bytes() != quantization.quantizer().codeBytes()
        || (kind != Quantization.FLAT && element != VectorElement.UINT8)) {
      throw new CorruptFileException(
          path,
          -1,
          String.format(
              "the column %s has %d values of %s where codes of %d bytes are expected",
              codeColumn, size, element, quantization.quantizer().codeBytes()));
    }
  }

  /** The column that holds the codes. */
  public static String codeColumn(Quantization kind) {
    return switch (kind) {
      case FLAT -> "flat";
      case SCALAR -> "__sq_code";
      case PRODUCT -> "__pq_code";
      case RABIT -> "_rabit_codes";
    };
  }

  private Field field(String name) {
    for (Field field : file.schema().toArrow().getFields()) {
      if (field.getName().equals(name)) {
        return field;
      }
    }
    throw new CorruptFileException(file.path(), -1, "there is no column " + name);
  }

  /** Opens the file of a segment. */
  public static CodeFile open(ObjectStore store, String directory, Quantization kind) {
    LanceFileReader file = LanceFileReader.open(store, directory + "/" + NAME);
    try {
      return new CodeFile(file, kind);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  public String path() {
    return file.path();
  }

  public Metric metric() {
    return metric;
  }

  public PartitionRanges ranges() {
    return ranges;
  }

  public QuantizerMetadata quantization() {
    return quantization;
  }

  /** The size of the file in bytes. */
  public long size() {
    return file.size();
  }

  /** The column that holds the codes. */
  public String codeColumn() {
    return codeColumn;
  }

  /**
   * Starts reading the rows of a partition that has some.
   *
   * @param columns which to read
   */
  public ArrowReader read(int partition, BufferAllocator allocator, String... columns) {
    long first = ranges.offsets()[partition];
    int rowBytes = Long.BYTES + quantization.quantizer().codeBytes();
    return file.scan()
        .select(columns)
        .range(first, first + ranges.lengths()[partition])
        .batchSize(Math.max(1, BATCH_BYTES / rowBytes))
        .open(allocator);
  }

  @Override
  public void close() {
    file.close();
  }
}
