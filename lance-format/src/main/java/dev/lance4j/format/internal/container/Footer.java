package dev.lance4j.format.internal.container;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The last 40 bytes of a 2.x file.
 *
 * @param columnMetadataStart position of the first column's metadata
 * @param columnTableStart position of the table of column metadata
 * @param globalBufferTableStart position of the table of global buffers
 */
record Footer(
    long columnMetadataStart,
    long columnTableStart,
    long globalBufferTableStart,
    int globalBuffers,
    int columns,
    FileVersion version) {
  static final int SIZE = 40;

  /** The part that all versions share: two version numbers and the magic. */
  static final int VERSION_SIZE = 8;

  /** Bytes of one entry of the tables: a position and a length. */
  static final int ENTRY_SIZE = 16;

  // "LANC" read as a little-endian int.
  private static final int MAGIC = 0x434E414C;

  /**
   * Parses the version at the end of a file.
   *
   * @param tail the last bytes of the file, at least {@link #VERSION_SIZE}
   */
  static FileVersion version(ByteBuffer tail, String path, long fileSize) {
    int at = tail.limit() - VERSION_SIZE;
    if (tail.getInt(at + 4) != MAGIC) {
      throw new CorruptFileException(
          path,
          fileSize - 4,
          String.format(
              "not a Lance file: the last four bytes are %08x, expected 'LANC'",
              Integer.reverseBytes(tail.getInt(at + 4))));
    }
    return FileVersion.of(
        Short.toUnsignedInt(tail.getShort(at)), Short.toUnsignedInt(tail.getShort(at + 2)));
  }

  /** Parses the footer at the end of {@code tail} and checks that its positions are in order. */
  static Footer parse(ByteBuffer tail, String path, long fileSize) {
    int at = tail.limit() - SIZE;
    Footer footer =
        new Footer(
            tail.getLong(at),
            tail.getLong(at + 8),
            tail.getLong(at + 16),
            tail.getInt(at + 24),
            tail.getInt(at + 28),
            version(tail, path, fileSize));
    footer.check(path, fileSize - SIZE);
    return footer;
  }

  private void check(String path, long footerStart) {
    boolean ordered =
        0 <= columnMetadataStart
            && columnMetadataStart <= columnTableStart
            && columnTableStart <= globalBufferTableStart
            && globalBufferTableStart <= footerStart;
    if (!ordered) {
      throw new CorruptFileException(
          path,
          footerStart,
          String.format(
              "the footer's positions %d, %d, %d do not ascend to at most %d",
              columnMetadataStart, columnTableStart, globalBufferTableStart, footerStart));
    }
    checkTable(path, "column", columns, globalBufferTableStart - columnTableStart);
    checkTable(path, "global buffer", globalBuffers, footerStart - globalBufferTableStart);
  }

  private void checkTable(String path, String what, int count, long bytes) {
    if (count < 0 || (long) count * ENTRY_SIZE > bytes) {
      throw new CorruptFileException(
          path,
          -1,
          String.format(
              "the table of %d %ss does not fit in its %d bytes",
              Integer.toUnsignedLong(count), what, bytes));
    }
  }

  void writeTo(ByteBuffer out) {
    out.order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(columnMetadataStart)
        .putLong(columnTableStart)
        .putLong(globalBufferTableStart)
        .putInt(globalBuffers)
        .putInt(columns)
        .putShort((short) version.footerMajor())
        .putShort((short) version.footerMinor())
        .putInt(MAGIC);
  }
}
