package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.scalar.FlatColumns;
import dev.lance4j.index.internal.scalar.ScalarKind;
import dev.lance4j.index.internal.scalar.ScalarSegment;
import dev.lance4j.index.internal.scalar.Support;
import dev.lance4j.index.internal.segment.RowNumbers;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Indices of a Bloom filter of the values of each stretch of rows. */
public final class BloomFilterKind implements ScalarKind {
  @Override
  public String name() {
    return "bloomfilter";
  }

  @Override
  public String displayName() {
    return "BloomFilter";
  }

  @Override
  public String typeUrl() {
    return "/lance.index.pb.BloomFilterIndexDetails";
  }

  @Override
  public int version() {
    return 0;
  }

  @Override
  public int maxVersion() {
    return 0;
  }

  @Override
  public boolean builds(ScalarIndexSpec spec) {
    return spec instanceof ScalarIndexSpec.BloomFilter;
  }

  @Override
  public void check(LanceField field) {
    FlatColumns.check(field, "A bloom filter");
    if (!hashes(FlatColumns.values(field).getType())) {
      throw new InvalidInputException(
          "A bloom filter index cannot be created on field '"
              + field.name()
              + "' of type "
              + field.logicalType()
              + ": choose a field of integers, floats, doubles, dates, times, timestamps, text or"
              + " binary");
    }
  }

  private static boolean hashes(ArrowType type) {
    return switch (type.getTypeID()) {
      case Int, Utf8, LargeUtf8, Binary, LargeBinary, Date, Time, Timestamp -> true;
      case FloatingPoint ->
          ((ArrowType.FloatingPoint) type).getPrecision() != FloatingPointPrecision.HALF;
      default -> false;
    };
  }

  @Override
  public RowNumbers numbers() {
    return RowNumbers.ADDRESSES;
  }

  @Override
  public boolean isRemappable() {
    return false;
  }

  @Override
  public Support support(ScalarQuery query, SegmentFiles files) {
    boolean answers =
        query instanceof ScalarQuery.Equals
            || query instanceof ScalarQuery.In
            || query instanceof ScalarQuery.IsNull;
    return answers ? Support.CANDIDATES : Support.NONE;
  }

  @Override
  public ScalarIndexSpec settings(SegmentFiles files) {
    try (LanceFileReader file = BloomFilterFile.open(files)) {
      return BloomFilterFile.settings(file);
    }
  }

  @Override
  public void write(SegmentInput input, ScalarIndexSpec spec, SegmentWriter out) {
    ScalarIndexSpec.BloomFilter settings = (ScalarIndexSpec.BloomFilter) spec;
    out.write(BloomFilterFile.NAME, BloomFilterFile.SCHEMA, file -> write(input, settings, file));
  }

  private static void write(
      SegmentInput input, ScalarIndexSpec.BloomFilter settings, LanceFileWriter file) {
    BloomFilterFile.Writer writer = new BloomFilterFile.Writer(file, input.allocator());
    for (SegmentInput.Old old : input.old()) {
      copy(old, input.allocator(), writer);
    }
    Field values = FlatColumns.values(input.field());
    int bytes = FilterSize.bytes(settings.rowsPerZone(), settings.probability());
    Zones.cut(
        input.rows(), settings.rowsPerZone(), new BloomFilterBuilder(values, bytes, writer::add));
    writer.finish(settings);
  }

  private static void copy(
      SegmentInput.Old old, BufferAllocator allocator, BloomFilterFile.Writer writer) {
    try (LanceFileReader file = BloomFilterFile.open(old.files())) {
      BloomFilterFile.read(
          file,
          0,
          file.rowCount(),
          allocator,
          zone -> {
            if (old.fragments().contains((int) zone.zone().fragmentId())) {
              writer.add(zone);
            }
          });
    }
  }

  @Override
  public <S extends RowSet<S>> ScalarSegment<S> open(
      SegmentFiles files, RowDomain<S> rows, BufferAllocator allocator) {
    return BloomFilterSegment.open(files, rows, allocator);
  }
}
