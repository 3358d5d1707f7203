package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.scalar.FlatColumns;
import dev.lance4j.index.internal.scalar.ScalarKind;
import dev.lance4j.index.internal.scalar.ScalarSegment;
import dev.lance4j.index.internal.scalar.Support;
import dev.lance4j.index.internal.segment.IndexedRows;
import dev.lance4j.index.internal.segment.RowNumbers;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.SegmentInput;
import dev.lance4j.index.internal.segment.SegmentWriter;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Indices of the least and greatest value of each stretch of rows. */
public final class ZoneMapKind implements ScalarKind {
  @Override
  public String name() {
    return "zonemap";
  }

  @Override
  public String displayName() {
    return "ZoneMap";
  }

  @Override
  public String typeUrl() {
    return "/lance.table.ZoneMapIndexDetails";
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
    return spec instanceof ScalarIndexSpec.ZoneMap;
  }

  @Override
  public void check(LanceField field) {
    FlatColumns.check(field, "A zone map");
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
    boolean ofLists = query instanceof ScalarQuery.HasAny || query instanceof ScalarQuery.HasAll;
    return ofLists ? Support.NONE : Support.CANDIDATES;
  }

  @Override
  public void write(SegmentInput input, Optional<ScalarIndexSpec> spec, SegmentWriter out) {
    Field valueField = input.valueField();
    List<ZoneValues> zones = new ArrayList<>();
    OptionalInt rowsPerZone = rowsPerZone(spec);
    for (SegmentInput.Old old : input.old()) {
      ZoneMapFile file = ZoneMapFile.read(old.files(), valueField, input.allocator());
      rowsPerZone = rowsPerZone.isPresent() ? rowsPerZone : OptionalInt.of(file.rowsPerZone());
      file.zones().stream()
          .filter(zone -> old.fragments().contains((int) zone.zone().fragmentId()))
          .forEach(zones::add);
    }
    ZoneMapBuilder builder = new ZoneMapBuilder(valueField);
    Zones.cut(input.rows(), rowsPerZone.orElseThrow(), builder);
    zones.addAll(builder.zones());
    zones.sort(Comparator.comparing(ZoneValues::zone));
    new ZoneMapFile(rowsPerZone.orElseThrow(), zones).write(valueField, out);
  }

  private static OptionalInt rowsPerZone(Optional<ScalarIndexSpec> spec) {
    return spec.isPresent() && spec.get() instanceof ScalarIndexSpec.ZoneMap zoneMap
        ? OptionalInt.of(zoneMap.rowsPerZone())
        : OptionalInt.empty();
  }

  @Override
  public <S extends RowSet<S>> ScalarSegment<S> open(
      SegmentFiles files, RowDomain<S> rows, BufferAllocator allocator) {
    Field valueField = IndexedRows.valueField(files.field());
    ZoneMapFile file = ZoneMapFile.read(files, valueField, allocator);
    return new ZoneMapSegment<>(file, valueField, rows);
  }
}
