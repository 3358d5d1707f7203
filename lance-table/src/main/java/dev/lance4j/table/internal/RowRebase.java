package dev.lance4j.table.internal;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.roaringbitmap.RoaringBitmap;

/**
 * Puts a delete or an update on top of a later version in which others deleted or moved other rows
 * of the same fragments: the deleted rows of both sides are written to new deletion files.
 */
final class RowRebase extends Rebase {
  private static final int LISTED_ROWS = 5;

  private final Basis basis;

  RowRebase(Table table, Transaction original, Basis basis) {
    super(table, original);
    this.basis = basis;
  }

  /** Nothing: the newest version has all that others deleted. */
  @Override
  public void observe(TableVersion version, Operation committed) {}

  @Override
  public Rebased onto(TableVersion latest) {
    Operation operation = original.operation();
    if (operation instanceof Operation.Delete delete) {
      Fragments fragments = new Fragments(latest, delete.deletedFragmentIds());
      fragments.addAll(delete.updatedFragments());
      return fragments.rebased(
          new Operation.Delete(fragments.updated, fragments.removed, delete.predicate()));
    }
    if (operation instanceof Operation.Update update) {
      Fragments fragments = new Fragments(latest, update.removedFragmentIds());
      fragments.addAll(update.updatedFragments());
      return fragments.rebased(
          new Operation.Update(
              fragments.removed,
              fragments.updated,
              update.newFragments(),
              update.fieldsModified(),
              update.mergedGenerations(),
              update.fieldsWithNewValues(),
              update.mode(),
              update.insertedKeys(),
              update.rowsUpdatedInPlace()));
    }
    return new Rebased(original, List.of(), List.of());
  }

  /** A fragment with the deleted rows of both sides. */
  private record Merged(FragmentMetadata fragment, DeletionVector vector) {}

  /** The fragments of the operation on top of a version. */
  private final class Fragments {
    private final TableVersion latest;
    private final Map<Long, FragmentMetadata> now;
    private final List<Merged> merged = new ArrayList<>();
    private final List<FragmentMetadata> updated = new ArrayList<>();
    private final List<Long> removed;
    private final List<String> written = new ArrayList<>();
    private final List<String> superseded = new ArrayList<>();

    Fragments(TableVersion latest, List<Long> removedIds) {
      this.latest = latest;
      this.now = Basis.byId(latest.manifest().fragments());
      this.removed = new ArrayList<>(removedIds);
      for (long id : removedIds) {
        FragmentMetadata current = now.get(id);
        if (current != null && deletionsChanged(current)) {
          // Whatever else was deleted is among the rows that are removed here.
          throw conflict("fragment " + id + ", which this one removes");
        }
      }
    }

    Rebased rebased(Operation operation) {
      return new Rebased(with(latest, operation), written, superseded);
    }

    /** Checks all fragments before a file is written. */
    void addAll(List<FragmentMetadata> fragments) {
      fragments.forEach(this::add);
      try {
        merged.forEach(this::write);
      } catch (RuntimeException | Error e) {
        remove(written);
        throw e;
      }
    }

    private void add(FragmentMetadata ours) {
      FragmentMetadata before = basis.fragment(ours.id());
      FragmentMetadata current = now.get(ours.id());
      if (before == null || current == null) {
        updated.add(ours);
        return;
      }
      // A fragment that only lost rows takes everything else from the later version, such as its
      // files without those of a column that was dropped.
      boolean onlyDeletes = ours.withDeletionFile(before.deletionFile()).equals(before);
      FragmentMetadata next = onlyDeletes ? current.withDeletionFile(ours.deletionFile()) : ours;
      if (deletionsChanged(current)) {
        merge(ours, next, DeletionFiles.read(latest, current));
      } else {
        updated.add(next);
      }
    }

    private void merge(FragmentMetadata ours, FragmentMetadata next, DeletionVector theirs) {
      RowAddressSet affected =
          basis
              .affectedRows()
              .orElseThrow(
                  () -> conflict("fragment " + ours.id() + ", whose rows this one deletes"));
      long rows = next.physicalRows() == 0 ? RowAddress.LIMIT : next.physicalRows();
      RoaringBitmap both = affected.offsets(ours.id(), rows);
      RoaringBitmap deleted = theirs.offsets();
      if (RoaringBitmap.intersects(both, deleted)) {
        throw conflict(describe(ours.id(), RoaringBitmap.and(both, deleted)));
      }
      both.or(deleted);
      ours.deletionFile()
          .filter(file -> file.baseId().isEmpty())
          .ifPresent(file -> superseded.add(table.deletionPath(file.name(ours.id()))));
      if (both.getLongCardinality() == next.physicalRows()) {
        removed.add(ours.id());
      } else {
        merged.add(new Merged(next, DeletionVector.of(both, DeletionFile.Form.BITMAP)));
      }
    }

    private void write(Merged deletion) {
      FragmentMetadata fragment = deletion.fragment();
      DeletionFile file = DeletionFiles.write(table, fragment, latest.version(), deletion.vector());
      written.add(table.deletionPath(file.name(fragment.id())));
      updated.add(fragment.withDeletionFile(Optional.of(file)));
    }

    /** Whether the rows of a fragment that are deleted are others than in the version read. */
    private boolean deletionsChanged(FragmentMetadata current) {
      FragmentMetadata before = basis.fragment(current.id());
      return before != null && !name(before).equals(name(current));
    }

    // Whether the number of deleted rows is recorded makes no difference.
    private static Optional<DeletionFile> name(FragmentMetadata fragment) {
      return fragment.deletionFile().map(file -> file.withDeletedRows(0));
    }

    private CommitConflictException conflict(String where) {
      return new CommitConflictException(
          "Retryable commit conflict for version "
              + latest.version()
              + ": This "
              + original.operation().kind()
              + " transaction was preempted by concurrent transactions up to version "
              + latest.version()
              + ", which deleted or moved rows of "
              + where
              + ". Please retry.",
          latest.version(),
          true);
    }
  }

  private static String describe(long fragmentId, RoaringBitmap offsets) {
    String listed =
        offsets.stream()
            .limit(LISTED_ROWS)
            .mapToObj(Integer::toUnsignedString)
            .collect(Collectors.joining(", "));
    String more = offsets.getLongCardinality() > LISTED_ROWS ? ", …" : "";
    return "fragment "
        + fragmentId
        + " that this one deletes or moves, at offsets "
        + listed
        + more;
  }
}
