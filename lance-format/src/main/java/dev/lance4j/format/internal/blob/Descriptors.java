package dev.lance4j.format.internal.blob;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.data.OwnedBuffers;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Builds the descriptors of blobs: a struct of kind, position, size, blob id and URI. */
final class Descriptors implements AutoCloseable {
  // Any will do, but release 7.0.0 takes 0 for a null.
  private static final long EMPTY_POSITION = 64;

  private final OwnedBuffers owned;
  private final GrowableBuffer uris;
  private final ArrowBuf kinds;
  private final ArrowBuf positions;
  private final ArrowBuf sizes;
  private final ArrowBuf blobIds;
  private final ArrowBuf uriEnds;
  private int count;

  /**
   * @param rows the number of descriptors to come
   */
  Descriptors(int rows, BufferAllocator allocator) {
    this.owned = new OwnedBuffers(allocator);
    this.uris = new GrowableBuffer(allocator, 0);
    boolean complete = false;
    try {
      this.kinds = owned.zeros(rows);
      this.positions = owned.zeros((long) rows * Long.BYTES);
      this.sizes = owned.zeros((long) rows * Long.BYTES);
      this.blobIds = owned.zeros((long) rows * Integer.BYTES);
      this.uriEnds = owned.zeros((rows + 1L) * Integer.BYTES);
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  /** Adds a blob without bytes. */
  void addEmpty() {
    add(BlobKind.INLINE, EMPTY_POSITION, 0, 0, "");
  }

  /** Adds what lies under a null. */
  void addNull() {
    add(BlobKind.INLINE, 0, 0, 0, "");
  }

  /** Adds one that is known already. */
  void add(BlobDescriptor blob) {
    add((byte) blob.kind(), blob.position(), blob.size(), blob.blobId(), blob.uri());
  }

  void add(BlobKind kind, long position, long size, int blobId, String uri) {
    add(kind.code(), position, size, blobId, uri);
  }

  private void add(byte kind, long position, long size, int blobId, String uri) {
    kinds.setByte(count, kind);
    positions.setLong((long) count * Long.BYTES, position);
    sizes.setLong((long) count * Long.BYTES, size);
    blobIds.setInt((long) count * Integer.BYTES, blobId);
    byte[] text = uri.getBytes(UTF_8);
    uris.append(ByteBuffer.wrap(text), 0, text.length);
    count++;
    uriEnds.setInt((long) count * Integer.BYTES, Math.toIntExact(uris.size()));
  }

  /**
   * All of them.
   *
   * @param validity of the structs, borrowed; null when none is null
   * @return owned by the caller
   */
  ArrayData finish(ArrowBuf validity, int nullCount) {
    if (validity != null) {
      validity.getReferenceManager().retain();
    }
    return owned.release(
        new ArrayData(
            count,
            nullCount,
            new ArrowBuf[] {validity},
            fixed(kinds),
            fixed(positions),
            fixed(sizes),
            fixed(blobIds),
            new ArrayData(count, 0, new ArrowBuf[] {null, uriEnds, uris.take()})));
  }

  private ArrayData fixed(ArrowBuf values) {
    return new ArrayData(count, 0, new ArrowBuf[] {null, values});
  }

  @Override
  public void close() {
    owned.close();
    uris.close();
  }
}
