package dev.lance4j.write;

import dev.lance4j.format.DatasetExistsException;
import dev.lance4j.format.DatasetNotFoundException;
import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.table.BasePath;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.internal.DataWriter;
import dev.lance4j.write.internal.InputSchemas;
import dev.lance4j.write.internal.StorageVersion;
import dev.lance4j.write.internal.WrittenFiles;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes rows as new fragments, and commits them. */
public final class Insert {
  private final Table table;
  private final InsertOptions options;

  /**
   * @param table where to write
   * @param options how to write
   */
  public Insert(Table table, InsertOptions options) {
    this.table = table;
    this.options = options;
  }

  /**
   * Creates the table.
   *
   * @throws DatasetExistsException if there is a table already; nothing is left behind
   */
  public TableVersion create(BatchSource source) {
    table.requireAtomicCommits();
    FileVersion version = newVersion();
    CommitOptions commit =
        CommitOptions.DEFAULT.withFileVersion(version).withStableRowIds(options.stableRowIds());
    Operation.Overwrite operation = prepareCreate(source);
    return commit(
        operation.fragments(),
        () -> new Committer(table, commit).create(Transaction.of(0, operation)));
  }

  /**
   * Writes the rows of a new table, without creating it.
   *
   * @return what a commit makes the first version of
   * @throws DatasetExistsException if there is a table already
   */
  public Operation.Overwrite prepareCreate(BatchSource source) {
    if (table.findLatest().isPresent()) {
      throw new DatasetExistsException(table.uri());
    }
    LanceSchema schema = InputSchemas.forNewTable(source.schema());
    return new Operation.Overwrite(write(source, schema, newVersion(), List.of()), schema);
  }

  private FileVersion newVersion() {
    return options.fileVersion().orElse(FileVersion.defaultVersion());
  }

  /**
   * Adds rows to the newest version.
   *
   * @throws DatasetNotFoundException if there is no table
   */
  public TableVersion append(BatchSource source) {
    return append(table.latest(), source);
  }

  /**
   * Adds rows to a table. There is a new version even if there are no rows.
   *
   * @param handle the version whose schema the rows must fit; they are added to the newest
   * @throws dev.lance4j.format.SchemaMismatchException if the rows do not fit
   * @throws InvalidInputException if stable row ids are asked for and the table has none
   */
  public TableVersion append(TableVersion handle, BatchSource source) {
    table.requireAtomicCommits();
    Operation.Append operation = prepareAppend(handle, source);
    return commit(
        operation.fragments(),
        () ->
            new Committer(table, CommitOptions.DEFAULT)
                .commit(handle, Transaction.of(handle.version(), operation)));
  }

  /**
   * Writes rows for a table, without adding them; errors as above.
   *
   * @return what a commit adds the rows by
   */
  public Operation.Append prepareAppend(TableVersion handle, BatchSource source) {
    requireRowIdsAsAsked(handle);
    Manifest manifest = handle.manifest();
    LanceSchema schema = InputSchemas.forAppend(manifest.schema(), source.schema());
    return new Operation.Append(
        write(source, schema, StorageVersion.requireWritable(manifest), manifest.basePaths()));
  }

  /**
   * The schema that a table made from rows of an Arrow schema has, with ids from 0 on.
   *
   * @throws dev.lance4j.format.SchemaMismatchException if a name is reserved or a type not one that
   *     Lance has
   */
  public static LanceSchema schemaOfNewTable(Schema schema) {
    return InputSchemas.forNewTable(schema);
  }

  /**
   * Writes rows as fragments that somebody else commits.
   *
   * @param target the schema, with its field ids, of the table that the fragments are for
   * @param version the version of the table's data files
   * @return the fragments, with id 0; none when there are no rows
   * @throws dev.lance4j.format.SchemaMismatchException if the rows do not fit
   */
  public List<FragmentMetadata> uncommitted(
      LanceSchema target, FileVersion version, BatchSource source) {
    LanceSchema schema = InputSchemas.forAppend(target, source.schema());
    return write(source, schema, version, List.of());
  }

  /**
   * Replaces schema and rows of a table, which keeps its earlier versions.
   *
   * @param handle the version that is overwritten
   * @throws InvalidInputException if stable row ids are asked for and the table has none
   */
  public TableVersion overwrite(TableVersion handle, BatchSource source) {
    table.requireAtomicCommits();
    CommitOptions commit = CommitOptions.DEFAULT.withFileVersion(versionAfterOverwrite(handle));
    Operation.Overwrite operation = prepareOverwrite(handle, source);
    return commit(
        operation.fragments(),
        () ->
            new Committer(table, commit)
                .commit(handle, Transaction.of(handle.version(), operation)));
  }

  /**
   * Writes rows that are to replace those of a table, without doing so; errors as above.
   *
   * @return what a commit replaces the rows by
   */
  public Operation.Overwrite prepareOverwrite(TableVersion handle, BatchSource source) {
    requireRowIdsAsAsked(handle);
    LanceSchema schema = InputSchemas.forNewTable(source.schema());
    FileVersion version = versionAfterOverwrite(handle);
    return new Operation.Overwrite(
        write(source, schema, version, handle.manifest().basePaths()), schema);
  }

  private FileVersion versionAfterOverwrite(TableVersion handle) {
    return options
        .fileVersion()
        .or(() -> writable(handle.manifest().dataFormat()))
        .orElse(FileVersion.defaultVersion());
  }

  private void requireRowIdsAsAsked(TableVersion handle) {
    if (options.stableRowIds() && !handle.manifest().hasStableRowIds()) {
      throw new InvalidInputException(
          "Stable row ids are decided when a table is created; " + table.uri() + " has none");
    }
  }

  private static Optional<FileVersion> writable(Optional<FileVersion> version) {
    return version.filter(v -> v != FileVersion.V0_1 && v != FileVersion.V2_3);
  }

  private TableVersion commit(List<FragmentMetadata> fragments, Supplier<TableVersion> commit) {
    try {
      return commit.get();
    } catch (LanceException e) {
      // The commit is known not to have happened, so nothing refers to the files.
      WrittenFiles.remove(table, fragments);
      throw e;
    }
  }

  private List<FragmentMetadata> write(
      BatchSource source, LanceSchema schema, FileVersion version, List<BasePath> bases) {
    try (DataWriter writer = new DataWriter(table, schema, version, bases, options)) {
      writer.writeAll(source);
      return writer.finish();
    }
  }
}
