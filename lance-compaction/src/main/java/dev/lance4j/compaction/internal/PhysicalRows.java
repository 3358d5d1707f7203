package dev.lance4j.compaction.internal;

import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.Session;
import dev.lance4j.table.TableVersion;
import java.util.List;
import java.util.Map;

/** Numbers of rows that early writers did not record, or recorded wrongly. */
final class PhysicalRows {
  private static final LanceSchema NO_COLUMNS = new LanceSchema(List.of(), Map.of());

  private PhysicalRows() {}

  /** A fragment of a version with its number of rows. */
  static FragmentMetadata counted(
      TableVersion version, FragmentMetadata fragment, Session session) {
    if (version.manifest().hasReliableRowCounts() && fragment.physicalRows() > 0) {
      return fragment;
    }
    try (FragmentReader reader = FragmentReader.open(version, fragment, NO_COLUMNS, session)) {
      return fragment.withPhysicalRows(reader.physicalRows());
    }
  }
}
