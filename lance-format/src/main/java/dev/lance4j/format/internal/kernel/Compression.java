package dev.lance4j.format.internal.kernel;

import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * General-purpose compression of buffers, in the framing that all file versions from 2.0 on share:
 * LZ4 is a {@code u32} uncompressed size and a raw block, zstd a {@code u64} uncompressed size and
 * a frame. Old files hold zstd frames without the size; they are recognised by their first bytes.
 * An empty zstd buffer stands for no bytes.
 *
 * <p>Inputs are the bytes from position to limit; position, limit and byte order stay as they are.
 */
public final class Compression {
  /** How a buffer is compressed. */
  public enum Scheme {
    /** The bytes as they are, without a size in front. */
    NONE,
    LZ4,
    ZSTD
  }

  /** The largest array that every JVM can allocate. */
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

  private static final int LZ4_PREFIX = Integer.BYTES;
  private static final int ZSTD_PREFIX = Long.BYTES;

  /** The step of LZ4's length codes: no byte of a block stands for more bytes of output. */
  private static final int LZ4_MAX_RATIO = 255;

  private static final int ZSTD_MAGIC = 0xFD2FB528;
  private static final int ZSTD_MAX_BLOCK = 128 * 1024;

  /** A block that repeats a byte: three bytes of header, and the byte. */
  private static final int ZSTD_MIN_BLOCK_BYTES = 4;

  /** Codecs own large tables, and values may be compressed one by one. */
  private static final ThreadLocal<Codecs> CODECS = ThreadLocal.withInitial(Codecs::new);

  private Compression() {}

  /**
   * The size of the uncompressed bytes as the buffer states it, or, for an old zstd frame that does
   * not state it, as decompressing it shows.
   *
   * @throws IllegalArgumentException if the buffer is malformed or too short to hold that much, or
   *     if an old frame holds more than 2 GiB
   */
  public static long decompressedSize(Scheme scheme, ByteBuffer in) {
    return switch (scheme) {
      case NONE -> in.remaining();
      case LZ4 -> lz4Size(in);
      case ZSTD -> zstdSize(in);
    };
  }

  /**
   * Decompresses a buffer.
   *
   * @param maxBytes the most bytes that the caller can make use of; nothing larger is allocated
   * @return a little-endian heap buffer of its own, from position 0 to the limit
   * @throws IllegalArgumentException if the buffer is malformed or holds more than {@code maxBytes}
   */
  public static ByteBuffer decompress(Scheme scheme, ByteBuffer in, long maxBytes) {
    byte[] bytes =
        switch (scheme) {
          case NONE -> {
            checkLimit(in.remaining(), maxBytes);
            yield copy(in);
          }
          case LZ4 -> {
            int size = checkLimit(lz4Size(in), maxBytes);
            yield decompress(CODECS.get().lz4Decompressor, HeapBytes.of(in, LZ4_PREFIX), size);
          }
          case ZSTD -> decompressZstd(in, maxBytes);
        };
    return littleEndian(ByteBuffer.wrap(bytes));
  }

  /**
   * Compresses a buffer.
   *
   * @param level the level that the user asked for; the codecs in pure Java have one level only,
   *     which corresponds to zstd's default of 3, so it has no effect
   * @return a little-endian heap buffer with the size in front, from position 0 to the limit
   * @throws IllegalArgumentException if the buffer is too large to be compressed as one unit
   */
  public static ByteBuffer compress(Scheme scheme, int level, ByteBuffer in) {
    return switch (scheme) {
      case NONE -> littleEndian(ByteBuffer.wrap(copy(in)));
      case LZ4 -> compress(CODECS.get().lz4Compressor, in, LZ4_PREFIX).putInt(0, in.remaining());
      case ZSTD ->
          compress(CODECS.get().zstdCompressor, in, ZSTD_PREFIX).putLong(0, in.remaining());
    };
  }

  private static long lz4Size(ByteBuffer in) {
    if (in.remaining() < LZ4_PREFIX) {
      throw new IllegalArgumentException(
          "an LZ4 buffer of " + in.remaining() + " bytes has no room for its size");
    }
    long size = Integer.toUnsignedLong(littleEndian(in).getInt(in.position()));
    return checkPlausible(size, (in.remaining() - LZ4_PREFIX) * (long) LZ4_MAX_RATIO, in);
  }

  private static long zstdSize(ByteBuffer in) {
    if (!in.hasRemaining()) {
      return 0;
    }
    if (!isBareFrame(in)) {
      return prefixedSize(in);
    }
    long stated = frameContentSize(in);
    return stated >= 0 ? stated : countFrame(in);
  }

  private static byte[] decompressZstd(ByteBuffer in, long maxBytes) {
    if (!in.hasRemaining()) {
      return new byte[0];
    }
    boolean bare = isBareFrame(in);
    long stated = bare ? frameContentSize(in) : prefixedSize(in);
    if (stated < 0) {
      return streamFrame(in, maxBytes);
    }
    HeapBytes frame = HeapBytes.of(in, bare ? 0 : ZSTD_PREFIX);
    return decompress(CODECS.get().zstdDecompressor, frame, checkLimit(stated, maxBytes));
  }

  /** Whether this is a zstd frame as old files have it, without the size in front. */
  private static boolean isBareFrame(ByteBuffer in) {
    if (in.remaining() < ZSTD_PREFIX) {
      return true;
    }
    int start = in.position();
    return littleEndian(in).getInt(start) == ZSTD_MAGIC
        && (in.get(start + Integer.BYTES) & 0x10) == 0;
  }

  private static long prefixedSize(ByteBuffer in) {
    long size = littleEndian(in).getLong(in.position());
    return checkPlausible(size, zstdBound(in.remaining() - ZSTD_PREFIX), in);
  }

  /** The size that the header of a bare frame states, or -1 if it states none. */
  private static long frameContentSize(ByteBuffer in) {
    HeapBytes frame = HeapBytes.of(in, 0);
    long size;
    try {
      size = ZstdDecompressor.getDecompressedSize(frame.array, frame.offset, frame.length);
    } catch (RuntimeException e) {
      throw malformed(e);
    }
    return size == -1 ? -1 : checkPlausible(size, zstdBound(frame.length), in);
  }

  private static long zstdBound(int frameBytes) {
    return frameBytes / ZSTD_MIN_BLOCK_BYTES * (long) ZSTD_MAX_BLOCK;
  }

  private static long countFrame(ByteBuffer in) {
    long size;
    try (InputStream stream = HeapBytes.of(in, 0).zstdStream()) {
      size = stream.skip(MAX_ARRAY + 1L);
    } catch (IOException | RuntimeException e) {
      throw malformed(e);
    }
    return checkLimit(size, MAX_ARRAY);
  }

  /** Decompresses a frame of unknown size; memory grows with what the frame really holds. */
  private static byte[] streamFrame(ByteBuffer in, long maxBytes) {
    int limit = (int) Math.min(maxBytes, MAX_ARRAY - 1);
    byte[] bytes;
    try (InputStream stream = HeapBytes.of(in, 0).zstdStream()) {
      bytes = stream.readNBytes(limit + 1);
    } catch (IOException | RuntimeException e) {
      throw malformed(e);
    }
    checkLimit(bytes.length, limit);
    return bytes;
  }

  private static byte[] decompress(Decompressor decompressor, HeapBytes in, int size) {
    byte[] out = new byte[size];
    int written;
    try {
      written = decompressor.decompress(in.array, in.offset, in.length, out, 0, size);
    } catch (RuntimeException e) {
      throw malformed(e);
    }
    if (written != size) {
      throw new IllegalArgumentException(
          "the compressed bytes hold " + written + " bytes instead of " + size);
    }
    return out;
  }

  private static ByteBuffer compress(Compressor compressor, ByteBuffer in, int prefix) {
    HeapBytes bytes = HeapBytes.of(in, 0);
    // Beyond this the library's own bound overflows.
    if (bytes.length > MAX_ARRAY - MAX_ARRAY / 128) {
      throw new IllegalArgumentException(
          bytes.length + " bytes are too many to be compressed as one unit");
    }
    byte[] out = new byte[prefix + compressor.maxCompressedLength(bytes.length)];
    int written =
        compressor.compress(
            bytes.array, bytes.offset, bytes.length, out, prefix, out.length - prefix);
    return littleEndian(ByteBuffer.wrap(out, 0, prefix + written).slice());
  }

  private static long checkPlausible(long size, long justified, ByteBuffer in) {
    if (size < 0 || size > justified) {
      throw new IllegalArgumentException(
          in.remaining()
              + " compressed bytes cannot hold the "
              + Long.toUnsignedString(size)
              + " bytes that they state");
    }
    return size;
  }

  private static int checkLimit(long size, long maxBytes) {
    if (size > maxBytes || size > MAX_ARRAY) {
      throw new IllegalArgumentException(
          "decompressed " + size + " bytes are above the limit of " + maxBytes);
    }
    return (int) size;
  }

  private static IllegalArgumentException malformed(Exception cause) {
    return new IllegalArgumentException("malformed compressed bytes: " + cause.getMessage(), cause);
  }

  private static byte[] copy(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.get(in.position(), bytes);
    return bytes;
  }

  private static ByteBuffer littleEndian(ByteBuffer in) {
    return in.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The codecs of one thread; they hold state while they work. */
  private static final class Codecs {
    final Compressor lz4Compressor = new Lz4Compressor();
    final Decompressor lz4Decompressor = new Lz4Decompressor();
    final Compressor zstdCompressor = new ZstdCompressor();
    final Decompressor zstdDecompressor = new ZstdDecompressor();
  }

  /**
   * The bytes of a buffer on the heap. The codecs use unchecked memory access; given an array, a
   * read too far on hostile bytes stays in the heap and cannot fault on an unmapped page.
   */
  private static final class HeapBytes {
    final byte[] array;
    final int offset;
    final int length;

    private HeapBytes(byte[] array, int offset, int length) {
      this.array = array;
      this.offset = offset;
      this.length = length;
    }

    /** The bytes from position + skip to the limit. */
    static HeapBytes of(ByteBuffer in, int skip) {
      int start = in.position() + skip;
      int length = in.remaining() - skip;
      if (in.hasArray()) {
        return new HeapBytes(in.array(), in.arrayOffset() + start, length);
      }
      byte[] bytes = new byte[length];
      in.get(start, bytes);
      return new HeapBytes(bytes, 0, length);
    }

    InputStream zstdStream() {
      return new ZstdInputStream(new ByteArrayInputStream(array, offset, length));
    }
  }
}
