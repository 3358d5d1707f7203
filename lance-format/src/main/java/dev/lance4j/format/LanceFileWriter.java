package dev.lance4j.format;

import com.google.protobuf.ByteString;
import dev.lance4j.format.internal.blob.StoredBlobs;
import dev.lance4j.format.internal.container.FileAssembler;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.FieldArrays;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.store.StoreLocation;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Writes one Lance file, with or without a table around it. The file appears under its path, whole,
 * when {@link #finish} returns, and not at all when the writer is closed before. Not safe for use
 * by many threads.
 */
public final class LanceFileWriter implements AutoCloseable {
  private final FileAssembler file;
  private final LanceSchema schema;

  private LanceFileWriter(
      ObjectStore store,
      String path,
      LanceSchema schema,
      FileVersion version,
      ExternalBlobs externals,
      StoredBlobs storedBlobs,
      BufferAllocator allocator) {
    this.schema = schema;
    this.file =
        new FileAssembler(
            store, path, schema, version, allocator, PageLimits.DEFAULT, externals, storedBlobs);
  }

  /**
   * Starts a file at a path or URI.
   *
   * @param schema of the rows; fields get ids from 0 on
   * @param allocator for rows that wait to be written; must outlive the writer
   * @throws SchemaMismatchException if the version cannot hold a field's type, or a dictionary
   *     field has the type of its keys instead of that of its values
   */
  public static LanceFileWriter create(
      String uri, Schema schema, FileVersion version, BufferAllocator allocator) {
    schema.getFields().forEach(LanceFileWriter::refuseKeyTypes);
    StoreLocation location = ObjectStores.resolve(uri);
    return create(
        location.store(), location.path(), LanceSchema.fromArrow(schema), version, allocator);
  }

  private static void refuseKeyTypes(Field field) {
    if (field.getDictionary() != null
        && field.getType().equals(field.getDictionary().getIndexType())) {
      throw new SchemaMismatchException(
          String.format(
              "The dictionary field '%s' has the type of its keys, %s; give it the type of its"
                  + " dictionary's values, as DictionaryUtility.toMessageFormat does",
              field.getName(), field.getType()));
    }
    field.getChildren().forEach(LanceFileWriter::refuseKeyTypes);
  }

  /** Starts a file in a store with a schema that has ids; errors as above. */
  public static LanceFileWriter create(
      ObjectStore store,
      String path,
      LanceSchema schema,
      FileVersion version,
      BufferAllocator allocator) {
    return create(store, path, schema, version, ExternalBlobs.ABSOLUTE, allocator);
  }

  /**
   * As above.
   *
   * @param externals how blobs that are given by URIs are recorded
   */
  public static LanceFileWriter create(
      ObjectStore store,
      String path,
      LanceSchema schema,
      FileVersion version,
      ExternalBlobs externals,
      BufferAllocator allocator) {
    return create(store, path, schema, version, externals, StoredBlobs.NONE, allocator);
  }

  /**
   * As above.
   *
   * @param storedBlobs finds blobs that are to be written anew
   */
  public static LanceFileWriter create(
      ObjectStore store,
      String path,
      LanceSchema schema,
      FileVersion version,
      ExternalBlobs externals,
      StoredBlobs storedBlobs,
      BufferAllocator allocator) {
    return new LanceFileWriter(store, path, schema, version, externals, storedBlobs, allocator);
  }

  /** Writes a batch that has no dictionary-encoded columns. */
  public void write(VectorSchemaRoot batch) {
    write(batch, null);
  }

  /**
   * Writes a batch. Its columns, and the children of structs, are found by name; other columns than
   * the schema's are ignored. The batch may be changed when this returns.
   *
   * @param dictionaries of dictionary-encoded columns; null when there are none
   * @throws SchemaMismatchException if a column is missing or has another type
   * @throws InvalidInputException if a column is malformed, or holds nulls that its field forbids
   */
  public void write(VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    List<ArrayData> arrays = FieldArrays.of(schema, batch, dictionaries);
    try {
      write(arrays, batch.getRowCount());
    } finally {
      arrays.forEach(ArrayData::close);
    }
  }

  /**
   * Writes a batch of arrays.
   *
   * @param arrays one for each field, borrowed
   * @param rows their length
   */
  public void write(List<ArrayData> arrays, int rows) {
    file.append(arrays, rows);
  }

  /**
   * Adds a global buffer.
   *
   * @param bytes whose remaining bytes are written
   * @return its index, from 1 on
   */
  public int addGlobalBuffer(ByteBuffer bytes) {
    return file.addGlobalBuffer(bytes);
  }

  /** Adds an entry to the metadata of the schema, replacing one of the same key. */
  public void addMetadata(String key, String value) {
    file.addMetadata(key, ByteString.copyFromUtf8(value));
  }

  /** The number of rows taken so far. */
  public long rowCount() {
    return file.rows();
  }

  /** The number of bytes written so far; rows that wait to be written do not count. */
  public long bytesWritten() {
    return file.position();
  }

  /**
   * Writes what is left and makes the file visible.
   *
   * @return the size of the file in bytes
   */
  public long finish() {
    return file.finish();
  }

  /** Discards the file unless it is finished, and frees memory. */
  @Override
  public void close() {
    file.close();
  }
}
