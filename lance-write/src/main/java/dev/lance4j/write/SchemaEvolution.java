package dev.lance4j.write;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.internal.Alteration;
import dev.lance4j.write.internal.EvolvedSchema;
import dev.lance4j.write.internal.FragmentAdditions;
import dev.lance4j.write.internal.WrittenFiles;
import java.util.List;

/**
 * Changes the columns of a table. Each method writes what has to be written and gives the operation
 * that {@link #commit} makes the next version of; before that nobody sees anything. Fields keep
 * their ids for as long as they exist, so that earlier versions stay readable.
 */
public final class SchemaEvolution {
  private final Scan.Source source;
  private final int batchSize;

  /**
   * @param source the version to change
   */
  public SchemaEvolution(Scan.Source source) {
    this(source, Scan.DEFAULT_BATCH_SIZE);
  }

  private SchemaEvolution(Scan.Source source, int batchSize) {
    this.source = source;
    this.batchSize = batchSize;
  }

  /**
   * The same with another number of rows that are read at a time.
   *
   * @throws InvalidInputException unless it is positive
   */
  public SchemaEvolution withBatchSize(int rows) {
    if (rows <= 0) {
      throw new InvalidInputException("The batch size must be positive, but is " + rows);
    }
    return new SchemaEvolution(source, rows);
  }

  private Manifest manifest() {
    return source.version().manifest();
  }

  /**
   * Adds columns at the end.
   *
   * @throws SchemaMismatchException if a name is taken or reserved, or a type cannot be stored
   * @throws InvalidInputException if an expression does not fit the table, or there are more or
   *     fewer values than rows; no file is left behind
   */
  public Operation.Merge addColumns(NewColumns columns) {
    FragmentAdditions additions = new FragmentAdditions(source, batchSize);
    return new Operation.Merge(additions.addAll(columns), additions.schema());
  }

  /**
   * Drops columns. No data is touched.
   *
   * @param paths names, or {@code a.b} for the field {@code b} inside of {@code a}
   * @throws InvalidInputException if a column does not exist, or none would be left
   */
  public Operation.Project dropColumns(List<String> paths) {
    return new Operation.Project(EvolvedSchema.without(manifest().schema(), paths));
  }

  /**
   * Renames columns, changes whether they may be null, or casts them to another type of the same
   * family: integers, floating-point numbers, decimals, times, texts, binaries, or lists of those.
   * Only casts write data. All paths mean the columns as they are before.
   *
   * @return a projection, or a merge if there are casts
   * @throws InvalidInputException if a column does not exist, a value has no counterpart in the
   *     other type, or is null where it may not be
   * @throws SchemaMismatchException if a name is taken, reserved or not allowed
   */
  public Operation alterColumns(List<ColumnChange> changes) {
    Alteration alteration = new Alteration(manifest(), changes);
    alteration.requireNoNulls(source, batchSize);
    return alteration.hasCasts()
        ? new Operation.Merge(alteration.write(source, batchSize), alteration.after())
        : new Operation.Project(alteration.after());
  }

  /**
   * Adds columns of rows that are found by a key, which is held in memory: a left join. Rows of the
   * table without a partner get nulls; of several partners one is taken.
   *
   * @param right the key and the new columns
   * @param leftOn the key in the table: a column, {@code _rowid} or {@code _rowaddr}
   * @param rightOn the key on the right side, of the same type; unsigned 64-bit for row ids
   * @throws SchemaMismatchException if a new column's name is taken, or the keys differ in type
   * @throws InvalidInputException if a key does not exist, or the right side has no batches
   */
  public Operation.Merge joinColumns(BatchSource right, String leftOn, String rightOn) {
    FragmentAdditions additions = new FragmentAdditions(source, batchSize);
    return new Operation.Merge(additions.joinAll(right, leftOn, rightOn), additions.schema());
  }

  /**
   * Makes an operation the next version. If it does not go with what others committed since, the
   * files that were written for it are removed.
   *
   * @return the new version
   * @throws dev.lance4j.format.CommitConflictException if others changed the table meanwhile
   */
  public TableVersion commit(Operation operation) {
    TableVersion version = source.version();
    try {
      return new Committer(version.table(), CommitOptions.DEFAULT)
          .commit(version, Transaction.of(version.version(), operation));
    } catch (LanceException e) {
      WrittenFiles.remove(version, operation);
      throw e;
    }
  }
}
