package dev.lance4j.table;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A change of settings or metadata.
 *
 * @param entries new values by key, in the order in which they apply; no value removes the key
 * @param replace whether keys that are not named go away
 */
public record MapUpdate(Map<String, Optional<String>> entries, boolean replace) {
  public MapUpdate {
    entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
  }

  /** Sets these values, removes the keys whose value is null, and leaves other keys alone. */
  public static MapUpdate of(Map<String, String> values) {
    Map<String, Optional<String>> entries = new LinkedHashMap<>();
    values.forEach((key, value) -> entries.put(key, Optional.ofNullable(value)));
    return new MapUpdate(entries, false);
  }

  /** Sets these values and leaves other keys alone. */
  public static MapUpdate set(Map<String, String> values) {
    return new MapUpdate(present(values), false);
  }

  /** Makes these values the only ones. */
  public static MapUpdate replaceAll(Map<String, String> values) {
    return new MapUpdate(present(values), true);
  }

  /** Removes these keys. */
  public static MapUpdate remove(Collection<String> keys) {
    Map<String, Optional<String>> entries = new LinkedHashMap<>();
    keys.forEach(key -> entries.put(key, Optional.empty()));
    return new MapUpdate(entries, false);
  }

  private static Map<String, Optional<String>> present(Map<String, String> values) {
    Map<String, Optional<String>> entries = new LinkedHashMap<>();
    values.forEach((key, value) -> entries.put(key, Optional.of(value)));
    return entries;
  }

  /** The map that results from changing another. */
  public Map<String, String> apply(Map<String, String> old) {
    Map<String, String> changed = new LinkedHashMap<>(replace ? Map.of() : old);
    entries.forEach(
        (key, value) -> {
          if (value.isPresent()) {
            changed.put(key, value.get());
          } else {
            changed.remove(key);
          }
        });
    return changed;
  }
}
