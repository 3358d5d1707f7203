package dev.lance4j.index.internal.segment;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A column, perhaps inside of structs.
 *
 * @param path the names of the fields from the top down
 * @param field the column itself
 * @param projection the schema of a table with nothing but the column
 * @param below the position of the child on each level of the projection's only field
 */
public record IndexedColumn(
    List<String> path, LanceField field, LanceSchema projection, int[] below) {

  /**
   * The column at a path as users write it.
   *
   * @throws InvalidInputException if there is none
   */
  public static IndexedColumn named(LanceSchema table, String path) {
    List<String> names = FieldPath.parse(path);
    LanceField field = table.field(names.get(0));
    for (int i = 1; field != null && i < names.size(); i++) {
      field = field.child(names.get(i));
    }
    if (field == null) {
      throw new InvalidInputException("CreateIndex: column '" + path + "' does not exist");
    }
    return of(table, names, field);
  }

  /** The column with a field id, if it is reached through nothing but structs. */
  public static Optional<IndexedColumn> withId(LanceSchema table, int fieldId) {
    return find(table, table.fields(), List.of(), fieldId);
  }

  private static Optional<IndexedColumn> find(
      LanceSchema table, List<LanceField> fields, List<String> above, int fieldId) {
    for (LanceField field : fields) {
      List<String> path = new ArrayList<>(above);
      path.add(field.name());
      if (field.id() == fieldId) {
        return Optional.of(of(table, path, field));
      }
      Optional<IndexedColumn> found =
          isStruct(field) ? find(table, field.children(), path, fieldId) : Optional.empty();
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static boolean isStruct(LanceField field) {
    return field.logicalType().equals("struct");
  }

  private static IndexedColumn of(LanceSchema table, List<String> path, LanceField field) {
    LanceSchema projection = table.projectPaths(List.of(path));
    int[] below = new int[path.size() - 1];
    return new IndexedColumn(List.copyOf(path), field, projection, below);
  }

  /** The path as users write it. */
  public String name() {
    return FieldPath.format(path);
  }
}
