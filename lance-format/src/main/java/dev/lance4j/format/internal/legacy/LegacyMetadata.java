package dev.lance4j.format.internal.legacy;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.file.Metadata;
import dev.lance4j.format.store.ObjectReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The metadata of a 0.1 file: where each batch begins, and where the page table is. */
public final class LegacyMetadata {
  /** Bytes at the end of a file: the position of the metadata, the version and the magic. */
  public static final int FOOTER_SIZE = 16;

  private final ObjectReader reader;
  private final Metadata message;
  private final int[] batchOffsets;

  private LegacyMetadata(ObjectReader reader, Metadata message) {
    this.reader = reader;
    this.message = message;
    int count = Math.max(message.getBatchOffsetsCount(), 1);
    this.batchOffsets = new int[count];
    for (int i = 0; i < message.getBatchOffsetsCount(); i++) {
      batchOffsets[i] = message.getBatchOffsets(i);
      if (i == 0 ? batchOffsets[i] != 0 : batchOffsets[i] < batchOffsets[i - 1]) {
        throw corrupt("the batch offsets do not ascend from 0");
      }
    }
  }

  /** Reads the metadata of a file that is known to be of version 0.1. */
  public static LegacyMetadata read(ObjectReader reader) {
    long size = reader.size();
    if (size < FOOTER_SIZE) {
      throw new CorruptFileException(
          reader.path(), 0, "the file has " + size + " bytes, fewer than a footer's 16");
    }
    long position = reader.read(size - FOOTER_SIZE, 8).getLong(0);
    ByteBuffer bytes = prefixed(reader, position, size - FOOTER_SIZE);
    try {
      return new LegacyMetadata(reader, Metadata.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(reader.path(), position, "unreadable metadata", e);
    }
  }

  /** A message behind its 32-bit length. */
  private static ByteBuffer prefixed(ObjectReader reader, long position, long limit) {
    if (position < 0 || position > limit - 4) {
      throw new CorruptFileException(
          reader.path(), position, "a message should begin here, outside the file's " + limit);
    }
    long length = Integer.toUnsignedLong(reader.read(position, 4).getInt(0));
    if (length > limit - position - 4) {
      throw new CorruptFileException(
          reader.path(), position, "a message of " + length + " bytes does not fit in the file");
    }
    return reader.read(position + 4, Math.toIntExact(length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The serialised manifest that the file embeds, which holds its schema; null if there is none.
   */
  public ByteBuffer embeddedManifest() {
    long position = message.getManifestPosition();
    return position == 0 && message.getBatchOffsetsCount() > 1
        ? null
        : prefixed(reader, position, reader.size() - FOOTER_SIZE);
  }

  /** The number of rows. */
  public long rows() {
    return batchOffsets[batchOffsets.length - 1];
  }

  /** The first row of each batch, and the number of rows. */
  public long[] batchOffsets() {
    return Arrays.stream(batchOffsets).asLongStream().toArray();
  }

  /** About how many bytes of memory this takes. */
  public long memoryBytes() {
    return 8L * batchOffsets.length + 1024;
  }

  int batches() {
    return batchOffsets.length - 1;
  }

  int firstRow(int batch) {
    return batchOffsets[batch];
  }

  /** The rows of a batch. */
  int batchRows(int batch) {
    return batchOffsets[batch + 1] - batchOffsets[batch];
  }

  /** The batch that holds a row. */
  int batchOf(long row) {
    int low = 0;
    int high = batches() - 1;
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (batchOffsets[mid + 1] <= row) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low;
  }

  /**
   * Reads the entries of the page table for one field.
   *
   * @param slot the field's place in the table: its id less the lowest id of the file
   */
  Page[] pages(int slot) {
    long start = message.getPageTablePosition() + 16L * slot * batches();
    long size = 16L * batches();
    if (start < 0 || slot < 0 || start > reader.size() - size) {
      throw corrupt("the page table does not have an entry for field slot " + slot);
    }
    ByteBuffer table = reader.read(start, Math.toIntExact(size));
    Page[] pages = new Page[batches()];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = new Page(table.getLong(16 * i), table.getLong(16 * i + 8));
      if (pages[i].position < 0 || pages[i].position > reader.size() || pages[i].length < 0) {
        throw corrupt("page " + i + " of field slot " + slot + " is outside the file");
      }
    }
    return pages;
  }

  CorruptFileException corrupt(String what) {
    return new CorruptFileException(reader.path(), -1, what);
  }

  /**
   * One page.
   *
   * @param position in the file
   * @param length in rows; for lists one more
   */
  record Page(long position, long length) {}
}
