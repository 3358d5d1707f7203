package dev.lance4j.write.internal;

import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Live rows of a version that are to be deleted. Not safe for use by many threads. */
public final class RowDeletions {
  private static final Logger LOG = LoggerFactory.getLogger(RowDeletions.class);

  private final Map<Long, RoaringBitmap> offsets = new TreeMap<>();

  /**
   * Fragments without rows that were deleted.
   *
   * @param updated those that keep rows, with their new deletion files
   * @param removed those that keep none
   */
  public record Applied(List<FragmentMetadata> updated, List<Long> removed) {
    /** Removes the deletion files, as far as that is possible. */
    public void remove(Table table) {
      for (FragmentMetadata fragment : updated) {
        String name = fragment.deletionFile().orElseThrow().name(fragment.id());
        try {
          table.store().delete(table.deletionPath(name));
        } catch (RuntimeException e) {
          LOG.debug("could not remove {}, which clean-up will find", name, e);
        }
      }
    }
  }

  /** Adds the row at an address. */
  public void add(long rowAddress) {
    offsets
        .computeIfAbsent(RowAddress.fragmentId(rowAddress), id -> new RoaringBitmap())
        .add((int) RowAddress.offset(rowAddress));
  }

  /** The rows added so far. */
  public RowAddressSet rows() {
    RowAddressSet.Builder rows = RowAddressSet.builder();
    offsets.forEach(rows::addOffsets);
    return rows.build();
  }

  /**
   * Writes the deletion files of the fragments that keep rows.
   *
   * @param source the version that the rows are of
   */
  public Applied apply(Scan.Source source) {
    List<FragmentMetadata> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    Applied applied = new Applied(updated, removed);
    boolean complete = false;
    try {
      offsets.forEach(
          (id, rows) -> {
            FragmentMetadata fragment = source.version().manifest().fragment(id).orElseThrow();
            if (FragmentReader.liveRows(source.version(), fragment, source.session())
                == rows.getLongCardinality()) {
              removed.add(id);
            } else {
              updated.add(without(fragment, rows, source.version()));
            }
          });
      complete = true;
      return applied;
    } finally {
      if (!complete) {
        applied.remove(source.version().table());
      }
    }
  }

  private static FragmentMetadata without(
      FragmentMetadata fragment, RoaringBitmap rows, TableVersion version) {
    DeletionVector vector = DeletionFiles.read(version, fragment).plus(rows);
    DeletionFile file = DeletionFiles.write(version.table(), fragment, version.version(), vector);
    return fragment.withDeletionFile(Optional.of(file));
  }
}
