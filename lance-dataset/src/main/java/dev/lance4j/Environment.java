package dev.lance4j;

import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * What all datasets that come from one opened or written dataset share: the table's place, memory
 * and what is kept in it. What was made here is closed with the last dataset.
 */
final class Environment {
  private final Table table;
  private final BufferAllocator allocator;
  private final boolean ownsAllocator;
  private final Session session;
  private final boolean ownsSession;
  private final AtomicInteger users = new AtomicInteger();

  private Environment(
      Table table,
      BufferAllocator allocator,
      boolean ownsAllocator,
      Session session,
      boolean ownsSession) {
    this.table = table;
    this.allocator = allocator;
    this.ownsAllocator = ownsAllocator;
    this.session = session;
    this.ownsSession = ownsSession;
  }

  static Environment of(String uri, OpenOptions options) {
    boolean ownsAllocator = options.allocator() == null;
    boolean ownsSession = options.session() == null;
    return new Environment(
        table(uri, options),
        ownsAllocator ? new RootAllocator() : options.allocator(),
        ownsAllocator,
        ownsSession ? Session.create() : options.session(),
        ownsSession);
  }

  private static Table table(String uri, OpenOptions options) {
    Function<String, StoreLocation> places =
        options.store() == null
            ? place -> ObjectStores.resolve(place, options.storageOptions())
            : place -> new StoreLocation(options.store(), place, place);
    Table table = Table.at(places.apply(uri), places);
    return options.manifestStore() == null
        ? table
        : table.withManifestStore(options.manifestStore());
  }

  Table table() {
    return table;
  }

  BufferAllocator allocator() {
    return allocator;
  }

  Session session() {
    return session;
  }

  void retain() {
    users.incrementAndGet();
  }

  /** Ends one use; also right when there never was one. */
  void release() {
    if (users.decrementAndGet() > 0) {
      return;
    }
    if (ownsSession) {
      session.close();
    }
    if (ownsAllocator) {
      allocator.close();
    }
  }
}
