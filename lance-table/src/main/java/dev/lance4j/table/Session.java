package dev.lance4j.table;

import dev.lance4j.format.InvalidInputException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What datasets keep in memory and share: open files and what was learnt from them. Holds up to a
 * number of bytes, and forgets what was not used for longest. Safe for use by many threads.
 */
public final class Session implements AutoCloseable {
  /** The default budget: 1 GiB. */
  public static final long DEFAULT_BUDGET_BYTES = 1L << 30;

  private final long budgetBytes;
  // Least recently used first. Guarded by this.
  private final Map<Object, Entry<?>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long usedBytes;
  private boolean closed;

  private Session(long budgetBytes) {
    this.budgetBytes = budgetBytes;
  }

  /** A session with the default budget. */
  public static Session create() {
    return create(DEFAULT_BUDGET_BYTES);
  }

  /**
   * A session.
   *
   * @param budgetBytes how much to keep; what is in use at the moment may exceed it
   */
  public static Session create(long budgetBytes) {
    if (budgetBytes < 0) {
      throw new InvalidInputException("The budget of a session must not be negative");
    }
    return new Session(budgetBytes);
  }

  /**
   * A value that is kept under a key, made when it is not there. It stays usable until the lease is
   * closed.
   *
   * @param key identifies the value among all; its class tells kinds apart
   * @param loader makes the value; called by one thread, while others wait for it
   * @param weight of the value in bytes
   */
  public <V> Lease<V> acquire(Object key, Supplier<V> loader, ToLongFunction<V> weight) {
    Entry<V> entry;
    boolean load = false;
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("the session is closed");
      }
      entry = entry(key);
      if (entry == null) {
        entry = new Entry<>(key);
        entries.put(key, entry);
        load = true;
      }
      entry.leases++;
    }
    if (load) {
      load(entry, loader, weight);
    }
    try {
      return new Lease<>(this, entry, entry.value.join());
    } catch (CompletionException e) {
      release(entry);
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** A value that is kept under a key, if it is there; as above. */
  public <V> Optional<Lease<V>> acquireIfPresent(Object key) {
    Entry<V> entry;
    synchronized (this) {
      entry = closed ? null : entry(key);
      if (entry == null || !entry.value.isDone() || entry.value.isCompletedExceptionally()) {
        return Optional.empty();
      }
      entry.leases++;
    }
    return Optional.of(new Lease<>(this, entry, entry.value.join()));
  }

  @SuppressWarnings("unchecked")
  private <V> Entry<V> entry(Object key) {
    return (Entry<V>) entries.get(key);
  }

  private <V> void load(Entry<V> entry, Supplier<V> loader, ToLongFunction<V> weight) {
    try {
      V value = loader.get();
      long bytes = weight.applyAsLong(value);
      List<Entry<?>> evicted;
      synchronized (this) {
        entry.bytes = bytes;
        usedBytes += bytes;
        evicted = evict();
      }
      entry.value.complete(value);
      evicted.forEach(Entry::discard);
    } catch (RuntimeException | Error e) {
      synchronized (this) {
        entries.remove(entry.key, entry);
      }
      entry.value.completeExceptionally(e);
    }
  }

  /** Drops what is over the budget and not in use; the caller discards it outside the lock. */
  private List<Entry<?>> evict() {
    List<Entry<?>> evicted = new ArrayList<>();
    Iterator<Entry<?>> oldest = entries.values().iterator();
    while (usedBytes > budgetBytes && oldest.hasNext()) {
      Entry<?> entry = oldest.next();
      if (entry.leases == 0) {
        oldest.remove();
        usedBytes -= entry.bytes;
        evicted.add(entry);
      }
    }
    return evicted;
  }

  private void release(Entry<?> entry) {
    List<Entry<?>> evicted;
    synchronized (this) {
      entry.leases--;
      evicted = evict();
      if (closed && entry.leases == 0) {
        evicted.add(entry);
      }
    }
    evicted.forEach(Entry::discard);
  }

  /** The number of bytes that are kept. */
  public synchronized long usedBytes() {
    return usedBytes;
  }

  /** Forgets everything; what is in use stays until its last lease is closed. */
  @Override
  public void close() {
    List<Entry<?>> idle = new ArrayList<>();
    synchronized (this) {
      closed = true;
      for (Entry<?> entry : entries.values()) {
        if (entry.leases == 0) {
          idle.add(entry);
        }
      }
      entries.clear();
      usedBytes = 0;
    }
    idle.forEach(Entry::discard);
  }

  private static final class Entry<V> {
    private final Object key;
    private final CompletableFuture<V> value = new CompletableFuture<>();
    private long bytes;
    private int leases;

    Entry(Object key) {
      this.key = key;
    }

    void discard() {
      if (value.isDone() && !value.isCompletedExceptionally()) {
        closeQuietly(value.join());
      }
    }

    private static void closeQuietly(Object value) {
      if (value instanceof AutoCloseable closeable) {
        try {
          closeable.close();
        } catch (Exception e) {
          throw new IllegalStateException("a cached value could not be closed", e);
        }
      }
    }
  }

  /** The use of a value that a session keeps. */
  public static final class Lease<V> implements AutoCloseable {
    private final Session session;
    private final Entry<V> entry;
    private final V value;
    private boolean released;

    private Lease(Session session, Entry<V> entry, V value) {
      this.session = session;
      this.entry = entry;
      this.value = value;
    }

    public V value() {
      return value;
    }

    /** Ends the use. May be called more than once, by one thread at a time. */
    @Override
    public void close() {
      if (!released) {
        released = true;
        session.release(entry);
      }
    }
  }
}
