package dev.lance4j.format.internal.container;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.page.ColumnShape;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

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
    BlobV2Fields.described(schema).fields().forEach(walk::visit);
    return walk.ids.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * The columns of a file that is read without a manifest, by field id.
   *
   * @param shapes what a column's pages say, asked for 2.0 files only, where the fields do not tell
   */
  static Map<Integer, Integer> columns(
      LanceSchema schema, FileVersion version, IntFunction<ColumnShape> shapes) {
    Walk walk = new Walk(version, shapes);
    schema.fields().forEach(walk::visit);
    Map<Integer, Integer> columns = new HashMap<>();
    for (int i = 0; i < walk.ids.size(); i++) {
      columns.putIfAbsent(walk.ids.get(i), i);
    }
    columns.remove(Walk.NO_FIELD);
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
    // In place of the id of a field, for a column that belongs to the one before.
    private static final int NO_FIELD = -1;

    private final FileVersion version;
    private final IntFunction<ColumnShape> shapes;
    private final List<Integer> ids = new ArrayList<>();

    Walk(FileVersion version, IntFunction<ColumnShape> shapes) {
      this.version = version;
      this.shapes = shapes;
    }

    void visit(LanceField field) {
      if (version == FileVersion.V2_0) {
        visitStructural(field);
      } else if (field.children().isEmpty() || isPacked(field, version)) {
        ids.add(field.id());
      } else {
        field.children().forEach(this::visit);
      }
    }

    private void visitStructural(LanceField field) {
      boolean packed = isPacked(field, version);
      if (shapes != null) {
        ColumnShape shape = shapes.apply(ids.size());
        packed = field.logicalType().equals("struct") && shape == ColumnShape.PACKED_STRUCT;
        if (shape == ColumnShape.LIST && field.children().isEmpty()) {
          // The first writers of 2.0 stored strings as lists of bytes.
          ids.add(field.id());
          ids.add(NO_FIELD);
          return;
        }
      }
      ids.add(field.id());
      if (!packed) {
        field.children().forEach(this::visit);
      }
    }
  }
}
