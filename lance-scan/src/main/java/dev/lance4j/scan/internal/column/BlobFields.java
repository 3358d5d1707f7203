package dev.lance4j.scan.internal.column;

import dev.lance4j.format.schema.LanceField;
import java.util.List;
import java.util.Map;

/**
 * The two ways to read a blob field: as binary values, or as descriptors that say where in the file
 * each value lies.
 */
public final class BlobFields {
  private static final String BLOB = "lance-encoding:blob";
  private static final String BYTES = "large_binary";
  private static final String DESCRIPTOR = "struct";
  // The children of a descriptor are no fields of the table.
  private static final int NO_ID = -1;

  private BlobFields() {}

  /** Whether a field of a table's schema is stored as blobs. */
  public static boolean isBlob(LanceField field) {
    return field.logicalType().equals(BYTES) && isMarked(field);
  }

  private static boolean isMarked(LanceField field) {
    return "true".equalsIgnoreCase(field.metadata().get(BLOB));
  }

  /** A field with the blobs in it as descriptors. */
  public static LanceField described(LanceField field) {
    return field.mapTree(each -> isBlob(each) ? descriptor(each) : each);
  }

  private static LanceField descriptor(LanceField field) {
    return as(field, DESCRIPTOR, List.of(number("position"), number("size")));
  }

  private static LanceField number(String name) {
    return new LanceField(NO_ID, name, "uint64", true, Map.of(), null, List.of());
  }

  private static LanceField as(LanceField field, String logicalType, List<LanceField> children) {
    return new LanceField(
        field.id(), field.name(), logicalType, field.nullable(), field.metadata(), null, children);
  }
}
