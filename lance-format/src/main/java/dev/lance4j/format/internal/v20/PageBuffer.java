package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.io.RangeRequests;
import dev.lance4j.format.internal.kernel.Compression;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.proto.encodings.Buffer;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;

/**
 * One buffer of a page. A buffer that cannot be read in part, or that every read needs whole, is
 * read whole and remembered for as long as memory allows.
 */
final class PageBuffer {
  private final PageInfo page;
  private final long offset;
  private final long size;
  private final long plainSize;
  private final Compression.Scheme scheme;
  private final boolean whole;
  private volatile SoftReference<ByteBuffer> remembered = new SoftReference<>(null);

  /**
   * @param plainSize the bytes that the values need
   * @param whole whether reads should always fetch the whole buffer
   */
  PageBuffer(
      PageInfo page, Buffer message, Compression.Scheme scheme, long plainSize, boolean whole) {
    if (message.getBufferType() != Buffer.BufferType.page) {
      throw page.unsupported("a buffer outside the page");
    }
    this.page = page;
    this.offset = page.bufferOffset(message.getBufferIndex());
    this.size = page.bufferSize(message.getBufferIndex());
    this.plainSize = plainSize;
    this.scheme = scheme;
    this.whole = whole || scheme != Compression.Scheme.NONE;
    if (scheme == Compression.Scheme.NONE && size < plainSize) {
      throw page.corrupt("a buffer of " + size + " bytes, the values need " + plainSize);
    }
  }

  /** Whether reads fetch the whole buffer. */
  boolean isWhole() {
    return whole;
  }

  /** Asks for bytes of a buffer that can be read in part. */
  RangeRequests.Slot request(RangeRequests requests, long from, long length) {
    return requests.add(offset + from, length);
  }

  /** Starts a read of the whole buffer. */
  Whole readWhole() {
    return new Whole();
  }

  private ByteBuffer decompress(ByteBuffer stored) {
    if (scheme == Compression.Scheme.NONE) {
      return stored;
    }
    ByteBuffer plain;
    try {
      plain = Compression.decompress(scheme, stored, plainSize);
    } catch (IllegalArgumentException e) {
      throw page.corrupt("a damaged " + scheme + " buffer: " + e.getMessage(), e);
    }
    if (plain.limit() < plainSize) {
      throw page.corrupt(
          "a buffer of " + plain.limit() + " bytes unpacked, the values need " + plainSize);
    }
    return plain;
  }

  /** A read of the whole buffer, without IO when it is remembered. */
  final class Whole {
    private ByteBuffer plain = remembered.get();
    private RangeRequests.Slot slot;

    private Whole() {}

    /** Asks for the bytes unless they are there; false when nothing was asked for. */
    boolean request(RangeRequests requests) {
      if (plain != null || slot != null) {
        return false;
      }
      slot = requests.add(offset, size);
      return true;
    }

    /** All bytes, uncompressed, from position 0. */
    ByteBuffer bytes() {
      if (plain == null) {
        plain = decompress(slot.bytes());
        remembered = new SoftReference<>(plain);
      }
      return plain;
    }
  }
}
