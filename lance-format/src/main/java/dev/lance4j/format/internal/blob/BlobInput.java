package dev.lance4j.format.internal.blob;

import static dev.lance4j.format.internal.blob.PendingBlobs.BLOB_ID;
import static dev.lance4j.format.internal.blob.PendingBlobs.DATA;
import static dev.lance4j.format.internal.blob.PendingBlobs.FIELD;
import static dev.lance4j.format.internal.blob.PendingBlobs.FRAGMENT;
import static dev.lance4j.format.internal.blob.PendingBlobs.KIND;
import static dev.lance4j.format.internal.blob.PendingBlobs.POSITION;
import static dev.lance4j.format.internal.blob.PendingBlobs.SIZE;
import static dev.lance4j.format.internal.blob.PendingBlobs.URI;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;

/** Blobs that are to be written, given or stored already; checked as they are looked at. */
final class BlobInput {
  private static final int MAX_PART = 1 << 30;

  private final ArrayData blobs;
  private final String column;

  /**
   * @throws InvalidInputException if the children are not those of blobs, or have fewer values than
   *     there are blobs
   */
  BlobInput(ArrayData blobs, String column) {
    this.blobs = blobs;
    this.column = column;
    if (blobs.children().size() <= FRAGMENT) {
      requireGiven(blobs, column);
    }
  }

  /**
   * Checks that blobs are structs of what is given of them.
   *
   * @throws InvalidInputException if they are not, or the children have fewer values than there are
   *     blobs
   */
  static void requireGiven(ArrayData blobs, String column) {
    boolean fits = blobs.children().size() == URI + 1 || blobs.children().size() == SIZE + 1;
    for (int i = 0; fits && i < blobs.children().size(); i++) {
      fits = blobs.child(i).bufferCount() == (i <= URI ? 3 : 2);
    }
    if (!fits) {
      throw new InvalidInputException(
          "Column '"
              + column
              + "' was given no structs of data and URI; pass what its schema says");
    }
    for (ArrayData child : blobs.children()) {
      if (child.length() < blobs.length()) {
        throw new InvalidInputException(
            String.format(
                "Column '%s' has %d blobs, but a child has only %d values; set the value count of"
                    + " every child vector",
                column, blobs.length(), child.length()));
      }
    }
  }

  int rows() {
    return blobs.length();
  }

  boolean isNull(int row) {
    return !blobs.isValid(row);
  }

  /** Whether a blob is stored already. */
  boolean isStored(int row) {
    return blobs.children().size() > FRAGMENT && !isNull(row) && blobs.child(FRAGMENT).isValid(row);
  }

  /** Whether a blob is stored already, and that in the table. */
  boolean hasStoredBytes(int row) {
    return isStored(row) && !descriptor(row).isExternal();
  }

  /** The fragment of a blob that is stored already. */
  long fragmentId(int row) {
    return blobs.child(FRAGMENT).buffer(1).getLong((long) row * Long.BYTES);
  }

  /** The id of the field whose files a blob that is stored already is in. */
  int fieldId(int row) {
    return blobs.child(FIELD).buffer(1).getInt((long) row * Integer.BYTES);
  }

  /** The descriptor of a blob that is stored already. */
  BlobDescriptor descriptor(int row) {
    return BlobDescriptor.of(
        blobs.child(KIND),
        blobs.child(POSITION),
        blobs.child(SIZE),
        blobs.child(BLOB_ID),
        blobs.child(URI),
        row);
  }

  /**
   * Whether a blob is given by its bytes, rather than by a URI.
   *
   * @throws InvalidInputException if it is given by both or neither
   */
  boolean hasData(int row) {
    boolean data = blobs.child(DATA).isValid(row);
    if (data == blobs.child(URI).isValid(row)) {
      throw invalid(row, data ? "has both data and a URI" : "has neither data nor a URI");
    }
    return data;
  }

  /** The number of bytes of a blob that is given by them. */
  long dataSize(int row) {
    ArrowBuf offsets = blobs.child(DATA).buffer(1);
    long start = offsets.getLong((long) row * Long.BYTES);
    long end = offsets.getLong((row + 1L) * Long.BYTES);
    if (start < 0 || start > end || end > capacity(blobs.child(DATA).buffer(2))) {
      throw invalid(row, "has data outside of its buffer");
    }
    if (hasRange(row)) {
      throw invalid(row, "has a position and a size, which belong to a URI, beside data");
    }
    return end - start;
  }

  /** The bytes of a blob that is given by them, in parts. */
  BlobContent data(int row) {
    long size = dataSize(row);
    long start = blobs.child(DATA).buffer(1).getLong((long) row * Long.BYTES);
    ByteBuffer[] parts = new ByteBuffer[Math.toIntExact((size + MAX_PART - 1) / MAX_PART)];
    for (int i = 0; i < parts.length; i++) {
      long at = (long) i * MAX_PART;
      int length = (int) Math.min(MAX_PART, size - at);
      parts[i] = blobs.child(DATA).buffer(2).nioBuffer(start + at, length);
    }
    return BlobContent.of(size, parts);
  }

  /** The URI of a blob that is given by it. */
  String uri(int row) {
    ArrowBuf offsets = blobs.child(URI).buffer(1);
    int start = offsets.getInt((long) row * Integer.BYTES);
    int end = offsets.getInt((row + 1L) * Integer.BYTES);
    if (start < 0 || start > end || end > capacity(blobs.child(URI).buffer(2))) {
      throw invalid(row, "has a URI outside of its buffer");
    }
    if (start == end) {
      throw invalid(row, "has an empty URI");
    }
    byte[] text = new byte[end - start];
    blobs.child(URI).buffer(2).getBytes(start, text);
    return new String(text, UTF_8);
  }

  private static long capacity(ArrowBuf buffer) {
    return buffer == null ? 0 : buffer.capacity();
  }

  /**
   * Whether a blob is only a part of the object at its URI.
   *
   * @throws InvalidInputException if position or size is there without the other
   */
  boolean hasRange(int row) {
    if (blobs.children().size() <= SIZE) {
      return false;
    }
    boolean position = blobs.child(POSITION).isValid(row);
    if (position != blobs.child(SIZE).isValid(row)) {
      throw invalid(row, "has a position without a size, or a size without a position");
    }
    return position;
  }

  /** Where the part begins. */
  long position(int row) {
    return blobs.child(POSITION).buffer(1).getLong((long) row * Long.BYTES);
  }

  /**
   * The number of bytes of the part.
   *
   * @throws InvalidInputException if it is 0 or the part ends above what 63 bits can count
   */
  long size(int row) {
    long size = blobs.child(SIZE).buffer(1).getLong((long) row * Long.BYTES);
    long position = position(row);
    if (size <= 0 || position < 0 || position > Long.MAX_VALUE - size) {
      throw invalid(
          row,
          String.format(
              "is the %s bytes from %s on, which is no part of an object",
              Long.toUnsignedString(size), Long.toUnsignedString(position)));
    }
    return size;
  }

  private InvalidInputException invalid(int row, String problem) {
    return new InvalidInputException(
        String.format("The blob in row %d of a batch of column '%s' %s", row, column, problem));
  }
}
