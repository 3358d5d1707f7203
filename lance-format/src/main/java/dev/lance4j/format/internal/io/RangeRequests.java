package dev.lance4j.format.internal.io;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.ByteRange;
import dev.lance4j.format.store.ObjectReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The byte ranges that the columns of a batch need in one round of reading. Everything is requested
 * first and read together, so that a store may join neighbours.
 */
public final class RangeRequests {
  private static final ByteBuffer EMPTY =
      ByteBuffer.allocateDirect(0).order(ByteOrder.LITTLE_ENDIAN);

  private final ObjectReader reader;
  private final List<ByteRange> ranges = new ArrayList<>();
  private final List<Slot> slots = new ArrayList<>();
  private long bytes;

  public RangeRequests(ObjectReader reader) {
    this.reader = reader;
  }

  /** The size of the file in bytes. */
  public long fileSize() {
    return reader.size();
  }

  /**
   * Asks for a range.
   *
   * @param offset first byte in the file
   * @param length in bytes; 0 gives an empty buffer and costs nothing
   * @throws CorruptFileException if the range is not inside the file
   */
  public Slot add(long offset, long length) {
    Slot slot = new Slot();
    if (length == 0) {
      slot.bytes = EMPTY;
      return slot;
    }
    if (offset < 0 || length < 0 || offset > reader.size() || length > reader.size() - offset) {
      throw new CorruptFileException(
          reader.path(),
          offset,
          "a buffer of " + length + " bytes reaches beyond the file's " + reader.size());
    }
    if (length > Integer.MAX_VALUE) {
      throw new UnsupportedFormatException(
          reader.path() + ": a single read of " + length + " bytes is above the limit of 2 GiB");
    }
    ranges.add(new ByteRange(offset, (int) length));
    bytes += length;
    slots.add(slot);
    return slot;
  }

  /** Reads everything that was asked for. */
  public void execute() {
    if (ranges.isEmpty()) {
      return;
    }
    List<ByteBuffer> buffers = reader.read(ranges);
    ReadMeter.ofThread().count(bytes);
    bytes = 0;
    for (int i = 0; i < buffers.size(); i++) {
      slots.get(i).bytes = buffers.get(i);
    }
    ranges.clear();
    slots.clear();
  }

  /** The bytes of one request, present once the requests were executed. */
  public static final class Slot {
    private ByteBuffer bytes;

    private Slot() {}

    /** Little-endian, from position 0 to the limit; not to be written to. */
    public ByteBuffer bytes() {
      if (bytes == null) {
        throw new IllegalStateException("the request was not executed yet");
      }
      return bytes;
    }
  }
}
