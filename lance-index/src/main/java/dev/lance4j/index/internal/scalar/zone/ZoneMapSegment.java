package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.scalar.ScalarSegment;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.IndexMetadata;
import java.util.Map;
import java.util.function.IntPredicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.roaringbitmap.RoaringBitmap;

/** An open zone map. */
final class ZoneMapSegment<S extends RowSet<S>> implements ScalarSegment<S> {
  private static final long ZONE_BYTES = 160;

  private final ZoneMapFile file;
  private final RowDomain<S> addresses;
  private final ZoneMapFilter filter;
  private final ZoneCoverage coverage;

  ZoneMapSegment(
      IndexMetadata segment, ZoneMapFile file, Field valueField, RowDomain<S> addresses) {
    this.file = file;
    this.coverage = new ZoneCoverage(segment);
    file.zones().forEach(zone -> coverage.add(zone.zone()));
    this.addresses = addresses;
    this.filter = new ZoneMapFilter(FloatBits.of(valueField));
  }

  @Override
  public SegmentAnswer<S> search(ScalarQuery query, BufferAllocator allocator) {
    RowSet.Builder<S> rows = addresses.builder();
    for (ZoneValues zone : file.zones()) {
      if (filter.keeps(zone, query)) {
        zone.zone().addTo(rows);
      }
    }
    return new SegmentAnswer<>(Guarantee.AT_MOST, rows.build(), addresses.empty());
  }

  @Override
  public RoaringBitmap answersFor(RoaringBitmap claimed, IntPredicate hasDeletions) {
    return coverage.answersFor(claimed, hasDeletions);
  }

  @Override
  public Map<String, Object> statistics() {
    return Map.of("num_zones", file.zones().size(), "rows_per_zone", file.rowsPerZone());
  }

  @Override
  public long memoryBytes() {
    long bytes = coverage.memoryBytes();
    for (ZoneValues zone : file.zones()) {
      bytes += ZONE_BYTES + bytes(zone.least()) + bytes(zone.greatest());
    }
    return bytes;
  }

  private static long bytes(ZoneValues.Value value) {
    return value == null ? 0 : value.key().length + value.bytes().length;
  }

  @Override
  public void close() {}
}
