package dev.lance4j.interop.reliability;

import java.util.List;
import java.util.SortedMap;

/** A table of keys {@code k} and values {@code v}, as one writer sees it. */
interface SharedTable extends AutoCloseable {
  /** Adds rows. */
  void append(SortedMap<Long, Long> rows);

  /** Removes the rows with these keys. */
  void delete(List<Long> keys);

  /** Gives the rows with the keys, which are there, other values. */
  void update(SortedMap<Long, Long> rows);

  /** Gives the rows with the keys other values, and adds those that are not there. */
  void merge(SortedMap<Long, Long> rows);

  /**
   * Has some small files written together; leaves the table as it is if others changed the same
   * rows meanwhile.
   */
  void compact();

  @Override
  void close();

  /** Carries out a change. */
  default void carryOut(Change change) {
    switch (change.kind()) {
      case APPEND -> append(change.puts());
      case DELETE -> delete(change.removed());
      case UPDATE -> update(change.puts());
      case MERGE -> merge(change.puts());
      case COMPACT -> compact();
    }
  }
}
