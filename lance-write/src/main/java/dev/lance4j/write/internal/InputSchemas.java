package dev.lance4j.write.internal;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Schema;

/** Fits the schema of rows to be written to that of a table. */
public final class InputSchemas {
  /** Names of columns that the table computes. */
  private static final Set<String> RESERVED =
      Set.of(
          "_rowid",
          "_rowaddr",
          "_rowoffset",
          "_row_created_at_version",
          "_row_last_updated_at_version");

  private InputSchemas() {}

  /**
   * The schema of a new table.
   *
   * @throws SchemaMismatchException if a name is reserved or a type not one that Lance has
   */
  public static LanceSchema forNewTable(Schema input) {
    requireFreeNames(input);
    return LanceSchema.fromArrow(JsonTextColumns.stored(input));
  }

  /**
   * Checks that the blobs of a schema can be in the files of a table.
   *
   * @throws SchemaMismatchException if the version has blobs of the other kind
   */
  public static void requireBlobsOf(FileVersion version, LanceSchema schema) {
    BlobV2Fields.requireWritable(schema, version);
    for (LanceField field : schema.flatten()) {
      if (version.atLeast(FileVersion.V2_2) && field.metadata().containsKey(BlobV2Fields.MARK)) {
        throw new SchemaMismatchException(
            String.format(
                "Column '%s' is marked as a blob by '%s', which tables of file version %s do not"
                    + " have; use a struct of data and uri with the extension type lance.blob.v2",
                field.name(), BlobV2Fields.MARK, version));
      }
    }
  }

  /**
   * Checks the names of new columns.
   *
   * @throws SchemaMismatchException if one is reserved, or there are no columns
   */
  static void requireFreeNames(Schema input) {
    input.getFields().forEach(field -> requireFreeName(field.getName()));
    if (input.getFields().isEmpty()) {
      throw new SchemaMismatchException("The schema has no columns; a table needs at least one");
    }
  }

  /**
   * Checks the name of a top-level column.
   *
   * @throws SchemaMismatchException if it is reserved
   */
  static void requireFreeName(String name) {
    if (RESERVED.contains(name)) {
      throw new SchemaMismatchException("The column '" + name + "' has a reserved name; rename it");
    }
  }

  /**
   * The part of a table's schema that the input fills, in the input's order; columns, and the
   * children of structs, are matched by name. What is left out becomes null.
   *
   * @throws SchemaMismatchException if the input has other columns or types, or leaves out what may
   *     not be null
   */
  public static LanceSchema forAppend(LanceSchema table, Schema input) {
    LanceSchema given = LanceSchema.fromArrow(JsonTextColumns.stored(input));
    requireSameNames(table.fields(), given.fields(), "");
    List<LanceField> matched = new ArrayList<>();
    for (LanceField field : given.fields()) {
      matched.add(match(table.field(field.name()), field, field.name()));
    }
    return new LanceSchema(matched, table.metadata());
  }

  /**
   * The part of a table's schema that some columns give new values for.
   *
   * @throws SchemaMismatchException if the table does not have a column, or not with this type
   */
  public static LanceSchema forUpdate(LanceSchema table, Schema input) {
    LanceSchema given = LanceSchema.fromArrow(JsonTextColumns.stored(input));
    List<LanceField> matched = new ArrayList<>();
    for (LanceField field : given.fields()) {
      LanceField expected = table.field(field.name());
      if (expected == null) {
        throw new SchemaMismatchException(
            "Column '"
                + field.name()
                + "' does not exist in the dataset, which has "
                + names(table.fields()));
      }
      matched.add(match(expected, field, field.name()));
    }
    return new LanceSchema(matched, table.metadata());
  }

  private static void requireSameNames(
      List<LanceField> expected, List<LanceField> actual, String parent) {
    List<String> unexpected = new ArrayList<>(names(actual));
    unexpected.removeAll(names(expected));
    List<String> missing = new ArrayList<>();
    for (LanceField field : expected) {
      if (!field.nullable() && !names(actual).contains(field.name())) {
        missing.add(field.name());
      }
    }
    if (!unexpected.isEmpty() || !missing.isEmpty() || actual.isEmpty()) {
      throw new SchemaMismatchException(
          String.format(
              "Append with different schema: fields%s did not match, missing=%s, unexpected=%s; the"
                  + " table has %s",
              parent.isEmpty() ? "" : " of '" + parent + "'",
              missing,
              unexpected,
              names(expected)));
    }
  }

  /** The part of a field that the input fills, with children in the order of the table. */
  private static LanceField match(LanceField expected, LanceField actual, String path) {
    if (!expected.logicalType().equals(actual.logicalType())) {
      throw new SchemaMismatchException(
          String.format(
              "Append with different schema: '%s' should have type %s but type was %s",
              path, expected.logicalType(), actual.logicalType()));
    }
    if (!expected.logicalType().equals("struct")) {
      return matchItems(expected, actual, path);
    }
    requireSameNames(expected.children(), actual.children(), path);
    List<LanceField> children = new ArrayList<>();
    for (LanceField child : expected.children()) {
      LanceField given = actual.child(child.name());
      if (given != null) {
        children.add(match(child, given, path + '.' + child.name()));
      }
    }
    return expected.withChildren(children);
  }

  /** Items of lists must be complete: lists cannot be put together from several parts. */
  private static LanceField matchItems(LanceField expected, LanceField actual, String path) {
    if (expected.children().size() != actual.children().size()) {
      throw new SchemaMismatchException(
          String.format(
              "Append with different schema: '%s' has the items %s where the table has %s",
              path, names(actual.children()), names(expected.children())));
    }
    for (int i = 0; i < expected.children().size(); i++) {
      LanceField child = expected.children().get(i);
      LanceField given = actual.children().get(i);
      LanceField matched = match(child, given, path + '.' + child.name());
      if (!matched.equals(child)) {
        throw new SchemaMismatchException(
            String.format(
                "Append with different schema: the items of '%s' have the fields %s where the table"
                    + " has %s; give all of them",
                path, names(given.children()), names(child.children())));
      }
    }
    return expected;
  }

  private static List<String> names(List<LanceField> fields) {
    return fields.stream().map(LanceField::name).toList();
  }
}
