package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileScan;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.ValueKeys;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.segment.FileBatches;
import dev.lance4j.index.internal.segment.IndexFileSchema;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.Sources;
import dev.lance4j.index.internal.segment.StoredValues;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The file of a Bloom filter index: a zone a row. */
final class BloomFilterFile {
  static final String NAME = "bloomfilter.lance";

  private static final String ITEMS = "bloomfilter_item";
  private static final String PROBABILITY = "bloomfilter_probability";
  private static final long BATCH_BYTES = 8L << 20;
  private static final int MAX_BATCH_ZONES = 4096;
  private static final ArrowType U64 = new ArrowType.Int(64, false);
  private static final Field FILTER =
      Field.notNullable("bloom_filter_data", ArrowType.Binary.INSTANCE);
  private static final Field HAS_NULL = Field.notNullable("has_null", ArrowType.Bool.INSTANCE);

  /** The schema of the file. */
  static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.notNullable("fragment_id", U64),
              Field.notNullable("zone_start", U64),
              Field.notNullable("zone_length", U64),
              HAS_NULL,
              FILTER));

  private BloomFilterFile() {}

  /**
   * Opens the file of a segment.
   *
   * @throws CorruptFileException if its columns are not those of the file
   */
  static LanceFileReader open(SegmentFiles files) {
    LanceFileReader file = files.open(NAME);
    boolean complete = false;
    try {
      IndexFileSchema.check(file, SCHEMA, "BloomFilterIndex");
      if (file.rowCount() > Integer.MAX_VALUE) {
        throw new CorruptFileException(
            file.path(), -1, "the index has " + file.rowCount() + " zones, which is too many");
      }
      complete = true;
      return file;
    } finally {
      if (!complete) {
        file.close();
      }
    }
  }

  /** The settings that a segment was built with. */
  static ScalarIndexSpec.BloomFilter settings(LanceFileReader file) {
    int rows = Zones.rowsPerZone(file, ITEMS, ScalarIndexSpec.BloomFilter.DEFAULT_ROWS_PER_ZONE);
    return new ScalarIndexSpec.BloomFilter(rows, probability(file));
  }

  private static double probability(LanceFileReader file) {
    String text = file.metadata().get(PROBABILITY);
    if (text == null) {
      return ScalarIndexSpec.BloomFilter.DEFAULT_PROBABILITY;
    }
    try {
      double probability = Double.parseDouble(text);
      if (probability >= 0 && probability < 1) {
        return probability;
      }
    } catch (NumberFormatException e) {
      throw noProbability(file, text, e);
    }
    throw noProbability(file, text, null);
  }

  private static CorruptFileException noProbability(
      LanceFileReader file, String text, RuntimeException cause) {
    return new CorruptFileException(
        file.path(),
        -1,
        "the metadata '" + PROBABILITY + "' is '" + text + "', no probability",
        cause);
  }

  /** How many zones to read at once. */
  static int batchZones(LanceFileReader file) {
    long zoneBytes = Math.max(1, file.size() / Math.max(1, file.rowCount()));
    return (int) Math.max(1, Math.min(MAX_BATCH_ZONES, BATCH_BYTES / zoneBytes));
  }

  /** Reads zones from one row to before another. */
  static void read(
      LanceFileReader file,
      long from,
      long to,
      BufferAllocator allocator,
      Consumer<BloomZone> use) {
    FileScan scan =
        file.scan()
            .select(IndexFileSchema.names(SCHEMA))
            .range(from, to)
            .batchSize(batchZones(file));
    ValueKeys bytes = ValueKeys.of(FILTER);
    ValueKeys flags = ValueKeys.of(HAS_NULL);
    try (FileBatches batches = new FileBatches(file, scan, allocator)) {
      Sources.forEach(
          batches,
          batch -> {
            for (int i = 0; i < batch.rows(); i++) {
              use.accept(zone(batch.arrays(), i, flags, bytes, file.path()));
            }
          });
    }
  }

  private static BloomZone zone(
      List<ArrayData> columns, int row, ValueKeys flags, ValueKeys bytes, String path) {
    if (bytes.isNull(columns.get(4), row) || flags.isNull(columns.get(3), row)) {
      throw new CorruptFileException(path, -1, "what is known of a zone is null");
    }
    return new BloomZone(
        ZoneMapFile.zoneRange(columns, row, path),
        flags.bytes(columns.get(3), row)[0] != 0,
        SplitBlockFilter.of(bytes.bytes(columns.get(4), row), path));
  }

  /** Writes zones. For use by one thread. */
  static final class Writer {
    private final LanceFileWriter file;
    private final BufferAllocator allocator;
    private final List<BloomZone> waiting = new ArrayList<>();
    private long bytes;

    Writer(LanceFileWriter file, BufferAllocator allocator) {
      this.file = file;
      this.allocator = allocator;
    }

    void add(BloomZone zone) {
      waiting.add(zone);
      bytes += zone.filter().bytes().length;
      if (bytes >= BATCH_BYTES || waiting.size() >= MAX_BATCH_ZONES) {
        flush();
      }
    }

    /** Writes what is left, and the settings. */
    void finish(ScalarIndexSpec.BloomFilter settings) {
      flush();
      file.addMetadata(ITEMS, Integer.toString(settings.rowsPerZone()));
      BigDecimal probability = BigDecimal.valueOf(settings.probability()).stripTrailingZeros();
      file.addMetadata(PROBABILITY, probability.toPlainString());
    }

    private void flush() {
      if (waiting.isEmpty()) {
        return;
      }
      List<List<byte[]>> columns = new ArrayList<>();
      SCHEMA.getFields().forEach(field -> columns.add(new ArrayList<>(waiting.size())));
      for (BloomZone zone : waiting) {
        columns.get(0).add(StoredValues.number(zone.zone().fragmentId(), Long.BYTES));
        columns.get(1).add(StoredValues.number(zone.zone().start(), Long.BYTES));
        columns.get(2).add(StoredValues.number(zone.zone().length(), Long.BYTES));
        columns.get(3).add(StoredValues.number(zone.hasNull() ? 1 : 0, 1));
        columns.get(4).add(zone.filter().bytes());
      }
      try (ArrayBatch batch = StoredValues.batch(SCHEMA.getFields(), columns, allocator)) {
        file.write(batch.arrays(), batch.rows());
      }
      waiting.clear();
      bytes = 0;
    }
  }
}
