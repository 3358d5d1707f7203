package dev.lance4j.write.internal;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
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
    for (Field field : input.getFields()) {
      if (RESERVED.contains(field.getName())) {
        throw new SchemaMismatchException(
            "The column '" + field.getName() + "' has a reserved name; rename it");
      }
    }
    if (input.getFields().isEmpty()) {
      throw new SchemaMismatchException("The schema has no columns; a table needs at least one");
    }
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
   * The part of a table's schema that the input fills, in the table's order; columns are matched by
   * name. Columns that are left out become null.
   *
   * @throws SchemaMismatchException if the input has other columns or types, or leaves out a column
   *     that may not be null
   */
  public static LanceSchema forAppend(LanceSchema table, Schema input) {
    LanceSchema given = LanceSchema.fromArrow(JsonTextColumns.stored(input));
    List<String> unexpected = new ArrayList<>();
    for (LanceField field : given.fields()) {
      if (table.field(field.name()) == null) {
        unexpected.add(field.name());
      }
    }
    List<String> missing = new ArrayList<>();
    List<LanceField> matched = new ArrayList<>();
    for (LanceField field : table.fields()) {
      LanceField other = given.field(field.name());
      if (other != null) {
        checkType(field, other, field.name());
        matched.add(field);
      } else if (!field.nullable()) {
        missing.add(field.name());
      }
    }
    if (!unexpected.isEmpty() || !missing.isEmpty() || matched.isEmpty()) {
      throw new SchemaMismatchException(
          String.format(
              "Append with a different schema: columns missing %s, unexpected %s; the table has %s",
              missing, unexpected, table.fields().stream().map(LanceField::name).toList()));
    }
    return new LanceSchema(matched, table.metadata());
  }

  private static void checkType(LanceField expected, LanceField actual, String path) {
    if (!expected.logicalType().equals(actual.logicalType())) {
      throw new SchemaMismatchException(
          String.format(
              "Column '%s' has the type %s where the table has %s",
              path, actual.logicalType(), expected.logicalType()));
    }
    boolean named = expected.logicalType().equals("struct");
    for (int i = 0; i < expected.children().size(); i++) {
      LanceField child = expected.children().get(i);
      LanceField other =
          i < actual.children().size() && (!named || hasName(actual.children().get(i), child))
              ? actual.children().get(i)
              : null;
      if (other == null || expected.children().size() != actual.children().size()) {
        throw new SchemaMismatchException(
            String.format(
                "Column '%s' has the children %s where the table has %s",
                path, names(actual), names(expected)));
      }
      checkType(child, other, path + '.' + child.name());
    }
  }

  private static boolean hasName(LanceField field, LanceField other) {
    return field.name().equals(other.name());
  }

  private static List<String> names(LanceField field) {
    return field.children().stream().map(LanceField::name).toList();
  }
}
