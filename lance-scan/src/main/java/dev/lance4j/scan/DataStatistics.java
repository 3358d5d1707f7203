package dev.lance4j.scan;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How large the data of a version of a table are.
 *
 * @param fields each field of the schema, parents before children
 */
public record DataStatistics(List<FieldStatistics> fields) {
  public DataStatistics {
    fields = List.copyOf(fields);
  }

  /**
   * How large a field is.
   *
   * @param id of the field
   * @param bytes that its own columns take in the data files, deleted rows included; those of its
   *     children do not count
   */
  public record FieldStatistics(int id, long bytes) {}

  /**
   * Adds up what the metadata of the data files say.
   *
   * @throws UnsupportedFormatException if a file is of version 0.1, which does not tell
   */
  public static DataStatistics of(Scan.Source source) {
    Map<Integer, Long> bytes = new HashMap<>();
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      FragmentReader.addFieldBytes(source.version(), fragment, source.session(), bytes);
    }
    List<FieldStatistics> fields = new ArrayList<>();
    for (LanceField field : source.version().manifest().schema().flatten()) {
      fields.add(new FieldStatistics(field.id(), bytes.getOrDefault(field.id(), 0L)));
    }
    return new DataStatistics(fields);
  }

  /** The bytes of all fields. */
  public long bytes() {
    return fields.stream().mapToLong(FieldStatistics::bytes).sum();
  }
}
