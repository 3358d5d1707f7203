package dev.lance4j.index.vector.internal.storage;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import java.nio.ByteBuffer;

/** How the files of a segment are laid out. */
public enum LayoutVersion {
  /** One file that is no Lance file, written up to version 0.18 and seldom later. */
  LEGACY,
  /** Two Lance files. */
  CURRENT;

  private static final int FOOTER = 8;
  // "LANC" read as a little-endian int.
  private static final int MAGIC = 0x434E414C;

  /**
   * Reads which layout a segment has.
   *
   * @param directory of the segment
   * @throws CorruptFileException if its file is damaged
   * @throws UnsupportedFormatException if the layout is not known
   */
  public static LayoutVersion of(ObjectStore store, String directory) {
    String path = directory + "/" + GraphFile.NAME;
    try (ObjectReader reader = store.open(path)) {
      if (reader.size() < FOOTER) {
        throw new CorruptFileException(path, 0, "the file is shorter than a footer");
      }
      ByteBuffer footer = reader.read(reader.size() - FOOTER, FOOTER);
      if (footer.getInt(4) != MAGIC) {
        throw new CorruptFileException(
            path, reader.size() - 4, "not an index file: the last four bytes are not 'LANC'");
      }
      int major = Short.toUnsignedInt(footer.getShort(0));
      int minor = Short.toUnsignedInt(footer.getShort(2));
      if (major == 0 && minor <= 1) {
        return LEGACY;
      }
      if (major == 2 || (major == 0 && minor == 3)) {
        return CURRENT;
      }
      throw new UnsupportedFormatException(
          String.format(
              "%s is of version %d.%d, which is not supported: rebuild the index",
              path, major, minor));
    }
  }
}
