package dev.lance4j.format.testing;

import dev.lance4j.format.store.ByteRange;
import dev.lance4j.format.store.ObjectInfo;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectWriter;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Counts calls and bytes by kind. Safe for use by many threads. */
public final class CountingObjectStore extends ForwardingObjectStore {
  private static final class Counter {
    final LongAdder calls = new LongAdder();
    final LongAdder bytes = new LongAdder();
  }

  private final Map<StoreCall, Counter> counters = new EnumMap<>(StoreCall.class);

  public CountingObjectStore(ObjectStore store) {
    super(store);
    for (StoreCall kind : StoreCall.values()) {
      counters.put(kind, new Counter());
    }
  }

  /** The number of calls of a kind since the last {@link #reset}. */
  public long calls(StoreCall kind) {
    return counters.get(kind).calls.sum();
  }

  /** The number of calls of all kinds since the last {@link #reset}. */
  public long calls() {
    long sum = 0;
    for (StoreCall kind : StoreCall.values()) {
      sum += calls(kind);
    }
    return sum;
  }

  /** The bytes read by {@link StoreCall#READ} or written by the two kinds of put. */
  public long bytes(StoreCall kind) {
    return counters.get(kind).bytes.sum();
  }

  /** Starts again from zero. */
  public void reset() {
    for (Counter counter : counters.values()) {
      counter.calls.reset();
      counter.bytes.reset();
    }
  }

  private void count(StoreCall kind, long moved) {
    counters.get(kind).calls.increment();
    counters.get(kind).bytes.add(moved);
  }

  @Override
  public ObjectReader open(String path) {
    count(StoreCall.OPEN, 0);
    return new CountingReader(store.open(path));
  }

  @Override
  public ObjectReader open(String path, long size) {
    count(StoreCall.OPEN, 0);
    return new CountingReader(store.open(path, size));
  }

  @Override
  public ObjectInfo stat(String path) {
    count(StoreCall.STAT, 0);
    return store.stat(path);
  }

  @Override
  public boolean exists(String path) {
    count(StoreCall.EXISTS, 0);
    return store.exists(path);
  }

  @Override
  public ObjectWriter create(String path) {
    return new CountingWriter(store.create(path));
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer content) {
    count(StoreCall.PUT_IF_ABSENT, content.remaining());
    return store.putIfAbsent(path, content);
  }

  @Override
  public void delete(String path) {
    count(StoreCall.DELETE, 0);
    store.delete(path);
  }

  @Override
  public void list(String directory, Predicate<String> visitor) {
    count(StoreCall.LIST, 0);
    store.list(directory, visitor);
  }

  @Override
  public void walk(String directory, Consumer<ObjectInfo> visitor) {
    count(StoreCall.WALK, 0);
    store.walk(directory, visitor);
  }

  private final class CountingReader extends ForwardingReader {
    CountingReader(ObjectReader reader) {
      super(reader);
    }

    @Override
    public ByteBuffer read(long offset, int length) {
      count(StoreCall.READ, length);
      return reader.read(offset, length);
    }

    @Override
    public List<ByteBuffer> read(List<ByteRange> ranges) {
      count(StoreCall.READ, ranges.stream().mapToLong(ByteRange::length).sum());
      return reader.read(ranges);
    }
  }

  private final class CountingWriter extends ForwardingWriter {
    CountingWriter(ObjectWriter writer) {
      super(writer);
    }

    @Override
    public void commit() {
      count(StoreCall.PUT, position());
      writer.commit();
    }
  }
}
