package dev.lance4j.format.internal.container;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
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
    if (isPackedHeader(field, column)) {
      return new ColumnNode(arrow, column, true, List.of(), packedChildren(field));
    }
    if (field.children().isEmpty() || ownsAll) {
      return new ColumnNode(
          arrow, column == null ? ColumnNode.NONE : column, column != null, List.of());
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

  /** Where the children that are read lie among those that the file has, matched by id. */
  private PackedChildren packedChildren(LanceField field) {
    for (LanceField stored : file.schema().flatten()) {
      if (stored.id() == field.id()) {
        List<Integer> ids = stored.children().stream().map(LanceField::id).toList();
        return new PackedChildren(
            stored.toArrow().getChildren(),
            field.children().stream().map(child -> ids.indexOf(child.id())).toList());
      }
    }
    return null;
  }

  /** In 2.0 a struct's own column is a header, unless its children are packed into it. */
  private boolean isPackedHeader(LanceField field, Integer column) {
    return column != null
        && file.version() == FileVersion.V2_0
        && field.logicalType().equals("struct")
        && field.children().stream().noneMatch(child -> columns.containsKey(child.id()));
  }
}
