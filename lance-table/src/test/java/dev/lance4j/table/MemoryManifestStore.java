package dev.lance4j.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A manifest store in the memory of this process, whose calls go wrong on demand. */
final class MemoryManifestStore implements ManifestStore {
  /** A call of the store that changes it or looks at it. */
  enum Call {
    LATEST,
    FIND,
    PUT_IF_ABSENT,
    PUT_IF_PRESENT
  }

  /** When a call fails: before it has an effect, or after, as when a reply is lost. */
  enum Fault {
    BEFORE,
    AFTER
  }

  private record Rule(Call call, Fault fault) {}

  private final Map<String, NavigableMap<Long, Entry>> tables = new ConcurrentHashMap<>();
  private final List<Rule> rules = new ArrayList<>();

  /** Lets the next call of a kind fail. */
  synchronized void failNext(Call call, Fault fault) {
    rules.add(new Rule(call, fault));
  }

  /** What is recorded for a version. */
  synchronized Optional<Entry> entry(String table, long version) {
    return Optional.ofNullable(entries(table).get(version));
  }

  private NavigableMap<Long, Entry> entries(String table) {
    return tables.computeIfAbsent(table, key -> new TreeMap<>());
  }

  private synchronized <T> T call(Call call, Supplier<T> effect) {
    if (rules.remove(new Rule(call, Fault.BEFORE))) {
      throw unreachable();
    }
    T result = effect.get();
    if (rules.remove(new Rule(call, Fault.AFTER))) {
      throw unreachable();
    }
    return result;
  }

  private static UncheckedIOException unreachable() {
    return new UncheckedIOException(new IOException("the manifest store cannot be reached"));
  }

  @Override
  public Optional<Entry> latest(String table) {
    return call(
        Call.LATEST,
        () -> Optional.ofNullable(entries(table).lastEntry()).map(Map.Entry::getValue));
  }

  @Override
  public Optional<Entry> find(String table, long version) {
    return call(Call.FIND, () -> Optional.ofNullable(entries(table).get(version)));
  }

  @Override
  public boolean putIfAbsent(String table, Entry entry) {
    return call(
        Call.PUT_IF_ABSENT, () -> entries(table).putIfAbsent(entry.version(), entry) == null);
  }

  @Override
  public boolean putIfPresent(String table, Entry entry) {
    return call(Call.PUT_IF_PRESENT, () -> entries(table).replace(entry.version(), entry) != null);
  }

  @Override
  public synchronized void delete(String table, long version) {
    entries(table).remove(version);
  }

  @Override
  public synchronized void deleteAll(String table) {
    tables.remove(table);
  }
}
