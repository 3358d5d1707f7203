package dev.lance4j;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.Insert;
import dev.lance4j.write.InsertOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Writes rows to files of a table without committing them. Many machines write at once, each with a
 * writer of its own; one of them collects the fragments, which are serialisable, and commits them
 * with {@link Dataset#commit(String, Operation, long)}. Fragments that are never committed are
 * found by {@link Dataset#cleanup}. Options first, then one of the {@code write} methods, any
 * number of times. Not safe for use by many threads.
 */
public final class FragmentWriter {
  private final String uri;
  private final LanceSchema schema;
  private final OpenOptions.Builder open = OpenOptions.builder();
  private FileVersion fileVersion = FileVersion.defaultVersion();
  private long maxRowsPerFile = InsertOptions.DEFAULT_MAX_ROWS_PER_FILE;
  private long maxBytesPerFile = InsertOptions.DEFAULT_MAX_BYTES_PER_FILE;

  private FragmentWriter(String uri, LanceSchema schema) {
    this.uri = uri;
    this.schema = schema;
  }

  /**
   * Writes for a table that will be created or overwritten with the schema. All writers that are
   * given the same schema give its fields the same ids.
   *
   * @param uri where the table is or will be
   * @throws dev.lance4j.format.SchemaMismatchException if a type cannot be stored
   */
  public static FragmentWriter to(String uri, Schema schema) {
    return new FragmentWriter(uri, Insert.schemaOfNewTable(schema));
  }

  /**
   * Writes for a table that is there.
   *
   * @param schema the table's, as {@link Dataset#lanceSchema()} has it
   */
  public static FragmentWriter to(String uri, LanceSchema schema) {
    return new FragmentWriter(uri, schema);
  }

  /**
   * Writes for the table that a dataset is a version of, with its schema, file version, store and
   * allocator. The dataset must stay open.
   */
  public static FragmentWriter to(Dataset dataset) {
    return dataset.fragmentWriter();
  }

  /** The schema, with its field ids, as an {@link Operation#overwrite} needs it. */
  public LanceSchema schema() {
    return schema;
  }

  /** The version of the data files, which must be that of the table; the default unless set. */
  public FragmentWriter fileVersion(FileVersion version) {
    if (version == FileVersion.V0_1) {
      throw new InvalidInputException(
          "Files of the legacy version 0.1 are read but not written; use a newer one");
    }
    this.fileVersion = version;
    return this;
  }

  /** Starts another file, and fragment, at exactly this many rows; 1,048,576 unless set. */
  public FragmentWriter maxRowsPerFile(long rows) {
    this.maxRowsPerFile = rows;
    return this;
  }

  /** Starts another file, and fragment, after about this many bytes; 90 GiB unless set. */
  public FragmentWriter maxBytesPerFile(long bytes) {
    this.maxBytesPerFile = bytes;
    return this;
  }

  /** See {@link OpenOptions.Builder#allocator}. */
  public FragmentWriter allocator(BufferAllocator allocator) {
    open.allocator(allocator);
    return this;
  }

  /** See {@link OpenOptions.Builder#store}. */
  public FragmentWriter store(ObjectStore store) {
    open.store(store);
    return this;
  }

  /** See {@link OpenOptions.Builder#storageOptions}. */
  public FragmentWriter storageOptions(Map<String, String> options) {
    open.storageOptions(options);
    return this;
  }

  /**
   * Writes the batches of a reader, which stays the caller's to close.
   *
   * @return the fragments, without ids; none when there are no rows
   * @throws dev.lance4j.format.SchemaMismatchException if the rows do not fit the schema; nothing
   *     is left behind then
   */
  public List<FragmentMetadata> write(ArrowReader reader) {
    return write(BatchSource.of(reader));
  }

  /** Writes one batch without dictionary-encoded columns; result and errors as above. */
  public List<FragmentMetadata> write(VectorSchemaRoot batch) {
    return write(BatchSource.of(batch, null));
  }

  /** Writes rows from anywhere; result and errors as above. */
  public List<FragmentMetadata> write(BatchSource source) {
    Environment environment = Environment.of(uri, open.build());
    environment.retain();
    try {
      InsertOptions options =
          new InsertOptions(
              environment.allocator(),
              Optional.of(fileVersion),
              maxRowsPerFile,
              maxBytesPerFile,
              false);
      return new Insert(environment.table(), options).uncommitted(schema, fileVersion, source);
    } finally {
      environment.release();
    }
  }
}
