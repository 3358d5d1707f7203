package dev.lance4j.scan.internal.column;

import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What somebody needs of a top-level column, all in one array.
 *
 * @param column the column's name
 * @param paths the fields of it, each as the names from the column down; the column itself if all
 *     of it is needed
 * @param described whether its blobs are needed as descriptors, not as bytes
 */
public record ColumnNeed(String column, List<List<String>> paths, boolean described) {
  public ColumnNeed {
    paths = List.copyOf(paths);
  }

  /** One field, with the values that the table stores. */
  static ColumnNeed stored(List<String> path) {
    return new ColumnNeed(path.get(0), List.of(path), false);
  }

  /** Needs for some fields, one for each top-level column; virtual columns need nothing. */
  public static List<ColumnNeed> ofStored(List<List<String>> paths, LanceSchema schema) {
    Map<String, List<List<String>>> byColumn = new LinkedHashMap<>();
    for (List<String> path : paths) {
      if (schema.field(path.get(0)) != null) {
        byColumn
            .computeIfAbsent(path.get(0), name -> new ArrayList<>())
            .add(readable(path, schema));
      }
    }
    List<ColumnNeed> needs = new ArrayList<>(byColumn.size());
    byColumn.forEach((column, fields) -> needs.add(new ColumnNeed(column, fields, false)));
    return needs;
  }

  /** Descriptors of blobs are packed, so that they are read as a whole. */
  private static List<String> readable(List<String> path, LanceSchema schema) {
    LanceField field = schema.field(path.get(0));
    for (int depth = 1; depth < path.size(); depth++) {
      if (BlobV2Fields.isDescriptor(field)) {
        return path.subList(0, depth);
      }
      field = field.child(path.get(depth));
    }
    return path;
  }

  /** The column reduced to what is needed. */
  LanceField narrow(LanceSchema schema) {
    return schema.projectPaths(paths).fields().get(0);
  }
}
