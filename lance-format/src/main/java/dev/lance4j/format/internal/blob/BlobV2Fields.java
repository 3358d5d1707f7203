package dev.lance4j.format.internal.blob;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Fields of the extension type {@code lance.blob.v2}. Tables declare such a field as a struct of
 * what is given when it is written: {@code data} or {@code uri}, and perhaps {@code position} and
 * {@code size} in the object there. Data files hold a packed struct, the descriptor, that says
 * where the bytes are.
 */
public final class BlobV2Fields {
  /** The id of the children of a descriptor, which are no fields of the table. */
  public static final int NO_ID = -1;

  /** The position of a child in a descriptor. */
  public static final int KIND = 0;

  /** As above. */
  public static final int POSITION = 1;

  /** As above. */
  public static final int SIZE = 2;

  /** As above. */
  public static final int BLOB_ID = 3;

  /** As above. */
  public static final int BLOB_URI = 4;

  private static final int CHILDREN = 5;

  /** What marks a field as one whose values lie elsewhere. */
  public static final String MARK = "lance-encoding:blob";

  private static final String EXTENSION_NAME = "ARROW:extension:name";
  private static final String BLOB_V2 = "lance.blob.v2";
  private static final String STRUCT = "struct";
  private static final List<List<String>> SHAPES =
      List.of(
          List.of("data: large_binary", "uri: string"),
          List.of("data: large_binary", "uri: string", "position: uint64", "size: uint64"));

  private BlobV2Fields() {}

  /** Whether a field of a table holds blobs of the second kind. */
  public static boolean isBlob(LanceField field) {
    return field.logicalType().equals(STRUCT)
        && BLOB_V2.equals(field.metadata().get(EXTENSION_NAME));
  }

  /** Whether a field is a descriptor. */
  public static boolean isDescriptor(LanceField field) {
    return field.logicalType().equals(STRUCT)
        && "true".equalsIgnoreCase(field.metadata().get(MARK))
        && field.children().size() == CHILDREN
        && field.children().stream().allMatch(child -> child.id() == NO_ID);
  }

  /** A blob field as data files hold it. */
  public static LanceField descriptor(LanceField blob) {
    List<LanceField> children =
        List.of(
            child("kind", "uint8"),
            child("position", "uint64"),
            child("size", "uint64"),
            child("blob_id", "uint32"),
            child("blob_uri", "string"));
    return new LanceField(
        blob.id(),
        blob.name(),
        STRUCT,
        blob.nullable(),
        Map.of(MARK, "true", "lance-encoding:packed", "true"),
        null,
        children);
  }

  private static LanceField child(String name, String logicalType) {
    return new LanceField(NO_ID, name, logicalType, false, Map.of(), null, List.of());
  }

  /** A field with the blobs in it as descriptors. */
  public static LanceField described(LanceField field) {
    return field.mapTree(each -> isBlob(each) ? descriptor(each) : each);
  }

  /** A schema with its blobs as descriptors. */
  public static LanceSchema described(LanceSchema schema) {
    List<LanceField> fields = new ArrayList<>(schema.fields().size());
    schema.fields().forEach(field -> fields.add(described(field)));
    return new LanceSchema(fields, schema.metadata());
  }

  /**
   * Checks that the blobs of a schema can be written.
   *
   * @throws SchemaMismatchException if files of the version cannot hold them, or one is inside of
   *     another column or has other children than a blob has
   */
  public static void requireWritable(LanceSchema schema, FileVersion version) {
    for (LanceField field : schema.fields()) {
      if (isBlob(field)) {
        requireWritable(field, version);
      } else {
        field.children().forEach(child -> refuseNested(child, field.name()));
      }
    }
  }

  private static void requireWritable(LanceField field, FileVersion version) {
    if (!version.atLeast(FileVersion.V2_2)) {
      throw new SchemaMismatchException(
          String.format(
              "Column '%s' is of the type %s, which needs file version 2.2; this file is written as"
                  + " %s",
              field.name(), BLOB_V2, version));
    }
    List<String> shape = new ArrayList<>();
    field.children().forEach(child -> shape.add(child.name() + ": " + child.logicalType()));
    if (!SHAPES.contains(shape)) {
      throw new SchemaMismatchException(
          String.format(
              "Column '%s' is of the type %s and has the children %s; it must have %s or %s",
              field.name(), BLOB_V2, shape, SHAPES.get(0), SHAPES.get(1)));
    }
  }

  private static void refuseNested(LanceField field, String parent) {
    String path = parent + '.' + field.name();
    if (isBlob(field)) {
      throw new SchemaMismatchException(
          String.format(
              "Field '%s' is of the type %s inside of another column, which is not supported; make"
                  + " it a column of its own",
              path, BLOB_V2));
    }
    field.children().forEach(child -> refuseNested(child, path));
  }
}
