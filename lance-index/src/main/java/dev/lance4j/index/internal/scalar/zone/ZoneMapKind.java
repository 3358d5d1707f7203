package dev.lance4j.index.internal.scalar.zone;

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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
  public ScalarIndexSpec settings(SegmentFiles files) {
    return ScalarIndexSpec.zoneMap().withRowsPerZone(ZoneMapFile.rowsPerZone(files));
  }

  @Override
  public void write(SegmentInput input, ScalarIndexSpec spec, SegmentWriter out) {
    Field values = FlatColumns.values(input.field());
    int rowsPerZone = ((ScalarIndexSpec.ZoneMap) spec).rowsPerZone();
    List<ZoneValues> zones = new ArrayList<>();
    for (SegmentInput.Old old : input.old()) {
      ZoneMapFile.read(old.files(), values, input.allocator()).zones().stream()
          .filter(zone -> old.fragments().contains((int) zone.zone().fragmentId()))
          .forEach(zones::add);
    }
    ZoneMapBuilder builder = new ZoneMapBuilder(values);
    Zones.cut(input.rows(), rowsPerZone, builder);
    zones.addAll(builder.zones());
    zones.sort(Comparator.comparing(ZoneValues::zone));
    new ZoneMapFile(rowsPerZone, zones).write(values, out);
  }

  @Override
  public <S extends RowSet<S>> ScalarSegment<S> open(
      SegmentFiles files, RowDomain<S> rows, BufferAllocator allocator) {
    Field values = FlatColumns.values(files.field());
    ZoneMapFile file = ZoneMapFile.read(files, values, allocator);
    return new ZoneMapSegment<>(files.metadata(), file, values, rows);
  }
}
