package dev.lance4j.scan.internal.column;

import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.List;
import java.util.Map;

/**
 * The two ways to read a blob field: as binary values, or as descriptors that say where each value
 * lies. Fields of the first kind are large binary ones that are marked, those of the second are
 * described in {@link BlobV2Fields}.
 */
public final class BlobFields {
  private static final String BYTES = "large_binary";
  private static final String DESCRIPTOR = "struct";

  private BlobFields() {}

  /** Whether a field of a table's schema is stored as blobs. */
  public static boolean isBlob(LanceField field) {
    return isMarkedBinary(field) || BlobV2Fields.isBlob(field);
  }

  private static boolean isMarkedBinary(LanceField field) {
    return field.logicalType().equals(BYTES) && isMarked(field);
  }

  private static boolean isMarked(LanceField field) {
    return "true".equalsIgnoreCase(field.metadata().get(BlobV2Fields.MARK));
  }

  /** A field with the blobs in it as descriptors. */
  public static LanceField described(LanceField field) {
    return BlobV2Fields.described(field)
        .mapTree(each -> isMarkedBinary(each) ? descriptor(each) : each);
  }

  /** A field as it is read, with blobs of the second kind as binary values: what is given. */
  public static LanceField allBytes(LanceField field) {
    return field.mapTree(
        each -> BlobV2Fields.isDescriptor(each) ? as(each, BYTES, List.of()) : each);
  }

  /** A table's schema as it is read: with blobs of the second kind as descriptors. */
  public static LanceSchema asRead(LanceSchema schema) {
    return BlobV2Fields.described(schema);
  }

  private static LanceField descriptor(LanceField field) {
    return as(field, DESCRIPTOR, List.of(number("position"), number("size")));
  }

  private static LanceField number(String name) {
    return new LanceField(BlobV2Fields.NO_ID, name, "uint64", true, Map.of(), null, List.of());
  }

  private static LanceField as(LanceField field, String logicalType, List<LanceField> children) {
    return new LanceField(
        field.id(), field.name(), logicalType, field.nullable(), field.metadata(), null, children);
  }
}
