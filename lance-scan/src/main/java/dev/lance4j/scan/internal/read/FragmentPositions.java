package dev.lance4j.scan.internal.read;

import dev.lance4j.scan.RowCounts;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import java.util.HashMap;
import java.util.Map;

/** Where fragments start among the live rows of a table. Safe for use by many threads. */
public final class FragmentPositions {
  private final Scan.Source source;
  private Map<Long, Long> firstPositions;

  /**
   * @param source of the version whose fragments they are
   */
  public FragmentPositions(Scan.Source source) {
    this.source = source;
  }

  /** The number of live rows in earlier fragments. */
  synchronized long first(FragmentMetadata fragment) {
    if (firstPositions == null) {
      firstPositions = new HashMap<>();
      long position = 0;
      for (FragmentMetadata each : source.version().manifest().fragments()) {
        firstPositions.put(each.id(), position);
        position += RowCounts.liveRows(source, each);
      }
    }
    return firstPositions.get(fragment.id());
  }
}
