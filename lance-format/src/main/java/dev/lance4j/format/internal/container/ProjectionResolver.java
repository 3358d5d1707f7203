package dev.lance4j.format.internal.container;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.PackedChildren;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;

/** Finds the columns of the fields of a projection. */
final class ProjectionResolver {
  private final FileMetadata file;
  private final Map<Integer, Integer> columns;

  /**
   * @param columns the column of each field that owns one, by field id
   */
  ProjectionResolver(FileMetadata file, Map<Integer, Integer> columns) {
    this.file = file;
    this.columns = columns;
    columns.forEach(
        (field, column) -> {
          if (column < 0 || column >= file.columnCount()) {
            throw new CorruptFileException(
                file.path(),
                -1,
                String.format(
                    "field %d should be column %d, but the file has %d columns",
                    field, column, file.columnCount()));
          }
        });
  }

  List<ColumnNode> resolve(LanceSchema projection) {
    List<ColumnNode> nodes = new ArrayList<>(projection.fields().size());
    for (LanceField field : projection.fields()) {
      nodes.add(resolve(field, field.toArrow()));
    }
    return nodes;
  }

  private ColumnNode resolve(LanceField field, Field arrow) {
    Integer column = columns.get(field.id());
    boolean structural = file.version() == FileVersion.V2_0;
    boolean ownsAll = column != null && !structural;
    if (field.children().isEmpty() || ownsAll || isPackedHeader(field, column)) {
      int index = column == null ? ColumnNode.NONE : column;
      return new ColumnNode(arrow, index, column != null, List.of(), packed(field));
    }
    List<ColumnNode> children = new ArrayList<>(field.children().size());
    boolean present = false;
    for (int i = 0; i < field.children().size(); i++) {
      ColumnNode child = resolve(field.children().get(i), arrow.getChildren().get(i));
      present |= child.present();
      children.add(child);
    }
    return structural
        ? new ColumnNode(arrow, column == null ? ColumnNode.NONE : column, column != null, children)
        : new ColumnNode(arrow, ColumnNode.NONE, present, children);
  }

  /** In 2.0 a struct's own column is a header, unless its children are packed into it. */
  private boolean isPackedHeader(LanceField field, Integer column) {
    return column != null
        && field.logicalType().equals("struct")
        && field.children().stream().noneMatch(child -> columns.containsKey(child.id()));
  }

  /** Where the children of a packed struct are, by the file's own schema. */
  private PackedChildren packed(LanceField field) {
    boolean struct = field.logicalType().equals("struct") && !field.children().isEmpty();
    if (!struct || BlobV2Fields.isDescriptor(field)) {
      return null;
    }
    for (LanceField stored : file.schema().flatten()) {
      if (stored.id() == field.id() && stored.logicalType().equals("struct")) {
        return new PackedChildren(
            stored.toArrow().getChildren(),
            field.children().stream().map(child -> positionIn(stored, child)).toList());
      }
    }
    return null;
  }

  /** The position of a child in a packed struct, or -1. */
  private int positionIn(LanceField struct, LanceField child) {
    List<Integer> ids = struct.children().stream().map(LanceField::id).toList();
    int position = ids.indexOf(child.id());
    if (position >= 0) {
      String type = struct.children().get(position).logicalType();
      if (!type.equals(child.logicalType())) {
        throw new CorruptFileException(
            file.path(),
            -1,
            String.format(
                "field '%s.%s' should be %s, but field %d of the file is %s",
                struct.name(), child.name(), child.logicalType(), child.id(), type));
      }
    }
    return position;
  }
}
