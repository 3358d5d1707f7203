package dev.lance4j.write.internal.merge;

import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.blob.BlobV2Fields;
import dev.lance4j.format.internal.blob.PendingBlobs;
import dev.lance4j.format.internal.data.ArrayConcat;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.data.FieldArrays;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.write.internal.JsonTextColumns;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The columns of a source, matched by name to those of the table at each level of structs. A source
 * may leave out columns, and fields of struct columns; it may have no others.
 */
final class SourceColumns {
  private final LanceSchema read;
  private final LanceSchema given;
  private final List<Field> fields;
  private final boolean partialStructs;

  private SourceColumns(LanceSchema read, LanceSchema given, boolean partialStructs) {
    this.read = read;
    this.given = given;
    this.fields = PendingBlobs.of(given).toArrow().getFields();
    this.partialStructs = partialStructs;
  }

  /**
   * @param input the source's schema; dictionary fields have the type of their values
   * @throws SchemaMismatchException if the source has columns or types that the table has not
   */
  static SourceColumns of(LanceSchema table, Schema input) {
    LanceSchema source = LanceSchema.fromArrow(JsonTextColumns.stored(input));
    List<String> unexpected = new ArrayList<>();
    for (LanceField field : source.fields()) {
      if (table.field(field.name()) == null) {
        unexpected.add(field.name());
      }
    }
    if (!unexpected.isEmpty()) {
      throw new SchemaMismatchException(
          "The source of the merge has the columns "
              + unexpected
              + ", which the table has not; it has "
              + table.fields().stream().map(LanceField::name).toList());
    }
    List<LanceField> read = new ArrayList<>();
    List<LanceField> matched = new ArrayList<>();
    for (LanceField field : table.fields()) {
      LanceField other = source.field(field.name());
      if (other != null) {
        LanceField part = match(field, other, field.name(), true);
        read.add(part);
        matched.add(BlobV2Fields.isBlob(field) ? field : part);
      }
    }
    boolean partial = false;
    for (LanceField field : matched) {
      partial |= !field.equals(table.field(field.name()));
    }
    return new SourceColumns(
        new LanceSchema(read, table.metadata()),
        new LanceSchema(matched, table.metadata()),
        partial);
  }

  /** The part of a field that the source has, children in the table's order. */
  private static LanceField match(
      LanceField expected, LanceField actual, String path, boolean mayLackChildren) {
    if (!expected.logicalType().equals(actual.logicalType())) {
      throw new SchemaMismatchException(
          String.format(
              "Column '%s' of the source has the type %s where the table has %s",
              path, actual.logicalType(), expected.logicalType()));
    }
    boolean struct = expected.logicalType().equals("struct");
    List<LanceField> children = new ArrayList<>();
    for (int i = 0; i < expected.children().size(); i++) {
      LanceField child = expected.children().get(i);
      LanceField other = struct ? actual.child(child.name()) : childAt(actual, i);
      if (other != null) {
        children.add(match(child, other, path + '.' + child.name(), struct && mayLackChildren));
      }
    }
    boolean complete = children.size() == expected.children().size();
    if (children.size() != actual.children().size()
        || (!complete && (!mayLackChildren || children.isEmpty()))) {
      throw new SchemaMismatchException(
          String.format(
              "Column '%s' of the source has the fields %s where the table has %s",
              path, names(actual), names(expected)));
    }
    return complete && children.equals(expected.children())
        ? expected
        : expected.withChildren(children);
  }

  private static LanceField childAt(LanceField field, int index) {
    return index < field.children().size() ? field.children().get(index) : null;
  }

  private static List<String> names(LanceField field) {
    return field.children().stream().map(LanceField::name).toList();
  }

  /** The columns with the table's field ids, in the table's order. */
  LanceSchema given() {
    return given;
  }

  /** The columns as arrays of them are, with blobs as {@link PendingBlobs}. */
  List<Field> fields() {
    return fields;
  }

  /** Whether the source lacks fields of struct columns that it has. */
  boolean hasPartialStructs() {
    return partialStructs;
  }

  /** The position among the columns, or -1. */
  int indexOf(LanceField column) {
    for (int i = 0; i < given.fields().size(); i++) {
      if (given.fields().get(i).id() == column.id()) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Copies the columns of a batch.
   *
   * @return one array for each column, owned by the caller
   * @throws SchemaMismatchException if the batch is not of the source's schema
   */
  List<ArrayData> copy(
      VectorSchemaRoot batch, DictionaryProvider dictionaries, BufferAllocator allocator) {
    List<Field> asRead = read.toArrow().getFields();
    List<ArrayData> borrowed = FieldArrays.of(read, batch, dictionaries);
    List<ArrayData> arrays = new ArrayList<>(fields.size());
    boolean complete = false;
    try {
      for (int i = 0; i < fields.size(); i++) {
        arrays.add(copy(asRead.get(i), borrowed.get(i), allocator));
      }
      complete = true;
      return PendingBlobs.ofGiven(given, arrays, allocator);
    } finally {
      Columns.close(borrowed);
      if (!complete) {
        Columns.close(arrays);
      }
    }
  }

  private static ArrayData copy(Field field, ArrayData array, BufferAllocator allocator) {
    int[] all = Columns.range(0, array.length());
    ArrayData copy = ArrayGather.gather(field, array, all, allocator);
    if (!hasDictionary(field)) {
      return copy;
    }
    // So far the copy shares the dictionaries, which the source may change for its next batch.
    try (copy) {
      return ArrayConcat.copy(field, List.of(copy), allocator);
    }
  }

  private static boolean hasDictionary(Field field) {
    return field.getDictionary() != null
        || field.getChildren().stream().anyMatch(SourceColumns::hasDictionary);
  }
}
