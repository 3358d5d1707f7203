package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.LanceFileWriter;
import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.sort.ValueKeys;
import dev.lance4j.index.internal.segment.FileBatches;
import dev.lance4j.index.internal.segment.IndexFileSchema;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.index.internal.segment.Sources;
import dev.lance4j.index.internal.segment.StoredValues;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The content of the file of a zone map.
 *
 * @param rowsPerZone how many live rows each zone had when it was made
 * @param zones in the order of the file
 */
record ZoneMapFile(int rowsPerZone, List<ZoneValues> zones) {
  private static final String NAME = "zonemap.lance";
  private static final String ROWS_PER_ZONE = "rows_per_zone";
  private static final int DEFAULT_ROWS_PER_ZONE = 8192;
  private static final int BATCH_ZONES = 4096;
  private static final ArrowType U32 = new ArrowType.Int(32, false);
  private static final ArrowType U64 = new ArrowType.Int(64, false);

  private static Schema schema(Field valueField) {
    FieldType value = new FieldType(true, valueField.getType(), null);
    return new Schema(
        List.of(
            new Field("min", value, null),
            new Field("max", value, null),
            Field.notNullable("null_count", U32),
            Field.notNullable("nan_count", U32),
            Field.notNullable("fragment_id", U64),
            Field.notNullable("zone_start", U64),
            Field.notNullable("zone_length", U64)));
  }

  /**
   * Reads the file of a segment.
   *
   * @throws CorruptFileException if it is damaged
   */
  static ZoneMapFile read(SegmentFiles files, Field valueField, BufferAllocator allocator) {
    Schema schema = schema(valueField);
    try (LanceFileReader file = files.open(NAME)) {
      IndexFileSchema.check(file, schema, "ZoneMapIndex");
      int rowsPerZone = Zones.rowsPerZone(file, ROWS_PER_ZONE, DEFAULT_ROWS_PER_ZONE);
      List<ZoneValues> zones = new ArrayList<>();
      ValueKeys keys = ValueKeys.of(valueField);
      String[] columns = IndexFileSchema.names(schema);
      try (FileBatches batches = new FileBatches(file, file.scan().select(columns), allocator)) {
        Sources.forEach(
            batches,
            batch -> {
              for (int i = 0; i < batch.rows(); i++) {
                zones.add(zone(batch.arrays(), i, keys, file.path()));
              }
            });
      }
      return new ZoneMapFile(rowsPerZone, zones);
    }
  }

  /** How many live rows each zone of a segment had when it was made. */
  static int rowsPerZone(SegmentFiles files) {
    try (LanceFileReader file = files.open(NAME)) {
      return Zones.rowsPerZone(file, ROWS_PER_ZONE, DEFAULT_ROWS_PER_ZONE);
    }
  }

  private static ZoneValues zone(List<ArrayData> columns, int row, ValueKeys keys, String path) {
    ZoneRange range = zoneRange(columns.subList(4, 7), row, path);
    return new ZoneValues(
        range,
        value(columns.get(0), row, keys),
        value(columns.get(1), row, keys),
        unsigned(columns.get(2), row),
        unsigned(columns.get(3), row));
  }

  /** A zone of the columns that say where it is. */
  static ZoneRange zoneRange(List<ArrayData> columns, int row, String path) {
    long at = (long) row * Long.BYTES;
    return ZoneRange.checked(
        columns.get(0).buffer(1).getLong(at),
        columns.get(1).buffer(1).getLong(at),
        columns.get(2).buffer(1).getLong(at),
        path);
  }

  private static ZoneValues.Value value(ArrayData column, int row, ValueKeys keys) {
    return keys.isNull(column, row)
        ? null
        : new ZoneValues.Value(keys.key(column, row), keys.bytes(column, row));
  }

  private static long unsigned(ArrayData column, int row) {
    return Integer.toUnsignedLong(column.buffer(1).getInt((long) row * Integer.BYTES));
  }

  /** Writes the file of a segment. */
  void write(Field valueField, SegmentWriter out) {
    out.write(NAME, schema(valueField), file -> write(valueField, file, out.allocator()));
  }

  private void write(Field valueField, LanceFileWriter file, BufferAllocator allocator) {
    List<Field> fields = schema(valueField).getFields();
    for (int from = 0; from < zones.size(); from += BATCH_ZONES) {
      List<ZoneValues> some = zones.subList(from, Math.min(zones.size(), from + BATCH_ZONES));
      try (ArrayBatch batch = batch(fields, some, allocator)) {
        file.write(batch.arrays(), batch.rows());
      }
    }
    file.addMetadata(ROWS_PER_ZONE, Integer.toString(rowsPerZone));
  }

  private static ArrayBatch batch(
      List<Field> fields, List<ZoneValues> zones, BufferAllocator allocator) {
    List<List<byte[]>> columns = new ArrayList<>();
    fields.forEach(field -> columns.add(new ArrayList<>(zones.size())));
    for (ZoneValues zone : zones) {
      columns.get(0).add(zone.least() == null ? null : zone.least().bytes());
      columns.get(1).add(zone.greatest() == null ? null : zone.greatest().bytes());
      columns.get(2).add(StoredValues.number(zone.nulls(), Integer.BYTES));
      columns.get(3).add(StoredValues.number(zone.nans(), Integer.BYTES));
      columns.get(4).add(StoredValues.number(zone.zone().fragmentId(), Long.BYTES));
      columns.get(5).add(StoredValues.number(zone.zone().start(), Long.BYTES));
      columns.get(6).add(StoredValues.number(zone.zone().length(), Long.BYTES));
    }
    return StoredValues.batch(fields, columns, allocator);
  }
}
