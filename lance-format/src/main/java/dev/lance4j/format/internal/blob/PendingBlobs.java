package dev.lance4j.format.internal.blob;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.NullArrays;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Blobs on their way to a new file, some of which are given and others stored in a table already. A
 * column of them is a struct of what is given of a blob and of what makes, together with its URI,
 * position and size, the descriptor of a stored one. Those that are stored have a fragment and the
 * field whose files they are in, which need not be the one that they are written to.
 */
public final class PendingBlobs {
  static final int DATA = 0;
  static final int URI = 1;
  static final int POSITION = 2;
  static final int SIZE = 3;
  static final int KIND = 4;
  static final int BLOB_ID = 5;
  static final int FRAGMENT = 6;
  static final int FIELD = 7;

  private static final List<LanceField> CHILDREN =
      List.of(
          child("data", "large_binary"),
          child("uri", "string"),
          child("position", "uint64"),
          child("size", "uint64"),
          child("kind", "uint8"),
          child("blob_id", "uint32"),
          child("fragment", "uint64"),
          child("field", "int32"));

  private PendingBlobs() {}

  private static LanceField child(String name, String logicalType) {
    return new LanceField(BlobV2Fields.NO_ID, name, logicalType, true, Map.of(), null, List.of());
  }

  /** A column, in the form of this class if it holds blobs. */
  public static LanceField field(LanceField column) {
    return BlobV2Fields.isBlob(column) ? column.withChildren(CHILDREN) : column;
  }

  /** A schema whose blobs are in the form of this class. */
  public static LanceSchema of(LanceSchema schema) {
    return new LanceSchema(
        schema.fields().stream().map(PendingBlobs::field).toList(), schema.metadata());
  }

  /**
   * Blobs that are given.
   *
   * @param blobs structs of data and URI and perhaps position and size; borrowed
   * @param column whose they are, for errors
   * @return owned by the caller
   * @throws InvalidInputException if they are no such structs
   */
  public static ArrayData ofGiven(ArrayData blobs, String column, BufferAllocator allocator) {
    BlobInput.requireGiven(blobs, column);
    ArrayData[] children = new ArrayData[CHILDREN.size()];
    for (int i = 0; i < blobs.children().size(); i++) {
      children[i] = blobs.child(i);
    }
    return struct(blobs, children, allocator);
  }

  /**
   * Blobs that are given by their bytes.
   *
   * @param bytes an array of large binary values; borrowed
   * @return null where they are null; owned by the caller
   */
  public static ArrayData ofBytes(ArrayData bytes, BufferAllocator allocator) {
    ArrayData[] children = new ArrayData[CHILDREN.size()];
    children[DATA] = bytes;
    return struct(bytes, children, allocator);
  }

  /** Blobs without bytes, as many as are asked for; owned by the caller. */
  public static ArrayData empty(int rows, BufferAllocator allocator) {
    LanceField bytes =
        new LanceField(
            BlobV2Fields.NO_ID, "data", "large_binary", false, Map.of(), null, List.of());
    try (ArrayData blanks = NullArrays.orBlanks(bytes.toArrow(), rows, allocator)) {
      return ofBytes(blanks, allocator);
    }
  }

  /**
   * Blobs that are stored.
   *
   * @param descriptors borrowed
   * @param field the column of the table that they are of
   * @param fragmentIds of the rows
   * @return owned by the caller
   */
  public static ArrayData ofStored(
      ArrayData descriptors, LanceField field, long[] fragmentIds, BufferAllocator allocator) {
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      ArrowBuf fragments = owned.allocate((long) fragmentIds.length * Long.BYTES);
      ArrowBuf fields = owned.allocate((long) fragmentIds.length * Integer.BYTES);
      for (int row = 0; row < fragmentIds.length; row++) {
        fragments.setLong((long) row * Long.BYTES, fragmentIds[row]);
        fields.setInt((long) row * Integer.BYTES, field.id());
      }
      ArrayData[] children = new ArrayData[CHILDREN.size()];
      children[URI] = descriptors.child(BlobV2Fields.BLOB_URI);
      children[POSITION] = descriptors.child(BlobV2Fields.POSITION);
      children[SIZE] = descriptors.child(BlobV2Fields.SIZE);
      children[KIND] = descriptors.child(BlobV2Fields.KIND);
      children[BLOB_ID] = descriptors.child(BlobV2Fields.BLOB_ID);
      children[FRAGMENT] = new ArrayData(fragmentIds.length, 0, new ArrowBuf[] {null, fragments});
      children[FIELD] = new ArrayData(fragmentIds.length, 0, new ArrowBuf[] {null, fields});
      return struct(descriptors, children, allocator);
    }
  }

  /**
   * @param parent says which are null
   * @param children borrowed; null for those that no blob has
   */
  private static ArrayData struct(
      ArrayData parent, ArrayData[] children, BufferAllocator allocator) {
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      ArrayData[] all = new ArrayData[children.length];
      for (int i = 0; i < all.length; i++) {
        all[i] =
            owned.own(
                children[i] == null
                    ? NullArrays.of(CHILDREN.get(i).toArrow(), parent.length(), allocator)
                    : children[i].retain());
      }
      ArrowBuf validity = parent.validity();
      if (validity != null) {
        validity.getReferenceManager().retain();
        owned.own(validity);
      }
      return owned.release(
          new ArrayData(parent.length(), parent.nullCount(), new ArrowBuf[] {validity}, all));
    }
  }

  /**
   * The columns of a batch, with given blobs in the form of this class.
   *
   * @param columns taken over
   * @return owned by the caller
   */
  public static List<ArrayData> ofGiven(
      LanceSchema schema, List<ArrayData> columns, BufferAllocator allocator) {
    List<ArrayData> pending = new ArrayList<>(columns);
    boolean complete = false;
    try {
      for (int i = 0; i < pending.size(); i++) {
        LanceField field = schema.fields().get(i);
        if (BlobV2Fields.isBlob(field)) {
          replace(pending, i, blobs -> ofGiven(blobs, field.name(), allocator));
        }
      }
      complete = true;
      return pending;
    } finally {
      if (!complete) {
        pending.forEach(ArrayData::close);
      }
    }
  }

  /**
   * The columns of a batch, with stored blobs in the form of this class.
   *
   * @param columns in which blobs are descriptors; taken over
   * @param fragmentIds of the rows
   * @return owned by the caller
   */
  public static List<ArrayData> ofStored(
      LanceSchema schema, List<ArrayData> columns, long[] fragmentIds, BufferAllocator allocator) {
    List<ArrayData> pending = new ArrayList<>(columns);
    boolean complete = false;
    try {
      for (int i = 0; i < pending.size(); i++) {
        LanceField field = schema.fields().get(i);
        if (BlobV2Fields.isBlob(field)) {
          replace(pending, i, blobs -> ofStored(blobs, field, fragmentIds, allocator));
        }
      }
      complete = true;
      return pending;
    } finally {
      if (!complete) {
        pending.forEach(ArrayData::close);
      }
    }
  }

  private static void replace(
      List<ArrayData> columns, int index, UnaryOperator<ArrayData> replacement) {
    ArrayData old = columns.get(index);
    columns.set(index, replacement.apply(old));
    old.close();
  }
}
