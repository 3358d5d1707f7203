package dev.lance4j.scan;

import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;

/** Numbers of rows, from the manifest where it records them. */
public final class RowCounts {
  private RowCounts() {}

  /** The rows of a fragment that are not deleted. */
  public static long liveRows(Scan.Source source, FragmentMetadata fragment) {
    return FragmentReader.liveRows(source.version(), fragment, source.session());
  }

  /** The rows of a version that are not deleted. */
  public static long liveRows(Scan.Source source) {
    long rows = 0;
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      rows += liveRows(source, fragment);
    }
    return rows;
  }
}
