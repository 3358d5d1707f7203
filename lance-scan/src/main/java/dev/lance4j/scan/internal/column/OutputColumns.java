package dev.lance4j.scan.internal.column;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.scan.expr.BoundExpression;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.BlobBytes;
import dev.lance4j.scan.internal.expr.NearestNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Finds what users name in the schema of a table. */
public final class OutputColumns {
  private final LanceSchema schema;
  private final ValueForm form;
  private final List<Field> found;

  /**
   * @param schema of the table
   * @param form how values are given
   */
  public OutputColumns(LanceSchema schema, ValueForm form) {
    this(schema, form, List.of());
  }

  /**
   * @param found columns that a search adds to those of the table
   */
  public OutputColumns(LanceSchema schema, ValueForm form, List<Field> found) {
    this.schema = schema;
    this.form = form;
    this.found = found;
  }

  /** The columns of a schema, then all virtual ones: whatever an expression may use. */
  public static Schema withVirtual(LanceSchema schema) {
    return withVirtual(schema, List.of());
  }

  /** As above, and then what a search adds. */
  public static Schema withVirtual(LanceSchema schema, List<Field> found) {
    List<Field> fields = new ArrayList<>(BlobFields.asRead(schema).toArrow().getFields());
    for (VirtualColumn column : VirtualColumn.values()) {
      fields.add(column.field());
    }
    fields.addAll(found);
    return new Schema(fields, schema.metadata());
  }

  private boolean isDescribed() {
    return form == ValueForm.DESCRIBED;
  }

  /** All columns of the table. */
  public List<OutputColumn> all() {
    List<OutputColumn> all = new ArrayList<>(schema.fields().size());
    for (LanceField field : schema.fields()) {
      all.add(part(field.name(), List.of(field.name())));
    }
    return all;
  }

  /** Whether a name leads to a column of the table, a field of one, or a virtual column. */
  public boolean exists(String name) {
    return VirtualColumn.named(name) != null
        || findFound(name) != null
        || find(FieldPath.parse(name)) != null;
  }

  private Field findFound(String name) {
    for (Field field : found) {
      if (field.getName().equals(name)) {
        return field;
      }
    }
    return null;
  }

  /** The field at a path through structs, or null. */
  private LanceField find(List<String> path) {
    LanceField field = schema.field(path.get(0));
    for (int i = 1; i < path.size() && field != null; i++) {
      field = isStruct(field) ? field.child(path.get(i)) : null;
    }
    return field;
  }

  private static boolean isStruct(LanceField field) {
    return field.logicalType().equals("struct");
  }

  /**
   * A column of the table, a field of one, or a virtual column.
   *
   * @param name what to call it
   * @param path names joined by dots
   * @throws InvalidInputException if there is no such column
   */
  public OutputColumn named(String name, String path) {
    Field searched = findFound(path);
    if (searched != null) {
      return new OutputColumn.Found(path, rename(searched, name, searched.isNullable()));
    }
    VirtualColumn virtual = VirtualColumn.named(path);
    return virtual != null
        ? new OutputColumn.Place(virtual, virtual.field(name))
        : part(name, FieldPath.parse(path));
  }

  /**
   * A column that an expression computes; a lone column name stands for the column.
   *
   * @throws InvalidInputException if the expression does not fit the schema
   */
  public OutputColumn computed(String name, Expression expression) {
    // What is stored of a column, such as keys into a dictionary, is not the value of an
    // expression.
    if (form != ValueForm.STORED && expression instanceof Expression.Column column) {
      String first = column.path().get(0);
      VirtualColumn virtual = VirtualColumn.named(first);
      if (virtual != null && column.path().size() == 1) {
        return new OutputColumn.Place(virtual, virtual.field(name));
      }
      if (find(column.path()) != null) {
        return part(name, column.path());
      }
    }
    BoundExpression bound = BoundExpression.bind(expression, withVirtual(schema, found));
    return new OutputColumn.Computed(bound, bound.field(name));
  }

  private OutputColumn.Part part(String name, List<String> path) {
    LanceField whole = require(schema.field(path.get(0)), path, 0, schema.fields());
    LanceField field = whole;
    boolean nullable = whole.nullable();
    for (int i = 1; i < path.size(); i++) {
      refusePartOfBlob(field);
      if (!isStruct(field)) {
        throw new InvalidInputException(
            "Column '"
                + FieldPath.format(path)
                + "' does not exist: '"
                + FieldPath.format(path.subList(0, i))
                + "' is a "
                + field.toArrow().getType()
                + ", not a struct");
      }
      field = require(field.child(path.get(i)), path, i, field.children());
      nullable |= field.nullable();
    }
    LanceField asRead = isDescribed() ? BlobFields.described(field) : field;
    OutputColumn.Change change = change(asRead);
    return new OutputColumn.Part(
        new ColumnNeed(path.get(0), List.of(path), isDescribed()),
        path.subList(1, path.size()),
        change,
        rename(given(asRead, change), name, nullable));
  }

  private OutputColumn.Change change(LanceField asRead) {
    if (form == ValueForm.STORED) {
      return OutputColumn.Change.NONE;
    }
    if (JsonColumn.isJson(asRead)) {
      return OutputColumn.Change.JSON_TEXT;
    }
    return form == ValueForm.WITH_BYTES && BlobBytes.hasDescriptors(asRead)
        ? OutputColumn.Change.BLOB_BYTES
        : OutputColumn.Change.NONE;
  }

  private static Field given(LanceField asRead, OutputColumn.Change change) {
    return switch (change) {
      case NONE -> asRead.toArrow();
      case JSON_TEXT -> JsonColumn.text(asRead);
      case BLOB_BYTES -> BlobFields.allBytes(asRead).toArrow();
    };
  }

  private static void refusePartOfBlob(LanceField field) {
    if (BlobFields.isBlob(field) || BlobV2Fields.isDescriptor(field)) {
      throw new InvalidInputException(
          "Column '" + field.name() + "' is a blob, of which no part can be selected; select it");
    }
  }

  private static LanceField require(
      LanceField found, List<String> path, int depth, List<LanceField> siblings) {
    if (found != null) {
      return found;
    }
    List<String> names = siblings.stream().map(LanceField::name).toList();
    throw new InvalidInputException(
        "Column '"
            + FieldPath.format(path)
            + "' does not exist: there is no '"
            + path.get(depth)
            + "'"
            + NearestNames.hint(path.get(depth), names)
            + " among "
            + names);
  }

  private static Field rename(Field field, String name, boolean nullable) {
    FieldType type =
        new FieldType(nullable, field.getType(), field.getDictionary(), field.getMetadata());
    return new Field(name, type, field.getChildren());
  }

  /**
   * Columns as a take gives them: of a column of which fields are named, only these fields, in one
   * struct; a column that is named twice once.
   *
   * @throws InvalidInputException if there is no such column
   */
  public List<OutputColumn> pruned(List<String> names) {
    Map<String, List<List<String>>> byColumn = new LinkedHashMap<>();
    for (String name : names) {
      List<String> path = VirtualColumn.named(name) == null ? FieldPath.parse(name) : List.of(name);
      byColumn.computeIfAbsent(path.get(0), column -> new ArrayList<>()).add(path);
    }
    List<OutputColumn> columns = new ArrayList<>();
    byColumn.forEach(
        (name, paths) -> {
          VirtualColumn virtual = VirtualColumn.named(name);
          columns.add(
              virtual != null
                  ? new OutputColumn.Place(virtual, virtual.field())
                  : pruned(name, paths));
        });
    return columns;
  }

  private OutputColumn.Part pruned(String name, List<List<String>> paths) {
    paths.forEach(this::refusePartsOfBlobs);
    LanceField narrowed = schema.projectPaths(paths).fields().get(0);
    LanceField asRead = isDescribed() ? BlobFields.described(narrowed) : narrowed;
    OutputColumn.Change change = change(asRead);
    return new OutputColumn.Part(
        new ColumnNeed(name, paths, isDescribed()), List.of(), change, given(asRead, change));
  }

  private void refusePartsOfBlobs(List<String> path) {
    LanceField field = schema.field(path.get(0));
    for (int i = 1; i < path.size() && field != null; i++) {
      refusePartOfBlob(field);
      field = field.child(path.get(i));
    }
  }

  /** Whether values of a type have an order. */
  public static boolean isOrderable(Field field) {
    return !(field.getType() instanceof ArrowType.Map)
        && field.getChildren().stream().allMatch(OutputColumns::isOrderable);
  }
}
