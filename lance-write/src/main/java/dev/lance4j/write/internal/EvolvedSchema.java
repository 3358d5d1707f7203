package dev.lance4j.write.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The schema of a table, extended or reduced. */
public final class EvolvedSchema {
  private EvolvedSchema() {}

  /**
   * The first id that no field of the schema and of the files has. An id of a dropped column is
   * free again once no file mentions it.
   */
  public static int firstFreeId(Manifest manifest) {
    int highest = manifest.schema().maxFieldId();
    for (FragmentMetadata fragment : manifest.fragments()) {
      for (DataFile file : fragment.files()) {
        for (int id : file.fieldIds()) {
          highest = Math.max(highest, id);
        }
      }
    }
    return Math.addExact(highest, 1);
  }

  /**
   * New columns with ids of their own.
   *
   * @throws SchemaMismatchException if a name is reserved, repeated or in the table already, or a
   *     type not one that Lance has
   */
  public static LanceSchema newFields(Manifest manifest, Schema columns) {
    InputSchemas.requireFreeNames(columns);
    for (Field field : columns.getFields()) {
      if (manifest.schema().field(field.getName()) != null) {
        throw new SchemaMismatchException(
            "Column '" + field.getName() + "' already exists in the dataset");
      }
    }
    LanceSchema fields =
        LanceSchema.fromArrow(JsonTextColumns.stored(columns), firstFreeId(manifest));
    InputSchemas.requireBlobsOf(manifest.storageVersion(), fields);
    return fields;
  }

  /** The table's schema with further columns at its end. */
  public static LanceSchema with(Manifest manifest, LanceSchema added) {
    List<LanceField> fields = new ArrayList<>(manifest.schema().fields());
    fields.addAll(added.fields());
    return new LanceSchema(fields, manifest.schema().metadata());
  }

  /** The names on a path, from the top down; a column's whole name is one also with dots in it. */
  static List<String> path(LanceSchema schema, String path) {
    return schema.field(path) == null ? FieldPath.parse(path) : List.of(path);
  }

  /**
   * A field by its path.
   *
   * @return the field and those around it, the outermost first
   * @throws InvalidInputException if there is none
   */
  public static List<LanceField> find(LanceSchema schema, String path) {
    List<LanceField> found = new ArrayList<>();
    List<LanceField> level = schema.fields();
    for (String name : path(schema, path)) {
      LanceField field = named(level, name);
      if (field == null) {
        throw new InvalidInputException(
            "Column '"
                + path
                + "' does not exist in the dataset; beside '"
                + name
                + "' there would be "
                + level.stream().map(LanceField::name).toList());
      }
      if (!found.isEmpty() && BlobV2Fields.isBlob(found.get(found.size() - 1))) {
        throw new InvalidInputException(
            "Column '" + path + "' is a part of a blob, which cannot be changed alone");
      }
      found.add(field);
      level = field.children();
    }
    return found;
  }

  private static LanceField named(List<LanceField> fields, String name) {
    for (LanceField field : fields) {
      if (field.name().equals(name)) {
        return field;
      }
    }
    return null;
  }

  /**
   * The schema without some columns. A struct or list that is left empty goes with them.
   *
   * @throws InvalidInputException if a column does not exist, nothing would be left, or a column is
   *     a part of a map, which needs both
   */
  public static LanceSchema without(LanceSchema schema, List<String> paths) {
    Set<Integer> dropped = new HashSet<>();
    for (String path : paths) {
      List<LanceField> found = find(schema, path);
      for (LanceField around : found.subList(0, found.size() - 1)) {
        if (around.logicalType().equals("map")) {
          throw new InvalidInputException(
              "'" + path + "' is a part of a map and cannot be dropped alone; drop the map");
        }
      }
      dropped.add(found.get(found.size() - 1).id());
    }
    List<LanceField> left = without(schema.fields(), dropped);
    if (left.isEmpty()) {
      throw new InvalidInputException("Cannot drop all columns from a dataset");
    }
    return new LanceSchema(left, schema.metadata());
  }

  private static List<LanceField> without(List<LanceField> fields, Set<Integer> dropped) {
    List<LanceField> left = new ArrayList<>();
    for (LanceField field : fields) {
      List<LanceField> children = without(field.children(), dropped);
      boolean emptied = children.isEmpty() && !field.children().isEmpty();
      if (!dropped.contains(field.id()) && !emptied) {
        left.add(children.equals(field.children()) ? field : field.withChildren(children));
      }
    }
    return left;
  }
}
