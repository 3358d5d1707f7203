package dev.lance4j.table;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * A version of a table, as listings show it.
 *
 * @param id the version's number
 * @param timestamp when it was committed
 * @param metadata numbers of fragments, files, bytes and rows as text
 */
public record VersionSummary(long id, Instant timestamp, Map<String, String> metadata) {
  static VersionSummary of(Manifest manifest) {
    long dataFiles = 0;
    long bytes = 0;
    long deletionFiles = 0;
    long rows = 0;
    long deletedRows = 0;
    for (FragmentMetadata fragment : manifest.fragments()) {
      dataFiles += fragment.files().size();
      for (DataFile file : fragment.files()) {
        bytes += file.sizeBytes();
      }
      deletionFiles += fragment.deletionFile().isPresent() ? 1 : 0;
      rows += fragment.physicalRows();
      deletedRows += fragment.deletedRows();
    }
    Map<String, String> metadata = new TreeMap<>();
    metadata.put("total_fragments", Integer.toString(manifest.fragments().size()));
    metadata.put("total_data_files", Long.toString(dataFiles));
    metadata.put("total_files_size", Long.toString(bytes));
    metadata.put("total_deletion_files", Long.toString(deletionFiles));
    metadata.put("total_data_file_rows", Long.toString(rows));
    metadata.put("total_deletion_file_rows", Long.toString(deletedRows));
    metadata.put("total_rows", Long.toString(rows - deletedRows));
    return new VersionSummary(manifest.version(), manifest.timestamp(), Map.copyOf(metadata));
  }
}
