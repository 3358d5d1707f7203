package dev.lance4j.interop.history;

import java.util.HashMap;
import java.util.Map;

/**
 * A row of a table that is known in full.
 *
 * @param id its row id; {@link #UNKNOWN} until the table has told
 * @param values by column, see {@link Values}
 * @param created the version that inserted it
 * @param updated the version that last gave it values; {@link #UNKNOWN} if any is right
 */
record Row(long id, Map<String, Object> values, long created, long updated) {
  static final long UNKNOWN = -1;

  Object value(String column) {
    return values.get(column);
  }

  Row withId(long newId) {
    return new Row(newId, values, created, updated);
  }

  Row withValues(Map<String, Object> newValues) {
    return new Row(id, newValues, created, updated);
  }

  Row with(String column, Object value) {
    Map<String, Object> more = new HashMap<>(values);
    more.put(column, value);
    return withValues(more);
  }

  Row updatedIn(long version) {
    return new Row(id, values, created, version);
  }

  /** The row with new values, which may be written to another place. */
  Row moved(Map<String, Object> newValues, boolean stable, long version) {
    return new Row(stable ? id : UNKNOWN, newValues, created, version);
  }
}
