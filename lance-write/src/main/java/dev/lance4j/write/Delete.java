package dev.lance4j.write;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.expr.RowFilter;
import dev.lance4j.scan.internal.plan.Planner;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.write.internal.AddressCollector;
import dev.lance4j.write.internal.ConflictRetries;
import dev.lance4j.write.internal.RowDeletions;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.UInt8Vector;

/** Deletes the rows for which a condition is true. Immutable. */
public final class Delete {
  private final Scan.Source source;
  private final String predicate;
  private final Expression condition;
  private final RetryOptions retries;

  /**
   * What a delete did.
   *
   * @param version the newest version known; the one that was read when no row matched
   * @param rowsDeleted how many rows were deleted
   */
  public record Result(TableVersion version, long rowsDeleted) {}

  /**
   * @param source the version to delete from
   * @param predicate see {@link Scan#where(String)}
   * @param retries what to do when others change the same rows meanwhile
   * @throws dev.lance4j.format.InvalidInputException if the predicate is not well-formed
   */
  public Delete(Scan.Source source, String predicate, RetryOptions retries) {
    this.source = source;
    this.predicate = predicate;
    this.condition = Expression.parse(predicate);
    this.retries = retries;
  }

  /**
   * Deletes, starting over on the newest version when others deleted or moved some of the same rows
   * meanwhile. When no row matches there is no new version.
   *
   * @throws TooMuchContentionException if others did so again and again
   * @throws CommitConflictException if others replaced the whole table
   * @throws dev.lance4j.format.InvalidInputException if the predicate does not fit the table
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
   * Writes the deletion files without committing.
   *
   * @return nothing when no row matches
   */
  public Optional<RowChange> uncommitted() {
    return write(source, () -> {});
  }

  private Optional<RowChange> write(Scan.Source current, Runnable betweenBatches) {
    RowFilter filter = Planner.bind(condition, current.version().manifest().schema());
    if (filter.isAlwaysTrue()) {
      return everything(current);
    }
    RowAddressSet rows =
        filter.isNeverTrue() ? RowAddressSet.EMPTY : matches(current, betweenBatches);
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    RowDeletions deletions = RowDeletions.write(current, rows);
    Operation operation =
        new Operation.Delete(
            deletions.updatedFragments(), deletions.removedFragmentIds(), predicate);
    return Optional.of(
        new RowChange(
            current.version(), operation, Optional.of(rows), rows.cardinality().orElseThrow()));
  }

  /** Drops all fragments unseen; no other change of one of them goes with that. */
  private Optional<RowChange> everything(Scan.Source current) {
    TableVersion version = current.version();
    List<FragmentMetadata> fragments = version.manifest().fragments();
    if (fragments.isEmpty()) {
      return Optional.empty();
    }
    long rows = 0;
    for (FragmentMetadata fragment : fragments) {
      rows += FragmentReader.liveRows(version, fragment, current.session());
    }
    Operation operation =
        new Operation.Delete(
            List.of(), fragments.stream().map(FragmentMetadata::id).toList(), predicate);
    return Optional.of(new RowChange(version, operation, Optional.empty(), rows));
  }

  private RowAddressSet matches(Scan.Source current, Runnable betweenBatches) {
    AddressCollector addresses = new AddressCollector();
    new Scan(current)
        .select("_rowaddr")
        .where(condition)
        .forEachBatch(
            batch -> {
              betweenBatches.run();
              addresses.add((UInt8Vector) batch.getVector(0));
            });
    return addresses.build();
  }
}
