package dev.lance4j.interop.reliability;

import dev.lance4j.interop.reliability.ChangeLog.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a table may hold after its writers ended, by their logs. */
final class Outcome {
  private final Map<Long, Long> acknowledged = new HashMap<>();
  private final List<Change> open = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private int changes;

  static Outcome of(Writers writers) {
    Outcome outcome = new Outcome();
    for (Writers.Writer writer : writers.all()) {
      if (writer.log().exists()) {
        outcome.add(writer.log().read());
      }
    }
    return outcome;
  }

  private void add(History history) {
    history.acknowledged().forEach(change -> change.applyTo(acknowledged));
    history.open().ifPresent(open::add);
    failures.addAll(history.failures());
    changes += history.acknowledged().size();
  }

  /** How many changes were acknowledged. */
  int changes() {
    return changes;
  }

  /** What the changes said that failed, of which nothing may be there. */
  List<String> failures() {
    return failures;
  }

  /**
   * The rows that must be there, given those that are: of a change about which nothing was
   * reported, all is there when something is. Values are random, so that each text is of one change
   * only.
   */
  List<String> expected(List<String> actual) {
    Set<String> present = new HashSet<>(actual);
    Map<Long, Long> rows = new HashMap<>(acknowledged);
    for (Change change : open) {
      if (isSeen(change, present)) {
        change.applyTo(rows);
      }
    }
    return KeyedRows.texts(rows);
  }

  private boolean isSeen(Change change, Set<String> present) {
    for (String put : KeyedRows.texts(change.puts())) {
      if (present.contains(put)) {
        return true;
      }
    }
    for (long key : change.removed()) {
      if (!present.contains(KeyedRows.text(key, acknowledged.get(key)))) {
        return true;
      }
    }
    return false;
  }
}
