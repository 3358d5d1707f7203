package dev.lance4j.format.testing;

import dev.lance4j.format.store.ByteRange;
import dev.lance4j.format.store.ObjectInfo;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Fails, dawdles or cuts short on demand. Safe for use by many threads. */
public final class FaultyObjectStore extends ForwardingObjectStore {
  /** What goes wrong. */
  public enum Fault {
    /** An I/O error, and nothing has happened in the store. */
    ERROR_BEFORE,
    /** An I/O error although the store has done what was asked, as when an answer is lost. */
    ERROR_AFTER,
    /** The call takes longer. */
    SLOW,
    /** A read gives zeros for the second half of each range; only for {@link StoreCall#READ}. */
    TRUNCATED
  }

  /** Which calls a fault hits. */
  private static final class Rule {
    final Fault fault;
    final Set<StoreCall> kinds;
    final Predicate<String> paths;
    final long first;
    final long count;
    final Duration delay;
    final AtomicLong seen = new AtomicLong();

    Rule(
        Fault fault,
        Set<StoreCall> kinds,
        Predicate<String> paths,
        long first,
        long count,
        Duration delay) {
      this.fault = fault;
      this.kinds = kinds;
      this.paths = paths;
      this.first = first;
      this.count = count;
      this.delay = delay;
    }

    boolean hits(StoreCall kind, String path) {
      if (!kinds.contains(kind) || !paths.test(path)) {
        return false;
      }
      long call = seen.incrementAndGet();
      return call >= first && call - first < count;
    }
  }

  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final AtomicLong errors = new AtomicLong();

  public FaultyObjectStore(ObjectStore store) {
    super(store);
  }

  /**
   * Lets one call fail.
   *
   * @param n which of the calls of this kind from now on, from 1
   */
  public FaultyObjectStore failNth(Fault fault, StoreCall kind, long n) {
    return fail(fault, kind, path -> true, n, 1);
  }

  /**
   * Lets a run of calls fail.
   *
   * @param paths which objects' calls count
   * @param first the first of those calls to fail, from 1
   * @param count how many fail from there on
   */
  public FaultyObjectStore fail(
      Fault fault, StoreCall kind, Predicate<String> paths, long first, long count) {
    if (fault == Fault.TRUNCATED && kind != StoreCall.READ) {
      throw new IllegalArgumentException("Only reads can be truncated, not " + kind);
    }
    rules.add(new Rule(fault, EnumSet.of(kind), paths, first, count, Duration.ZERO));
    return this;
  }

  /**
   * Lets one call fail, of whatever kind it is.
   *
   * @param fault one that every call can meet
   * @param n which of the calls from now on, from 1
   */
  public FaultyObjectStore failNth(Fault fault, long n) {
    if (fault == Fault.TRUNCATED) {
      throw new IllegalArgumentException("Only reads can be truncated");
    }
    rules.add(new Rule(fault, EnumSet.allOf(StoreCall.class), path -> true, n, 1, Duration.ZERO));
    return this;
  }

  /** How many calls failed so far. */
  public long failures() {
    return errors.get();
  }

  /** Lets every call take at least this much longer. */
  public FaultyObjectStore slow(Duration delay) {
    rules.add(
        new Rule(
            Fault.SLOW, EnumSet.allOf(StoreCall.class), path -> true, 1, Long.MAX_VALUE, delay));
    return this;
  }

  /** Behaves from now on. */
  public void heal() {
    rules.clear();
  }

  private <T> T call(StoreCall kind, String path, Supplier<T> effect) {
    Set<Fault> faults = EnumSet.noneOf(Fault.class);
    for (Rule rule : rules) {
      if (rule.hits(kind, path)) {
        faults.add(rule.fault);
        errors.addAndGet(rule.fault == Fault.SLOW ? 0 : 1);
        sleep(rule.delay);
      }
    }
    if (faults.contains(Fault.ERROR_BEFORE)) {
      throw injected(kind, path);
    }
    T result = effect.get();
    if (faults.contains(Fault.ERROR_AFTER)) {
      throw injected(kind, path);
    }
    if (faults.contains(Fault.TRUNCATED)) {
      truncate(result);
    }
    return result;
  }

  private static void sleep(Duration delay) {
    try {
      Thread.sleep(delay.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static UncheckedIOException injected(StoreCall kind, String path) {
    return new UncheckedIOException(new IOException("Injected fault: " + kind + " of " + path));
  }

  private static void truncate(Object buffers) {
    for (Object buffer : (List<?>) buffers) {
      ByteBuffer bytes = (ByteBuffer) buffer;
      for (int i = bytes.capacity() / 2; i < bytes.capacity(); i++) {
        bytes.put(i, (byte) 0);
      }
    }
  }

  private void run(StoreCall kind, String path, Runnable effect) {
    call(
        kind,
        path,
        () -> {
          effect.run();
          return null;
        });
  }

  @Override
  public ObjectReader open(String path) {
    return new FaultyReader(call(StoreCall.OPEN, path, () -> store.open(path)));
  }

  @Override
  public ObjectReader open(String path, long size) {
    return new FaultyReader(call(StoreCall.OPEN, path, () -> store.open(path, size)));
  }

  @Override
  public ObjectInfo stat(String path) {
    return call(StoreCall.STAT, path, () -> store.stat(path));
  }

  @Override
  public boolean exists(String path) {
    return call(StoreCall.EXISTS, path, () -> store.exists(path));
  }

  @Override
  public ObjectWriter create(String path) {
    return new FaultyWriter(store.create(path));
  }

  @Override
  public boolean putIfAbsent(String path, ByteBuffer content) {
    return call(StoreCall.PUT_IF_ABSENT, path, () -> store.putIfAbsent(path, content));
  }

  @Override
  public void delete(String path) {
    run(StoreCall.DELETE, path, () -> store.delete(path));
  }

  @Override
  public void list(String directory, Predicate<String> visitor) {
    run(StoreCall.LIST, directory, () -> store.list(directory, visitor));
  }

  @Override
  public void walk(String directory, Consumer<ObjectInfo> visitor) {
    run(StoreCall.WALK, directory, () -> store.walk(directory, visitor));
  }

  private final class FaultyReader extends ForwardingReader {
    FaultyReader(ObjectReader reader) {
      super(reader);
    }

    @Override
    public ByteBuffer read(long offset, int length) {
      return read(List.of(new ByteRange(offset, length))).get(0);
    }

    @Override
    public List<ByteBuffer> read(List<ByteRange> ranges) {
      return call(StoreCall.READ, path(), () -> copies(reader.read(ranges)));
    }

    // So that damage done here does not reach the store.
    private List<ByteBuffer> copies(List<ByteBuffer> buffers) {
      List<ByteBuffer> copies = new ArrayList<>();
      for (ByteBuffer buffer : buffers) {
        ByteBuffer copy = ByteBuffer.allocate(buffer.remaining()).order(ByteOrder.LITTLE_ENDIAN);
        copies.add(copy.put(buffer).flip());
      }
      return copies;
    }
  }

  private final class FaultyWriter extends ForwardingWriter {
    FaultyWriter(ObjectWriter writer) {
      super(writer);
    }

    @Override
    public void commit() {
      run(StoreCall.PUT, path(), writer::commit);
    }
  }
}
