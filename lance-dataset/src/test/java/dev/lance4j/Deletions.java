package dev.lance4j;

import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/** Deletes rows by their place, below the level of predicates. */
final class Deletions {
  private Deletions() {}

  /** Commits a version in which some rows of a fragment are deleted. */
  static void delete(String uri, long fragmentId, int... offsets) {
    Table table = Table.at(ObjectStores.resolve(uri));
    TableVersion version = table.latest();
    FragmentMetadata fragment = version.manifest().fragment(fragmentId).orElseThrow();
    DeletionVector vector =
        DeletionFiles.read(version, fragment).plus(RoaringBitmap.bitmapOf(offsets));
    DeletionFile file = DeletionFiles.write(table, fragment, version.version(), vector);
    Operation delete =
        new Operation.Delete(
            List.of(fragment.withDeletionFile(Optional.of(file))), List.of(), "rows by offset");
    new Committer(table, CommitOptions.DEFAULT)
        .commit(version, Transaction.of(version.version(), delete));
  }
}
