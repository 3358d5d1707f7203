package dev.lance4j.table.internal;

import com.google.protobuf.ByteString;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.rowid.FragmentLineage;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.rowid.RowVersionSequence;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.SequenceLocation;
import dev.lance4j.table.Table;
import java.util.Optional;

/** Reads the stable row ids and the row versions of fragments, in the manifest or elsewhere. */
public final class FragmentSequences {
  private final Table table;

  /**
   * @param table which the fragments are of
   */
  public FragmentSequences(Table table) {
    this.table = table;
  }

  /**
   * The ids of all physical rows of a fragment.
   *
   * @throws CorruptFileException if they are missing or damaged, or not as many as the rows
   */
  public RowIdSequence rowIds(FragmentMetadata fragment) {
    SequenceLocation location =
        fragment
            .rowIds()
            .orElseThrow(
                () -> corrupt(fragment, "has no row ids, but the table has stable row ids"));
    RowIdSequence rowIds = parseRowIds(location);
    checkLength(fragment, rowIds.length(), "row ids");
    return rowIds;
  }

  /** The row ids at a place, however many they are. */
  RowIdSequence parseRowIds(SequenceLocation location) {
    return RowIdSequence.parse(bytes(location), path(location));
  }

  /**
   * The versions in which all physical rows of a fragment were created, if they are recorded.
   *
   * @throws CorruptFileException if they are damaged, or not as many as the rows
   */
  public Optional<RowVersionSequence> createdVersions(FragmentMetadata fragment) {
    return versions(fragment, fragment.createdVersions());
  }

  /** The versions in which the rows were updated last; as above. */
  public Optional<RowVersionSequence> lastUpdatedVersions(FragmentMetadata fragment) {
    return versions(fragment, fragment.lastUpdatedVersions());
  }

  private Optional<RowVersionSequence> versions(
      FragmentMetadata fragment, Optional<SequenceLocation> location) {
    return location.map(
        where -> {
          RowVersionSequence versions = RowVersionSequence.parse(bytes(where), path(where));
          checkLength(fragment, versions.length(), "row versions");
          return versions;
        });
  }

  /** The ids of a fragment's rows with the versions in which the rows were created. */
  FragmentLineage lineage(FragmentMetadata fragment) {
    return new FragmentLineage(
        fragment.id(), rowIds(fragment), createdVersions(fragment).orElse(null));
  }

  private void checkLength(FragmentMetadata fragment, long length, String what) {
    if (length != fragment.physicalRows()) {
      throw corrupt(
          fragment, "has " + length + " " + what + " for " + fragment.physicalRows() + " rows");
    }
  }

  private CorruptFileException corrupt(FragmentMetadata fragment, String what) {
    return new CorruptFileException(table.path(), -1, "fragment " + fragment.id() + " " + what);
  }

  /** The bytes of a sequence, wherever it is. */
  ByteString bytes(SequenceLocation location) {
    return location instanceof SequenceLocation.Inline inline
        ? inline.bytes()
        : read((SequenceLocation.External) location);
  }

  private ByteString read(SequenceLocation.External external) {
    String path = path(external);
    try (ObjectReader reader = table.store().open(path)) {
      boolean inside =
          external.offset() >= 0
              && external.size() >= 0
              && external.size() <= Integer.MAX_VALUE
              && external.offset() <= reader.size() - external.size();
      if (!inside) {
        throw new CorruptFileException(
            path,
            external.offset(),
            "a sequence of "
                + Long.toUnsignedString(external.size())
                + " bytes is not inside the file's "
                + reader.size());
      }
      return ByteString.copyFrom(reader.read(external.offset(), (int) external.size()));
    } catch (ObjectNotFoundException e) {
      throw new CorruptFileException(
          path, -1, "the file with a fragment's row ids or versions is missing", e);
    }
  }

  private String path(SequenceLocation location) {
    return location instanceof SequenceLocation.External external
        ? table.path() + "/" + Checks.inside(external.path(), table.path(), "a row id sequence")
        : table.path();
  }
}
