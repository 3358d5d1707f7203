package dev.lance4j.scan;

import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.TableVersion;

/** Numbers of rows, from the manifest where it records them. */
public final class RowCounts {
  private RowCounts() {}

  /** The rows of a fragment that are not deleted. */
  public static long liveRows(TableVersion version, FragmentMetadata fragment) {
    return FragmentReader.liveRows(version, fragment);
  }

  /** The rows of a version that are not deleted. */
  public static long liveRows(TableVersion version) {
    long rows = 0;
    for (FragmentMetadata fragment : version.manifest().fragments()) {
      rows += liveRows(version, fragment);
    }
    return rows;
  }
}
