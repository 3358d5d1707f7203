package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Manifest;
import dev.lance4j.table.Session;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.WriterVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.roaringbitmap.RoaringBitmap;

/**
 * Corrects what early writers left wrong or out, which must happen before a manifest says that a
 * newer writer wrote it. A table of a current writer passes through unchanged and without IO.
 */
public final class Repairs {
  private static final LanceSchema NO_COLUMNS = new LanceSchema(List.of(), Map.of());
  private static final String REFERENCE = "lance";
  private static final int[] FIRST_RIGHT_COVERAGE = {0, 8, 15};

  private final TableVersion version;

  /**
   * @param version of the table whose files are read
   */
  public Repairs(TableVersion version) {
    this.version = version;
  }

  /** The corrected state. */
  public TableState apply(TableState state) {
    Manifest manifest = state.manifest();
    List<FragmentMetadata> fragments = new ArrayList<>(manifest.fragments().size());
    for (FragmentMetadata fragment : manifest.fragments()) {
      FragmentMetadata counted = counted(sized(fragment), manifest.hasReliableRowCounts());
      if (counted.physicalRows() == 0 || counted.deletedRows() < counted.physicalRows()) {
        fragments.add(counted);
      }
    }
    Manifest repaired = DuplicateFieldIds.repair(manifest.toBuilder().fragments(fragments).build());
    return new TableState(repaired, coverage(state.indices(), manifest.writerVersion()));
  }

  private FragmentMetadata sized(FragmentMetadata fragment) {
    if (hasSizes(fragment)) {
      return fragment;
    }
    List<DataFile> files = new ArrayList<>(fragment.files().size());
    for (DataFile file : fragment.files()) {
      files.add(file.sizeBytes() > 0 ? file : file.withSizeBytes(size(file)));
    }
    return fragment.withFiles(files);
  }

  private static boolean hasSizes(FragmentMetadata fragment) {
    for (DataFile file : fragment.files()) {
      if (file.sizeBytes() <= 0) {
        return false;
      }
    }
    return true;
  }

  private long size(DataFile file) {
    StoreLocation location = version.table().locate(file, version.manifest());
    try {
      return location.store().stat(location.path()).size();
    } catch (ObjectNotFoundException e) {
      throw new CorruptFileException(
          location.path(),
          -1,
          "the data file is missing, but " + version.location().path() + " refers to it",
          e);
    }
  }

  private FragmentMetadata counted(FragmentMetadata fragment, boolean reliable) {
    boolean countRows = !reliable || fragment.physicalRows() == 0;
    FragmentMetadata counted = countRows ? fragment.withPhysicalRows(rows(fragment)) : fragment;
    Optional<DeletionFile> deletionFile = counted.deletionFile();
    if (deletionFile.isEmpty() || (reliable && deletionFile.get().deletedRows() > 0)) {
      return counted;
    }
    DeletionVector deleted = DeletionFiles.read(version, counted);
    return counted.withDeletionFile(
        deleted.isEmpty()
            ? Optional.empty()
            : Optional.of(deletionFile.get().withDeletedRows(deleted.cardinality())));
  }

  private long rows(FragmentMetadata fragment) {
    FragmentMetadata uncounted = fragment.withPhysicalRows(0);
    try (Session session = Session.create(0);
        FragmentFiles files = FragmentFiles.open(version, uncounted, NO_COLUMNS, session)) {
      return files.rows();
    }
  }

  /** Takes back what segments say that they cover where it cannot be relied on. */
  private static List<IndexMetadata> coverage(
      List<IndexMetadata> indices, Optional<WriterVersion> writer) {
    Set<String> overlapping = overlapping(indices);
    boolean untrusted = writer.isEmpty() || isEarlyReference(writer.get());
    List<IndexMetadata> repaired = new ArrayList<>(indices.size());
    for (IndexMetadata index : indices) {
      boolean wrong = untrusted || overlapping.contains(index.name());
      boolean claims = !index.fragmentBytes().isEmpty() && !index.isSystem();
      // The rows are then searched without the index until it is built again.
      repaired.add(wrong && claims ? index.withFragments(new RoaringBitmap()) : index);
    }
    return repaired;
  }

  private static Set<String> overlapping(List<IndexMetadata> indices) {
    Map<String, RoaringBitmap> covered = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (IndexMetadata index : indices) {
      Optional<RoaringBitmap> fragments = index.fragments();
      if (fragments.isEmpty()) {
        continue;
      }
      RoaringBitmap sameName = covered.computeIfAbsent(index.name(), n -> new RoaringBitmap());
      if (RoaringBitmap.intersects(sameName, fragments.get())) {
        names.add(index.name());
      }
      sameName.or(fragments.get());
    }
    return names;
  }

  private static boolean isEarlyReference(WriterVersion writer) {
    if (!writer.library().equals(REFERENCE)) {
      return false;
    }
    String[] parts = writer.version().split("[.+-]", -1);
    for (int i = 0; i < FIRST_RIGHT_COVERAGE.length; i++) {
      if (i >= parts.length || !parts[i].matches("\\d{1,9}")) {
        return false;
      }
      int order = Integer.compare(Integer.parseInt(parts[i]), FIRST_RIGHT_COVERAGE[i]);
      if (order != 0) {
        return order < 0;
      }
    }
    return false;
  }
}
