package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.hash.XxHash64;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.internal.query.Guarantee;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.query.SegmentAnswer;
import dev.lance4j.index.internal.scalar.ScalarSegment;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.apache.arrow.memory.BufferAllocator;
import org.roaringbitmap.RoaringBitmap;

/**
 * An open Bloom filter index. The filters, which may be larger than memory, are read in portions
 * that the session keeps as long as it has room.
 */
final class BloomFilterSegment<S extends RowSet<S>> implements ScalarSegment<S> {
  private static final long ZONE_BYTES = 96;

  private final SegmentFiles files;
  private final LanceFileReader file;
  private final RowDomain<S> addresses;
  private final ScalarIndexSpec.BloomFilter settings;
  private final ZoneCoverage coverage;

  private BloomFilterSegment(
      SegmentFiles files,
      LanceFileReader file,
      RowDomain<S> addresses,
      ScalarIndexSpec.BloomFilter settings) {
    this.files = files;
    this.file = file;
    this.addresses = addresses;
    this.settings = settings;
    this.coverage = new ZoneCoverage(files.metadata());
  }

  static <S extends RowSet<S>> BloomFilterSegment<S> open(
      SegmentFiles files, RowDomain<S> addresses, BufferAllocator allocator) {
    LanceFileReader file = BloomFilterFile.open(files);
    boolean complete = false;
    try {
      BloomFilterSegment<S> segment =
          new BloomFilterSegment<>(files, file, addresses, BloomFilterFile.settings(file));
      for (int portion = 0; portion < segment.portions(); portion++) {
        for (BloomZone zone : segment.zones(portion, allocator)) {
          segment.coverage.add(zone.zone());
        }
      }
      complete = true;
      return segment;
    } finally {
      if (!complete) {
        file.close();
      }
    }
  }

  private record Key(ObjectStore store, String path, int portion) {}

  private int portions() {
    int size = BloomFilterFile.batchZones(file);
    return (int) ((file.rowCount() + size - 1) / size);
  }

  private List<BloomZone> zones(int portion, BufferAllocator allocator) {
    Key key = new Key(files.location().store(), file.path(), portion);
    ToLongFunction<List<BloomZone>> weight = BloomFilterSegment::bytes;
    try (Session.Lease<List<BloomZone>> lease =
        files.session().acquire(key, () -> read(portion, allocator), weight)) {
      return lease.value();
    }
  }

  private List<BloomZone> read(int portion, BufferAllocator allocator) {
    long size = BloomFilterFile.batchZones(file);
    long from = portion * size;
    List<BloomZone> zones = new ArrayList<>();
    BloomFilterFile.read(file, from, Math.min(file.rowCount(), from + size), allocator, zones::add);
    return zones;
  }

  private static long bytes(List<BloomZone> zones) {
    long bytes = 0;
    for (BloomZone zone : zones) {
      bytes += ZONE_BYTES + zone.filter().bytes().length;
    }
    return bytes;
  }

  @Override
  public SegmentAnswer<S> search(ScalarQuery query, BufferAllocator allocator) {
    boolean forNull = query instanceof ScalarQuery.IsNull;
    long[] hashes = forNull ? new long[0] : hashes(query);
    RowSet.Builder<S> rows = addresses.builder();
    for (int portion = 0; portion < portions(); portion++) {
      for (BloomZone zone : zones(portion, allocator)) {
        if (forNull ? zone.hasNull() : mayHaveAny(zone.filter(), hashes)) {
          zone.zone().addTo(rows);
        }
      }
    }
    return new SegmentAnswer<>(Guarantee.AT_MOST, rows.build(), addresses.empty());
  }

  private static long[] hashes(ScalarQuery query) {
    if (query instanceof ScalarQuery.Equals equals) {
      return new long[] {hash(equals.value())};
    }
    if (query instanceof ScalarQuery.In in) {
      return in.values().stream().mapToLong(BloomFilterSegment::hash).toArray();
    }
    throw new IllegalArgumentException("a Bloom filter index cannot answer " + query);
  }

  private static long hash(ScalarValue value) {
    return XxHash64.hash(value.bytes(), 0, value.bytes().length);
  }

  private static boolean mayHaveAny(SplitBlockFilter filter, long[] hashes) {
    for (long hash : hashes) {
      if (filter.mayHave(hash)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public RoaringBitmap answersFor(RoaringBitmap claimed, IntPredicate hasDeletions) {
    return coverage.answersFor(claimed, hasDeletions);
  }

  @Override
  public Map<String, Object> statistics() {
    return Map.of(
        "type",
        "BloomFilter",
        "num_blocks",
        file.rowCount(),
        "number_of_items",
        settings.rowsPerZone(),
        "probability",
        settings.probability());
  }

  @Override
  public long memoryBytes() {
    return file.metadataBytes() + coverage.memoryBytes();
  }

  @Override
  public void close() {
    file.close();
  }
}
