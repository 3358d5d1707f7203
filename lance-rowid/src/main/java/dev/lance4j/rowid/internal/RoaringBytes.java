package dev.lance4j.rowid.internal;

import com.google.protobuf.ByteString;
import dev.lance4j.format.CorruptFileException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.roaringbitmap.RoaringBitmap;

/** The portable serialisation of 32-bit Roaring bitmaps. */
public final class RoaringBytes {
  private static final int COOKIE = 12346;
  private static final int COOKIE_WITH_RUNS = 12347;
  private static final int NO_OFFSETS_BELOW = 4;
  private static final int MAX_CONTAINERS = 1 << 16;
  private static final int MAX_ARRAY = 4096;
  private static final int BITSET_BYTES = 8192;

  private final ByteBuffer in;
  private final String path;
  private final long origin;

  private RoaringBytes(ByteBuffer bytes, String path, long origin) {
    this.in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    this.path = path;
    this.origin = origin;
  }

  /**
   * Parses a bitmap; what follows it is ignored.
   *
   * @param path where the bytes are from, for errors
   * @param position of the bytes in there, or -1 if they have no single one
   * @throws CorruptFileException if the bytes are no bitmap or are cut off
   */
  public static RoaringBitmap parse(ByteBuffer bytes, String path, long position) {
    RoaringBytes check = new RoaringBytes(bytes, path, position);
    try {
      check.check();
      RoaringBitmap bitmap = new RoaringBitmap();
      bitmap.deserialize(bytes.slice().order(ByteOrder.LITTLE_ENDIAN));
      return bitmap;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new CorruptFileException(path, position, "the Roaring bitmap is cut off", e);
    } catch (IOException e) {
      throw new CorruptFileException(path, position, "not a Roaring bitmap", e);
    }
  }

  /**
   * Parses a bitmap that others follow, and moves the buffer's position behind it.
   *
   * @param path where the bytes are from, for errors
   * @throws CorruptFileException if the bytes are no bitmap or are cut off
   */
  public static RoaringBitmap parseNext(ByteBuffer bytes, String path) {
    RoaringBytes next = new RoaringBytes(bytes, path, -1);
    try {
      next.check();
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new CorruptFileException(path, -1, "the Roaring bitmap is cut off", e);
    }
    int length = next.in.position();
    RoaringBitmap bitmap = parse(bytes.slice(bytes.position(), length), path, -1);
    bytes.position(bytes.position() + length);
    return bitmap;
  }

  /** Serialises without run containers, as the reference implementation does. */
  public static ByteString toBytes(RoaringBitmap bitmap) {
    RoaringBitmap plain = bitmap.clone();
    plain.removeRunCompression();
    return ByteString.copyFrom(toBytesWithRuns(plain));
  }

  /** Serialises with the run containers that the bitmap has. */
  static byte[] toBytesWithRuns(RoaringBitmap bitmap) {
    byte[] bytes = new byte[bitmap.serializedSizeInBytes()];
    bitmap.serialize(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    return bytes;
  }

  // The library trusts its input; values that are out of order would break its searches.
  private void check() {
    int cookie = in.getInt();
    boolean withRuns = (cookie & 0xFFFF) == COOKIE_WITH_RUNS;
    require(withRuns || cookie == COOKIE, "the bytes do not start with a Roaring cookie");
    int count = withRuns ? (cookie >>> 16) + 1 : in.getInt();
    require(count >= 0 && count <= MAX_CONTAINERS, "there are " + count + " containers");
    byte[] runs = new byte[withRuns ? (count + 7) / 8 : 0];
    in.get(runs);
    int[] cardinalities = new int[Math.min(count, in.remaining() / 4)];
    require(cardinalities.length == count, "the container list is cut off");
    int previousKey = -1;
    for (int i = 0; i < count; i++) {
      int key = Short.toUnsignedInt(in.getShort());
      require(key > previousKey, "the container keys do not ascend");
      previousKey = key;
      cardinalities[i] = Short.toUnsignedInt(in.getShort()) + 1;
    }
    if (!withRuns || count >= NO_OFFSETS_BELOW) {
      skip(4 * count);
    }
    for (int i = 0; i < count; i++) {
      checkContainer(withRuns && (runs[i / 8] >> (i % 8) & 1) != 0, cardinalities[i]);
    }
  }

  private void checkContainer(boolean run, int cardinality) {
    if (run) {
      checkRuns();
    } else if (cardinality <= MAX_ARRAY) {
      checkArray(cardinality);
    } else {
      checkBitset(cardinality);
    }
  }

  private void checkRuns() {
    int runs = Short.toUnsignedInt(in.getShort());
    int end = -1;
    for (int i = 0; i < runs; i++) {
      int start = Short.toUnsignedInt(in.getShort());
      require(start > end, "the runs of a container overlap");
      end = start + Short.toUnsignedInt(in.getShort());
      require(end <= 0xFFFF, "a run leaves its container");
    }
  }

  private void checkArray(int cardinality) {
    int previous = -1;
    for (int i = 0; i < cardinality; i++) {
      int value = Short.toUnsignedInt(in.getShort());
      require(value > previous, "the values of a container do not ascend");
      previous = value;
    }
  }

  private void checkBitset(int cardinality) {
    int bits = 0;
    for (int i = 0; i < BITSET_BYTES / 8; i++) {
      bits += Long.bitCount(in.getLong());
    }
    require(bits == cardinality, "a container has " + bits + " values, not " + cardinality);
  }

  private void skip(int bytes) {
    in.position(in.position() + bytes);
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      long position = origin < 0 ? origin : origin + in.position();
      throw new CorruptFileException(path, position, otherwise);
    }
  }
}
