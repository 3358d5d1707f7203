package dev.lance4j.format.internal.blob;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.format.internal.data.ArrayData;
import org.apache.arrow.memory.ArrowBuf;

/**
 * What a file of version 2.2 holds of a blob.
 *
 * @param kind the number of a {@link BlobKind}
 * @param position where the bytes begin in their object
 * @param size the number of bytes; of an external blob 0 for the whole object
 * @param blobId the number of an object that belongs to the data file, or the id of the base path
 *     that an external one lies below
 * @param uri of an external blob; empty for others
 */
public record BlobDescriptor(int kind, long position, long size, int blobId, String uri) {
  /** The descriptor in a row, which is not null, of an array of them. */
  public static BlobDescriptor of(ArrayData descriptors, int row) {
    return of(
        descriptors.child(BlobV2Fields.KIND),
        descriptors.child(BlobV2Fields.POSITION),
        descriptors.child(BlobV2Fields.SIZE),
        descriptors.child(BlobV2Fields.BLOB_ID),
        descriptors.child(BlobV2Fields.BLOB_URI),
        row);
  }

  static BlobDescriptor of(
      ArrayData kinds,
      ArrayData positions,
      ArrayData sizes,
      ArrayData blobIds,
      ArrayData uris,
      int row) {
    return new BlobDescriptor(
        Byte.toUnsignedInt(kinds.buffer(1).getByte(row)),
        positions.buffer(1).getLong((long) row * Long.BYTES),
        sizes.buffer(1).getLong((long) row * Long.BYTES),
        blobIds.buffer(1).getInt((long) row * Integer.BYTES),
        text(uris, row));
  }

  private static String text(ArrayData texts, int row) {
    ArrowBuf ends = texts.buffer(1);
    int start = ends.getInt((long) row * Integer.BYTES);
    byte[] text = new byte[ends.getInt((row + 1L) * Integer.BYTES) - start];
    if (text.length > 0) {
      texts.buffer(2).getBytes(start, text);
    }
    return new String(text, UTF_8);
  }

  /** Whether the blob is in an object that the table does not own. */
  boolean isExternal() {
    return BlobKind.of(kind).filter(BlobKind.EXTERNAL::equals).isPresent();
  }
}
