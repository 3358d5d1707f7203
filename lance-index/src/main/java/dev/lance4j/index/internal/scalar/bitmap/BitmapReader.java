package dev.lance4j.index.internal.scalar.bitmap;

import dev.lance4j.format.FileScan;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.index.internal.segment.FileBatches;
import dev.lance4j.index.internal.segment.SegmentFiles;
import dev.lance4j.index.internal.segment.Sources;
import dev.lance4j.rowid.RowDomain;
import dev.lance4j.rowid.RowSet;
import dev.lance4j.table.Session;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads the rows of keys when they are asked for, and keeps them in the session. Safe for use by
 * many threads.
 */
final class BitmapReader<S extends RowSet<S>> {
  // More are as quickly read as found one by one.
  private static final int MAX_KEPT = 256;
  private static final long SET_BYTES = 64;

  private final SegmentFiles files;
  private final LanceFileReader file;
  private final RowDomain<S> domain;

  BitmapReader(SegmentFiles files, LanceFileReader file, RowDomain<S> domain) {
    this.files = files;
    this.file = file;
    this.domain = domain;
  }

  private record Key(ObjectStore store, String path, RowDomain<?> domain, int position) {}

  /** The rows of the keys at some positions of the file together; must not be changed. */
  S rows(int[] positions, BufferAllocator allocator) {
    if (positions.length == 0) {
      return domain.empty();
    }
    if (positions.length == 1) {
      return kept(positions[0], allocator);
    }
    RowSet.Builder<S> all = domain.builder();
    if (positions.length <= MAX_KEPT) {
      for (int position : positions) {
        all.addAll(kept(position, allocator));
      }
    } else {
      read(sorted(positions), all, allocator);
    }
    return all.build();
  }

  private static int[] sorted(int[] positions) {
    int[] sorted = positions.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  private S kept(int position, BufferAllocator allocator) {
    Key key = new Key(files.location().store(), file.path(), domain, position);
    ToLongFunction<Sized<S>> weight = Sized::bytes;
    Optional<Session.Lease<Sized<S>>> known = files.session().acquireIfPresent(key);
    try (Session.Lease<Sized<S>> lease =
        known.orElseGet(
            () -> files.session().acquire(key, () -> read(position, allocator), weight))) {
      return lease.value().rows();
    }
  }

  private record Sized<S>(S rows, long bytes) {}

  private Sized<S> read(int position, BufferAllocator allocator) {
    RowSet.Builder<S> rows = domain.builder();
    long bytes = read(new int[] {position}, rows, allocator);
    return new Sized<>(rows.build(), bytes + SET_BYTES);
  }

  /** Adds the rows at some positions; the number of bytes that they take in the file. */
  private long read(int[] positions, RowSet.Builder<S> into, BufferAllocator allocator) {
    long[] wanted = Arrays.stream(positions).asLongStream().toArray();
    FileScan scan = BitmapFile.scan(file, BitmapFile.BITMAPS).rows(wanted);
    StoredRows<S> stored = new StoredRows<>(domain, file.path());
    LongAdder bytes = new LongAdder();
    try (FileBatches batches = new FileBatches(file, scan, allocator)) {
      Sources.forEach(
          batches,
          batch -> {
            ArrayData bitmaps = batch.arrays().get(0);
            bytes.add(bitmaps.bytes());
            for (int i = 0; i < batch.rows(); i++) {
              into.addAll(stored.parse(bitmaps, i));
            }
          });
    }
    return bytes.sum();
  }
}
