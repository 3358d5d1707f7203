package dev.lance4j.interop.reliability;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * What a writer is about to do with rows that only it changes.
 *
 * @param number of the change among those of its writer, from 0 on
 * @param kind how it is done
 * @param puts the keys that are there afterwards, with their values
 * @param removed the keys that are gone afterwards
 */
record Change(int number, Kind kind, SortedMap<Long, Long> puts, List<Long> removed) {
  /** The operations that are mixed. */
  enum Kind {
    APPEND,
    DELETE,
    UPDATE,
    MERGE,
    /** Touches rows of others too, but changes none. */
    COMPACT
  }

  /** Does to a model what the change does to the table. */
  void applyTo(Map<Long, Long> rows) {
    rows.putAll(puts);
    removed.forEach(rows::remove);
  }
}
