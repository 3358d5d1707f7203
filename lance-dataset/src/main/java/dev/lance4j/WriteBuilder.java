package dev.lance4j;

import dev.lance4j.format.DatasetNotFoundException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.ManifestStore;
import dev.lance4j.table.Session;
import dev.lance4j.table.TableVersion;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.Insert;
import dev.lance4j.write.InsertOptions;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Writes a table. Options first, then one of the {@code from} methods, which writes and commits.
 * Not safe for use by many threads.
 */
public final class WriteBuilder {
  private final String uri;
  private final OpenOptions.Builder open = OpenOptions.builder();
  private WriteMode mode = WriteMode.CREATE;
  private Optional<FileVersion> fileVersion = Optional.empty();
  private long maxRowsPerFile = InsertOptions.DEFAULT_MAX_ROWS_PER_FILE;
  private long maxBytesPerFile = InsertOptions.DEFAULT_MAX_BYTES_PER_FILE;
  private boolean stableRowIds;
  private boolean externalBlobs;

  WriteBuilder(String uri) {
    this.uri = uri;
  }

  /** What to do with a table that is there; {@link WriteMode#CREATE} unless set. */
  public WriteBuilder mode(WriteMode writeMode) {
    this.mode = writeMode;
    return this;
  }

  /**
   * Whether rows of a new table keep their ids when they move. It is decided at creation: writing
   * to a table that is there and has no such ids is refused. They cost a sequence of ids in the
   * manifest for each fragment and a look-up for each row that is taken; what they give is that
   * indices and other references to rows stay right while the table is compacted and updated.
   */
  public WriteBuilder stableRowIds(boolean stable) {
    this.stableRowIds = stable;
    return this;
  }

  /** The version of the data files of a new or overwritten table. */
  public WriteBuilder fileVersion(FileVersion version) {
    this.fileVersion = Optional.of(version);
    return this;
  }

  /** Starts another file, and fragment, at exactly this many rows; 1,048,576 unless set. */
  public WriteBuilder maxRowsPerFile(long rows) {
    this.maxRowsPerFile = rows;
    return this;
  }

  /** Starts another file, and fragment, after about this many bytes; 90 GiB unless set. */
  public WriteBuilder maxBytesPerFile(long bytes) {
    this.maxBytesPerFile = bytes;
    return this;
  }

  /**
   * Whether blobs of the type {@code lance.blob.v2} may be given by the URIs of objects outside of
   * the table and its base paths. The table refers to them and does not own them: who removes such
   * an object takes the blob away. Not allowed unless set.
   */
  public WriteBuilder externalBlobs(boolean allowed) {
    this.externalBlobs = allowed;
    return this;
  }

  /** See {@link OpenOptions.Builder#allocator}. */
  public WriteBuilder allocator(BufferAllocator allocator) {
    open.allocator(allocator);
    return this;
  }

  /** See {@link OpenOptions.Builder#session}. */
  public WriteBuilder session(Session session) {
    open.session(session);
    return this;
  }

  /** See {@link OpenOptions.Builder#store}. */
  public WriteBuilder store(ObjectStore store) {
    open.store(store);
    return this;
  }

  /** See {@link OpenOptions.Builder#manifestStore}. */
  public WriteBuilder manifestStore(ManifestStore manifests) {
    open.manifestStore(manifests);
    return this;
  }

  /** See {@link OpenOptions.Builder#storageOptions}. */
  public WriteBuilder storageOptions(Map<String, String> options) {
    open.storageOptions(options);
    return this;
  }

  /** Writes the batches of a reader, which stays the caller's to close. */
  public Dataset from(ArrowReader reader) {
    return from(BatchSource.of(reader));
  }

  /** Writes one batch without dictionary-encoded columns. */
  public Dataset from(VectorSchemaRoot batch) {
    return from(BatchSource.of(batch, null));
  }

  /** Writes one batch with dictionary-encoded columns. */
  public Dataset from(VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    return from(BatchSource.of(batch, dictionaries));
  }

  /** Writes batches of one schema. */
  public Dataset from(Schema schema, Iterable<? extends VectorSchemaRoot> batches) {
    Iterator<? extends VectorSchemaRoot> iterator = batches.iterator();
    return from(BatchSource.of(schema, iterator, null));
  }

  /** Writes no rows. */
  public Dataset from(Schema schema) {
    return from(BatchSource.of(schema));
  }

  /**
   * Writes rows from anywhere.
   *
   * @return the version that was written
   * @throws dev.lance4j.format.DatasetExistsException if the table is there and the mode is to
   *     create it
   * @throws dev.lance4j.format.SchemaMismatchException if a type cannot be stored, or rows do not
   *     fit the table that they are appended to
   */
  public Dataset from(BatchSource source) {
    OpenOptions options = open.build();
    Environment environment = Environment.of(uri, options);
    try {
      InsertOptions insertOptions =
          new InsertOptions(
              environment.allocator(),
              fileVersion,
              maxRowsPerFile,
              maxBytesPerFile,
              stableRowIds,
              externalBlobs);
      Insert insert = new Insert(environment.table(), insertOptions);
      return new Dataset(environment, write(insert, environment, source));
    } catch (RuntimeException | Error e) {
      environment.release();
      throw e;
    }
  }

  private TableVersion write(Insert insert, Environment environment, BatchSource source) {
    return switch (mode) {
      case CREATE -> insert.create(source);
      case APPEND -> {
        TableVersion latest = latest(environment);
        yield latest == null ? insert.create(source) : insert.append(latest, source);
      }
      case OVERWRITE -> {
        TableVersion latest = latest(environment);
        yield latest == null ? insert.create(source) : insert.overwrite(latest, source);
      }
    };
  }

  private static TableVersion latest(Environment environment) {
    try {
      return environment.table().latest();
    } catch (DatasetNotFoundException e) {
      return null;
    }
  }
}
