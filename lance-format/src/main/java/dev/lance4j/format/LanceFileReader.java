package dev.lance4j.format;

import dev.lance4j.format.internal.container.FileMetadata;
import dev.lance4j.format.internal.container.FileProjection;
import dev.lance4j.format.internal.container.FileProjections;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.store.StoreLocation;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Reads one Lance file of version 2.0 or later, with or without a table around it. Safe for use by
 * many threads; readers that it made must be closed before it.
 */
public final class LanceFileReader implements AutoCloseable {
  private final ObjectReader reader;
  private final FileMetadata metadata;
  private final FileProjections projections;

  private LanceFileReader(ObjectReader reader) {
    this.reader = reader;
    this.metadata = FileMetadata.read(reader);
    this.projections = new FileProjections(reader, metadata);
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
    return metadata.path();
  }

  /** The file's size in bytes. */
  public long size() {
    return reader.size();
  }

  public FileVersion version() {
    return metadata.version();
  }

  /** The number of rows. */
  public long rowCount() {
    return metadata.rows();
  }

  /** The schema that the file itself records. */
  public LanceSchema schema() {
    return metadata.schema();
  }

  /** The metadata of the schema. */
  public Map<String, String> metadata() {
    return metadata.schema().metadata();
  }

  /** The number of global buffers, the file's own descriptor included. */
  public int globalBufferCount() {
    return metadata.globalBufferCount();
  }

  /**
   * The bytes of a global buffer, little-endian, not to be written to.
   *
   * @param index from 0; 0 is the file's descriptor
   * @throws InvalidInputException if there is no such buffer
   */
  public ByteBuffer globalBuffer(int index) {
    if (index < 0 || index >= metadata.globalBufferCount()) {
      throw new InvalidInputException(
          path() + " has " + metadata.globalBufferCount() + " global buffers, not " + index);
    }
    long size = metadata.globalBufferSize(index);
    if (size > Integer.MAX_VALUE) {
      throw new UnsupportedFormatException(
          path() + ": global buffer " + index + " has " + size + " bytes, more than 2 GiB");
    }
    return reader.read(metadata.globalBufferPosition(index), (int) size);
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
  FileProjection projection(LanceSchema fields, boolean absentAsNull) {
    return projections.ownSchema(fields, absentAsNull);
  }

  /**
   * Resolves a projection by field id, for tables, whose manifests say which column holds a field.
   *
   * @param fields what to read; fields that own no column below read as nulls
   * @param columns the column of each field that owns one, by field id
   */
  public FileProjection projection(LanceSchema fields, Map<Integer, Integer> columns) {
    return projections.byId(fields, columns);
  }

  @Override
  public void close() {
    reader.close();
  }
}
