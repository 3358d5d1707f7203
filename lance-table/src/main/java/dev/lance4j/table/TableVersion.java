package dev.lance4j.table;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.rowid.AddressMap;
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
  private volatile Rewrites rewrites;

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

  /** The manifest's file. */
  ManifestFile file() {
    return file;
  }

  /** The version's number, unsigned. */
  public long version() {
    return location.version();
  }

  /** The branch that the version is of; absent on the main branch. */
  public Optional<String> branch() {
    return manifest().branch();
  }

  /** The table's tags, also those of its other branches. */
  public Tags tags() {
    return new Tags(mainTable(), branch());
  }

  /** The branches of the table. */
  public Branches branches() {
    return new Branches(mainTable(), this);
  }

  /**
   * Opens what a name stands for in this table.
   *
   * @throws dev.lance4j.format.InvalidInputException if there is no such tag or branch
   * @throws dev.lance4j.format.VersionNotFoundException if there is no such version
   */
  public TableVersion checkout(Ref ref) {
    return new Refs(mainTable()).open(ref);
  }

  /** The table of the main branch. */
  Table mainTable() {
    return branch().map(table::main).orElse(table);
  }

  /**
   * Makes a table of its own that starts with this version and shares its files. What is written to
   * it goes to its own place; the files here must not be removed as long as it exists.
   *
   * @param target where the new table will be
   * @return the first version of the new table, which has the number of this one
   * @throws dev.lance4j.format.DatasetExistsException if there is a table already
   * @throws dev.lance4j.format.UnsupportedFormatException if the files are of the legacy version
   * @throws dev.lance4j.format.InvalidInputException if this version is a detached one
   */
  public TableVersion cloneTo(Table target) {
    return new Committer(target, CommitOptions.DEFAULT).createClone(this, Optional.empty());
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

  /**
   * All index segments, as covering the fragments that rows are in now which moved since a segment
   * was written; see {@link FragmentReuse#applyTo}. Where it is recorded in a way that is not known
   * what became of rows, no segment covers any.
   *
   * @throws CorruptFileException if the index section or the record is damaged
   */
  public List<IndexMetadata> currentIndices() {
    return rewrites().indices();
  }

  /**
   * Where rows are now whose addresses are held by an index that has not caught up with all
   * rewrites.
   *
   * @throws CorruptFileException if the record of them is damaged
   */
  public AddressMap movedRows() {
    return rewrites().moves();
  }

  private Rewrites rewrites() {
    Rewrites known = rewrites;
    if (known == null) {
      known = Rewrites.of(this);
      rewrites = known;
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
