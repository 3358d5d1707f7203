package dev.lance4j.format.internal.container;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.legacy.LegacyMetadata;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectReader;
import java.nio.ByteBuffer;

/** An open file of any version. Safe for use by many threads. */
public interface FileContents {
  /**
   * Reads what is needed to know a file's rows and columns.
   *
   * @throws CorruptFileException if it is not a Lance file or is damaged
   */
  static FileContents open(ObjectReader reader) {
    long size = reader.size();
    if (size < LegacyMetadata.FOOTER_SIZE) {
      throw new CorruptFileException(
          reader.path(), 0, "the file has " + size + " bytes, fewer than a footer");
    }
    ByteBuffer end = reader.read(size - Footer.VERSION_SIZE, Footer.VERSION_SIZE);
    return Footer.version(end, reader.path(), size) == FileVersion.V0_1
        ? new LegacyFile(reader, LegacyMetadata.read(reader))
        : new ContainerFile(reader, FileMetadata.read(reader));
  }

  FileVersion version();

  /** The number of top-level rows. */
  long rows();

  /** The schema in the file; a table's manifest may know better names and nullability. */
  LanceSchema schema();

  /** About how many bytes of memory the open file takes. */
  long metadataBytes();

  /**
   * The bytes of the buffers of each column and its pages.
   *
   * @throws dev.lance4j.format.UnsupportedFormatException if files of this version do not tell
   */
  long[] columnBytes();

  int globalBufferCount();

  /** The bytes of a global buffer that there is. */
  ByteBuffer globalBuffer(int index);

  /**
   * A projection of the file's own schema.
   *
   * @param absentAsNull whether fields that the file does not have read as nulls
   */
  FileProjection ownSchema(LanceSchema fields, boolean absentAsNull);
}
