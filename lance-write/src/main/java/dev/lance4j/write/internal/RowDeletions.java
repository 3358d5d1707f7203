package dev.lance4j.write.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.roaringbitmap.RoaringBitmap;

/**
 * The fragments of a version after some of their rows were deleted.
 *
 * @param updatedFragments those that keep rows, with new deletion files that are written
 * @param removedFragmentIds those that keep none
 */
public record RowDeletions(List<FragmentMetadata> updatedFragments, List<Long> removedFragmentIds) {
  private static final LanceSchema NO_COLUMNS = new LanceSchema(List.of(), Map.of());

  /**
   * Deletes rows: writes a new deletion file for each fragment that keeps some.
   *
   * @param source the version
   * @param rows the addresses of live rows
   * @throws CorruptFileException if a deletion file of the version is damaged; none is written then
   */
  public static RowDeletions write(Scan.Source source, RowAddressSet rows) {
    TableVersion version = source.version();
    List<FragmentMetadata> updated = new ArrayList<>();
    List<Long> removed = new ArrayList<>();
    Set<Long> touched = new HashSet<>();
    for (long id : rows.fragmentIds()) {
      touched.add(id);
    }
    try {
      for (FragmentMetadata fragment : version.manifest().fragments()) {
        if (!touched.contains(fragment.id())) {
          continue;
        }
        FragmentMetadata counted = counted(source, fragment);
        RoaringBitmap offsets = rows.offsets(fragment.id(), counted.physicalRows());
        DeletionVector vector =
            DeletionFiles.read(version, fragment, source.session()).plus(offsets);
        if (vector.cardinality() == counted.physicalRows()) {
          removed.add(fragment.id());
        } else {
          DeletionFile file =
              DeletionFiles.write(version.table(), counted, version.version(), vector);
          updated.add(counted.withDeletionFile(Optional.of(file)));
        }
      }
    } catch (RuntimeException | Error e) {
      WrittenFiles.remove(version, new Operation.Delete(updated, List.of(), ""));
      throw e;
    }
    return new RowDeletions(updated, removed);
  }

  /** A fragment with its number of rows, which early writers did not record. */
  private static FragmentMetadata counted(Scan.Source source, FragmentMetadata fragment) {
    if (source.version().manifest().hasReliableRowCounts() && fragment.physicalRows() > 0) {
      return fragment;
    }
    try (FragmentReader reader =
        FragmentReader.open(source.version(), fragment, NO_COLUMNS, source.session())) {
      return fragment.withPhysicalRows(reader.physicalRows());
    }
  }
}
