package dev.lance4j.scan;

import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import java.util.List;
import java.util.Map;

/** Numbers of rows, from the manifest where it records them. */
public final class RowCounts {
  private RowCounts() {}

  /** The rows of a fragment that are not deleted. */
  public static long liveRows(Scan.Source source, FragmentMetadata fragment) {
    return FragmentReader.liveRows(source.version(), fragment, source.session());
  }

  /** The rows of a fragment, deleted ones included. */
  public static long physicalRows(Scan.Source source, FragmentMetadata fragment) {
    LanceSchema nothing = new LanceSchema(List.of(), Map.of());
    try (FragmentReader reader =
        FragmentReader.open(source.version(), fragment, nothing, source.session())) {
      return reader.physicalRows();
    }
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
