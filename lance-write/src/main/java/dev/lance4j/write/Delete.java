package dev.lance4j.write;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.vector.UInt8Vector;
import org.roaringbitmap.RoaringBitmap;

/** Deletes the rows for which a condition is true. */
public final class Delete {
  private static final int CONFLICT_RETRIES = 10;

  private final Scan.Source source;
  private final String predicate;

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
   */
  public Delete(Scan.Source source, String predicate) {
    this.source = source;
    this.predicate = predicate;
  }

  /**
   * Deletes, starting over on the newest version when others changed the same fragments meanwhile.
   * When no row matches there is no new version.
   *
   * @throws CommitConflictException if others did so each time
   * @throws dev.lance4j.format.InvalidInputException if the predicate does not fit the table
   */
  public Result execute() {
    Scan.Source current = source;
    for (int attempt = 0; ; attempt++) {
      try {
        return attempt(current);
      } catch (CommitConflictException e) {
        if (!e.isRetryable() || attempt == CONFLICT_RETRIES) {
          throw e;
        }
        TableVersion latest = source.version().table().latest();
        current = new Scan.Source(latest, source.session(), source.allocator());
      }
    }
  }

  private Result attempt(Scan.Source current) {
    TableVersion version = current.version();
    Map<Long, RoaringBitmap> matches = matches(current);
    if (matches.isEmpty()) {
      return new Result(version, 0);
    }
    List<FragmentMetadata> updated = new ArrayList<>();
    List<Long> emptied = new ArrayList<>();
    long rows = 0;
    for (Map.Entry<Long, RoaringBitmap> match : matches.entrySet()) {
      FragmentMetadata fragment = version.manifest().fragment(match.getKey()).orElseThrow();
      rows += match.getValue().getLongCardinality();
      if (FragmentReader.liveRows(version, fragment, current.session())
          == match.getValue().getLongCardinality()) {
        emptied.add(fragment.id());
      } else {
        updated.add(without(fragment, match.getValue(), version));
      }
    }
    Operation operation = new Operation.Delete(updated, emptied, predicate);
    TableVersion committed =
        new Committer(version.table(), CommitOptions.DEFAULT)
            .commit(version, Transaction.of(version.version(), operation));
    return new Result(committed, rows);
  }

  /** The offsets of the rows that match, by fragment. */
  private Map<Long, RoaringBitmap> matches(Scan.Source current) {
    Map<Long, RoaringBitmap> matches = new TreeMap<>();
    new Scan(current)
        .select("_rowaddr")
        .where(predicate)
        .forEachBatch(
            batch -> {
              UInt8Vector addresses = (UInt8Vector) batch.getVector(0);
              for (int i = 0; i < batch.getRowCount(); i++) {
                long address = addresses.get(i);
                matches
                    .computeIfAbsent(RowAddress.fragmentId(address), id -> new RoaringBitmap())
                    .add((int) RowAddress.offset(address));
              }
            });
    return matches;
  }

  private static FragmentMetadata without(
      FragmentMetadata fragment, RoaringBitmap offsets, TableVersion version) {
    DeletionVector vector = DeletionFiles.read(version, fragment).plus(offsets);
    DeletionFile file = DeletionFiles.write(version.table(), fragment, version.version(), vector);
    return fragment.withDeletionFile(Optional.of(file));
  }
}
