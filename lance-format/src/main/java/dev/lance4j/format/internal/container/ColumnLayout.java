package dev.lance4j.format.internal.container;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** Which fields of a schema own a column of a file, in the order of the columns. */
public final class ColumnLayout {
  private ColumnLayout() {}

  /**
   * The ids of the fields that own columns when a schema is written.
   *
   * @return one id for each column, in column order
   */
  public static int[] fields(LanceSchema schema, FileVersion version) {
    Walk walk = new Walk(version, null);
    schema.fields().forEach(walk::visit);
    return walk.ids.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * The columns of a file that is read without a manifest, by field id.
   *
   * @param packed whether a column holds a packed struct, asked for 2.0 files only, where the
   *     field's metadata does not tell
   */
  static Map<Integer, Integer> columns(
      LanceSchema schema, FileVersion version, IntPredicate packed) {
    Walk walk = new Walk(version, packed);
    schema.fields().forEach(walk::visit);
    Map<Integer, Integer> columns = new HashMap<>();
    for (int i = 0; i < walk.ids.size(); i++) {
      columns.putIfAbsent(walk.ids.get(i), i);
    }
    return columns;
  }

  /** Whether a field's metadata asks for a packed struct, by the rule of the version. */
  public static boolean isPacked(LanceField field, FileVersion version) {
    if (!field.logicalType().equals("struct")) {
      return false;
    }
    String old = field.metadata().get("packed");
    String current = field.metadata().get("lance-encoding:packed");
    if (version == FileVersion.V2_0) {
      return old != null ? old.equals("true") : (current != null);
    }
    return "true".equalsIgnoreCase(old) || "true".equalsIgnoreCase(current);
  }

  private static final class Walk {
    private final FileVersion version;
    private final IntPredicate packed;
    private final List<Integer> ids = new ArrayList<>();

    Walk(FileVersion version, IntPredicate packed) {
      this.version = version;
      this.packed = packed;
    }

    void visit(LanceField field) {
      boolean leaf = field.children().isEmpty();
      if (version == FileVersion.V2_0) {
        boolean byMetadata = packed == null || !field.logicalType().equals("struct");
        boolean whole = byMetadata ? isPacked(field, version) : packed.test(ids.size());
        ids.add(field.id());
        if (!whole) {
          field.children().forEach(this::visit);
        }
      } else if (leaf || isPacked(field, version)) {
        ids.add(field.id());
      } else {
        field.children().forEach(this::visit);
      }
    }
  }
}
