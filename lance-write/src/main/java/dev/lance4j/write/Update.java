package dev.lance4j.write;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.write.internal.Assignments;
import dev.lance4j.write.internal.ConflictRetries;
import dev.lance4j.write.internal.RowDeletions;
import dev.lance4j.write.internal.RowRewriter;
import dev.lance4j.write.internal.WrittenFiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sets columns of the rows for which a condition is true: writes these rows anew as a whole, in
 * their order, and deletes them where they were. In tables with stable row ids they keep their ids.
 * Immutable.
 */
public final class Update {
  private final Scan.Source source;
  private final Optional<Expression> condition;
  private final Map<String, Expression> assignments;
  private final InsertOptions options;
  private final RetryOptions retries;

  /**
   * What an update did.
   *
   * @param version the newest version known; the one that was read when no row matched
   * @param rowsUpdated how many rows were written anew
   */
  public record Result(TableVersion version, long rowsUpdated) {}

  /**
   * @param source the version to update
   * @param condition which rows; all if absent
   * @param assignments expressions by the names of the columns that they are assigned to, where
   *     dots lead to fields of struct columns; all see the values from before the update, and their
   *     results are converted to the columns' types
   * @param options how the new files are written; their version is always that of the table
   * @param retries what to do when others change the same rows meanwhile
   */
  public Update(
      Scan.Source source,
      Optional<Expression> condition,
      Map<String, Expression> assignments,
      InsertOptions options,
      RetryOptions retries) {
    this.source = source;
    this.condition = condition;
    this.assignments = new LinkedHashMap<>(assignments);
    this.options = options;
    this.retries = retries;
  }

  /**
   * Updates, starting over on the newest version when others deleted or moved some of the same rows
   * meanwhile. When no row matches there is no new version.
   *
   * @throws TooMuchContentionException if others did so again and again
   * @throws CommitConflictException if others replaced the whole table
   * @throws dev.lance4j.format.InvalidInputException if the condition or an assignment does not fit
   *     the table, or a new value cannot be computed or stored
   */
  public Result execute() {
    return ConflictRetries.run(
        source,
        retries,
        attempt -> {
          Scan.Source current = attempt.source();
          return write(current, attempt::checkTime)
              .map(change -> new Result(change.commit(), change.rows()))
              .orElseGet(() -> new Result(current.version(), 0));
        });
  }

  /**
   * Writes all files without committing.
   *
   * @return nothing when no row matches
   */
  public Optional<RowChange> uncommitted() {
    return write(source, () -> {});
  }

  private Optional<RowChange> write(Scan.Source current, Runnable betweenBatches) {
    LanceSchema schema = current.version().manifest().schema();
    Assignments bound = Assignments.bind(schema, assignments);
    RowRewriter rewriter = new RowRewriter(current, condition, bound, options);
    List<FragmentMetadata> fragments = rewriter.write(betweenBatches);
    if (fragments.isEmpty()) {
      return Optional.empty();
    }
    RowAddressSet rows = rewriter.rows();
    RowDeletions deletions;
    try {
      deletions = RowDeletions.write(current, rows);
    } catch (RuntimeException | Error e) {
      WrittenFiles.remove(current.version().table(), fragments);
      throw e;
    }
    Operation operation =
        Operation.Update.ofRows(
            deletions.removedFragmentIds(),
            deletions.updatedFragments(),
            fragments,
            bound.fieldIds());
    return Optional.of(
        new RowChange(
            current.version(), operation, Optional.of(rows), rows.cardinality().orElseThrow()));
  }
}
