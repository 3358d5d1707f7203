package dev.lance4j.table;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.rowid.AddressMap;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.table.internal.FragmentReuseFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/**
 * What became of rows whose fragments were rewritten without translating the addresses that indices
 * hold: the content of a table's {@link IndexMetadata#FRAGMENT_REUSE} entry. Immutable.
 *
 * @param versions one for each such rewrite that an index may not have caught up with, the oldest
 *     first
 */
public record FragmentReuse(List<Version> versions) {
  public FragmentReuse {
    versions = List.copyOf(versions);
  }

  /**
   * A rewrite.
   *
   * @param datasetVersion the version that it read; an index of this or a later version has caught
   *     up with it
   * @param groups which fragments became which
   */
  public record Version(long datasetVersion, List<Group> groups) {
    public Version {
      groups = List.copyOf(groups);
    }
  }

  /**
   * Fragments that were rewritten together: their rows that were left, in order, are the rows of
   * the new fragments in order.
   *
   * @param rows the old addresses of the rows that were left; empty where rows are known by stable
   *     ids
   * @param oldFragments those that vanished
   * @param newFragments those that took their place
   */
  public record Group(RowAddressSet rows, List<Digest> oldFragments, List<Digest> newFragments) {
    public Group {
      oldFragments = List.copyOf(oldFragments);
      newFragments = List.copyOf(newFragments);
    }

    /** Whether indices that hold addresses can tell which rows moved. */
    private boolean movesAddresses() {
      return !rows.isEmpty() || newFragments.isEmpty();
    }

    private void addTo(AddressMap.Builder moves) {
      List<AddressMap.Source> sources = new ArrayList<>(oldFragments.size());
      for (Digest old : oldFragments) {
        RoaringBitmap gone = new RoaringBitmap();
        gone.add(0L, old.physicalRows());
        gone.andNot(rows.offsets(old.id(), old.physicalRows()));
        sources.add(new AddressMap.Source(old.id(), old.physicalRows(), gone));
      }
      List<AddressMap.Target> targets = new ArrayList<>(newFragments.size());
      for (Digest added : newFragments) {
        targets.add(new AddressMap.Target(added.id(), added.physicalRows()));
      }
      try {
        moves.group(sources, targets);
      } catch (InvalidInputException e) {
        throw new CorruptFileException(
            IndexMetadata.FRAGMENT_REUSE, -1, "a rewrite is recorded wrongly", e);
      }
    }
  }

  /**
   * A fragment as it was at the rewrite.
   *
   * @param id of the fragment
   * @param physicalRows number of rows, deleted ones included
   * @param deletedRows number of deleted rows, as far as the writer said
   */
  public record Digest(long id, long physicalRows, long deletedRows) {
    /** The digest of a fragment. */
    public static Digest of(FragmentMetadata fragment) {
      return new Digest(fragment.id(), fragment.physicalRows(), fragment.deletedRows());
    }
  }

  /**
   * What a version of a table records, if it has an entry.
   *
   * @throws CorruptFileException if the entry is damaged
   * @throws UnsupportedFormatException if the entry is of a form that is not known
   */
  public static Optional<FragmentReuse> of(TableVersion version) {
    return entry(version.indices()).map(entry -> read(version.table(), version.manifest(), entry));
  }

  /** The entry among the index segments of a version. */
  public static Optional<IndexMetadata> entry(List<IndexMetadata> indices) {
    return indices.stream()
        .filter(index -> index.name().equals(IndexMetadata.FRAGMENT_REUSE))
        .findFirst();
  }

  /**
   * The content of an entry.
   *
   * @param manifest which knows the base that the entry may lie in
   * @throws CorruptFileException if the entry is damaged
   * @throws UnsupportedFormatException if the entry is of a form that is not known
   */
  public static FragmentReuse read(Table table, Manifest manifest, IndexMetadata entry) {
    return FragmentReuseFiles.read(table, manifest, entry);
  }

  /**
   * A new entry with this content, for an operation to add. Content of more than 200 KiB goes to a
   * file of its own, which must be removed if the entry is not committed.
   *
   * @param datasetVersion the version that the content was computed from
   * @param fragments what the entry covers: the new fragments of the last rewrite, or of all of
   *     them if it was written by a trim
   * @throws java.io.UncheckedIOException if the file cannot be written
   */
  public IndexMetadata write(Table table, long datasetVersion, RoaringBitmap fragments) {
    return FragmentReuseFiles.write(table, this, datasetVersion, fragments);
  }

  /** Removes the file of an entry that was not committed, if it has one and that is possible. */
  public static void discard(Table table, IndexMetadata entry) {
    FragmentReuseFiles.discard(table, entry);
  }

  /** The content after one more rewrite. */
  public FragmentReuse plus(Version version) {
    List<Version> more = new ArrayList<>(versions);
    more.add(version);
    return new FragmentReuse(more);
  }

  /** The new fragments of all versions. */
  public RoaringBitmap newFragments() {
    RoaringBitmap ids = new RoaringBitmap();
    for (Version version : versions) {
      version.groups().forEach(group -> ids.or(ids(group.newFragments())));
    }
    return ids;
  }

  /**
   * The index segments as covering the fragments that exist. A segment that covered all fragments
   * of a group covers the new ones, where its addresses are translated when they are read. One that
   * covered some of them, or that knows rows in other ways than by their addresses, covers none.
   */
  public List<IndexMetadata> applyTo(List<IndexMetadata> indices) {
    List<IndexMetadata> applied = new ArrayList<>(indices.size());
    for (IndexMetadata index : indices) {
      boolean affected = index.fragments().isPresent() && !index.isSystem();
      applied.add(affected ? applyTo(index) : index);
    }
    return applied;
  }

  private IndexMetadata applyTo(IndexMetadata index) {
    RoaringBitmap before = index.fragments().orElseThrow();
    RoaringBitmap covered = before.clone();
    for (Version version : versions) {
      for (Group group : version.groups()) {
        RoaringBitmap old = ids(group.oldFragments());
        boolean follows = covered.contains(old) && !old.isEmpty() && !index.coversZones();
        covered.andNot(old);
        if (follows) {
          covered.or(ids(group.newFragments()));
        }
      }
    }
    return covered.equals(before) ? index : index.withFragments(covered);
  }

  /**
   * Where rows are now, for the addresses that an index holds which has not caught up: those of any
   * version since the oldest one here was read.
   *
   * @throws CorruptFileException if a rewrite does not say where all rows that were left are
   */
  public AddressMap addressMap() {
    AddressMap all = AddressMap.IDENTITY;
    for (Version version : versions) {
      AddressMap.Builder moves = AddressMap.builder();
      version.groups().stream().filter(Group::movesAddresses).forEach(group -> group.addTo(moves));
      all = all.then(moves.build());
    }
    return all;
  }

  private static RoaringBitmap ids(List<Digest> fragments) {
    RoaringBitmap ids = new RoaringBitmap();
    fragments.forEach(fragment -> ids.add((int) fragment.id()));
    return ids;
  }
}
