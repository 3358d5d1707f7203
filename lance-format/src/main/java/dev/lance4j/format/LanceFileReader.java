package dev.lance4j.format;

import dev.lance4j.format.internal.container.ContainerFile;
import dev.lance4j.format.internal.container.FileContents;
import dev.lance4j.format.internal.container.FileProjection;
import dev.lance4j.format.internal.container.LegacyFile;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.store.StoreLocation;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Reads one Lance file, with or without a table around it. Safe for use by many threads; readers
 * that it made must be closed before it.
 */
public final class LanceFileReader implements AutoCloseable {
  private final ObjectReader reader;
  private final FileContents contents;

  private LanceFileReader(ObjectReader reader) {
    this.reader = reader;
    this.contents = FileContents.open(reader);
  }

  /**
   * Opens the file at a path or URI.
   *
   * @throws ObjectNotFoundException if there is none
   * @throws CorruptFileException if it is not a Lance file or is damaged
   * @throws UnsupportedFormatException if its version is not supported
   */
  public static LanceFileReader open(String uri) {
    StoreLocation location = ObjectStores.resolve(uri);
    return open(location.store(), location.path());
  }

  /** Opens a file of a store; errors as for {@link #open(String)}. */
  public static LanceFileReader open(ObjectStore store, String path) {
    return open(store.open(path));
  }

  /**
   * Opens a file of a store whose size is known.
   *
   * @param size in bytes
   */
  public static LanceFileReader open(ObjectStore store, String path, long size) {
    return open(store.open(path, size));
  }

  private static LanceFileReader open(ObjectReader reader) {
    try {
      return new LanceFileReader(reader);
    } catch (RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  /** The file's path in its store. */
  public String path() {
    return reader.path();
  }

  /** The file's size in bytes. */
  public long size() {
    return reader.size();
  }

  /** About how many bytes of memory the open file takes. */
  public long metadataBytes() {
    return contents.metadataBytes();
  }

  public FileVersion version() {
    return contents.version();
  }

  /** The number of rows. */
  public long rowCount() {
    return contents.rows();
  }

  /** The schema that the file itself records. */
  public LanceSchema schema() {
    return contents.schema();
  }

  /** The metadata of the schema. */
  public Map<String, String> metadata() {
    return contents.schema().metadata();
  }

  /**
   * How many bytes each column takes in the file: its buffers and those of its pages.
   *
   * @throws UnsupportedFormatException if the file is of version 0.1
   */
  public long[] columnBytes() {
    return contents.columnBytes();
  }

  /**
   * The batches that a file of version 0.1 consists of: the first row of each, and the number of
   * rows. Empty for later versions, which do not keep them.
   */
  public long[] batchOffsets() {
    return contents instanceof LegacyFile file ? file.batchOffsets() : new long[0];
  }

  /** The number of global buffers, the file's own descriptor included. */
  public int globalBufferCount() {
    return contents.globalBufferCount();
  }

  /**
   * The bytes of a global buffer, little-endian, not to be written to.
   *
   * @param index from 0; 0 is the file's descriptor
   * @throws InvalidInputException if there is no such buffer
   */
  public ByteBuffer globalBuffer(int index) {
    if (index < 0 || index >= contents.globalBufferCount()) {
      throw new InvalidInputException(
          path() + " has " + contents.globalBufferCount() + " global buffers, not " + index);
    }
    return contents.globalBuffer(index);
  }

  /** All rows and columns, to be narrowed down. */
  public FileScan scan() {
    return new FileScan(this);
  }

  /**
   * Resolves a projection of this file's own schema.
   *
   * @param absentAsNull whether fields that the file does not have read as nulls; otherwise they
   *     are an error
   */
  public FileProjection projection(LanceSchema fields, boolean absentAsNull) {
    return contents.ownSchema(fields, absentAsNull);
  }

  /**
   * Resolves a projection by field id, for tables, whose manifests say which column holds a field.
   *
   * @param fields what to read; fields that own no column below read as nulls
   * @param columns the column of each field that owns one, by field id
   * @throws IllegalStateException if the file is of version 0.1
   */
  public FileProjection projection(LanceSchema fields, Map<Integer, Integer> columns) {
    if (contents instanceof ContainerFile file) {
      return file.byId(fields, columns);
    }
    throw new IllegalStateException(path() + " is a legacy file, which has no column indices");
  }

  /**
   * Resolves a projection of a file of version 0.1 in a table.
   *
   * @param fields what to read; fields outside the range read as nulls
   * @param firstField the first field id of the manifest's data file
   * @param lastField the highest one
   * @param manifest the open manifest file, which holds the values of dictionary fields
   * @throws IllegalStateException if the file is of a later version
   */
  public FileProjection legacyProjection(
      LanceSchema fields, int firstField, int lastField, ObjectReader manifest) {
    if (contents instanceof LegacyFile file) {
      return file.byManifest(fields, firstField, lastField, manifest);
    }
    throw new IllegalStateException(path() + " is not a legacy file");
  }

  @Override
  public void close() {
    reader.close();
  }
}
