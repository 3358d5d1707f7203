package dev.lance4j.table;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.table.internal.ManifestFile;
import dev.lance4j.table.internal.TransactionMessages;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A version of a table. Immutable and safe for use by many threads; what is not needed for every
 * use is read when it is first asked for.
 */
public final class TableVersion {
  private final Table table;
  private final ManifestLocation location;
  private final ManifestFile file;
  private volatile List<IndexMetadata> indices;
  private volatile LiveRows liveRows;

  TableVersion(Table table, ManifestLocation location, ManifestFile file) {
    this.table = table;
    this.location = location;
    this.file = file;
  }

  /** The table that this is a version of. */
  public Table table() {
    return table;
  }

  /** Where the manifest is. */
  public ManifestLocation location() {
    return location;
  }

  /** What the version consists of. */
  public Manifest manifest() {
    return file.manifest();
  }

  /** The version's number, unsigned. */
  public long version() {
    return location.version();
  }

  /**
   * All index segments, also those that this version of Lance4j cannot use.
   *
   * @throws CorruptFileException if the manifest's index section is damaged
   */
  public List<IndexMetadata> indices() {
    List<IndexMetadata> known = indices;
    if (known == null) {
      known = List.copyOf(file.indices(this::reopen));
      indices = known;
    }
    return known;
  }

  /** Which rows are where, to look up what is known about them. */
  LiveRows liveRows() {
    LiveRows known = liveRows;
    if (known == null) {
      known = LiveRows.of(this);
      liveRows = known;
    }
    return known;
  }

  private ObjectReader reopen() {
    return table.store().open(location.path());
  }

  /**
   * The transaction that led to this version, if the version records it and it is still there.
   *
   * @throws CorruptFileException if it is damaged
   * @throws dev.lance4j.format.UnsupportedFormatException if its operation is not a known one
   */
  public Optional<Transaction> transaction() {
    if (file.hasTransaction()) {
      return Optional.of(
          TransactionMessages.parse(file.transaction(this::reopen), location.path()));
    }
    if (manifest().transactionFile().isEmpty()) {
      return Optional.empty();
    }
    String path = table.transactionPath(manifest().transactionFile());
    try (ObjectReader reader = table.store().open(path)) {
      ByteBuffer bytes = reader.read(0, length(reader.size(), path));
      return Optional.of(TransactionMessages.parse(bytes, path));
    } catch (ObjectNotFoundException e) {
      return Optional.empty();
    }
  }

  private static int length(long size, String path) {
    if (size > Integer.MAX_VALUE) {
      throw new CorruptFileException(path, -1, "a transaction of " + size + " bytes");
    }
    return (int) size;
  }

  @Override
  public String toString() {
    return table + " version " + Long.toUnsignedString(version());
  }
}
