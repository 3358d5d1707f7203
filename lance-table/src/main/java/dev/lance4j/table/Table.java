package dev.lance4j.table;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.DatasetNotFoundException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.ConditionalPut;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.internal.DirectoryCatalog;
import dev.lance4j.table.internal.ExternalCatalog;
import dev.lance4j.table.internal.ManifestCatalog;
import dev.lance4j.table.internal.ManifestFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Function;

/**
 * The place of a table: finds its versions and its files. Says nothing about whether a table is
 * there. Immutable.
 */
public final class Table {
  private static final String VERSIONS = "/_versions";
  private static final String TRANSACTIONS = "/_transactions/";
  private static final String DATA = "/data/";
  private static final String DELETIONS = "/_deletions/";
  private static final String INDICES = "/_indices/";
  private static final String TREE = "/tree/";

  private final StoreLocation root;
  private final Function<String, StoreLocation> places;
  private final Optional<ManifestStore> manifestStore;
  private final DirectoryCatalog directory;
  private final ManifestCatalog catalog;

  private Table(
      StoreLocation root,
      Function<String, StoreLocation> places,
      Optional<ManifestStore> manifestStore) {
    this.root = root;
    this.places = places;
    this.manifestStore = manifestStore;
    this.directory = new DirectoryCatalog(root.store(), root.path() + VERSIONS);
    this.catalog =
        manifestStore.isPresent()
            ? new ExternalCatalog(manifestStore.get(), root.path(), root.store(), directory)
            : directory;
  }

  /** The table whose root is here. */
  public static Table at(StoreLocation root) {
    return at(root, Map.of());
  }

  /**
   * The table whose root is here.
   *
   * @param options settings of the store, used for the table's other base paths too
   */
  public static Table at(StoreLocation root, Map<String, String> options) {
    Map<String, String> settings = Map.copyOf(options);
    return at(root, uri -> ObjectStores.resolve(uri, settings));
  }

  /**
   * The table whose root is here.
   *
   * @param places finds the table's other base paths, and tables that are made from it
   */
  public static Table at(StoreLocation root, Function<String, StoreLocation> places) {
    return new Table(root, places, Optional.empty());
  }

  /** This table with a store outside of the object store that decides about its versions. */
  public Table withManifestStore(ManifestStore store) {
    return new Table(root, places, Optional.of(store));
  }

  /** Another table that is reached with the same settings. */
  public Table other(String uri) {
    return new Table(places.apply(uri), places, manifestStore);
  }

  /** The table of a branch, when this is the main one; says nothing about whether it is there. */
  Table branch(String name) {
    return new Table(below(root, TREE + name), places, manifestStore);
  }

  /** The main table, when this is that of a branch. */
  Table main(String branch) {
    String suffix = TREE + branch;
    if (!root.path().endsWith(suffix) || !root.uri().endsWith(suffix)) {
      throw new CorruptFileException(
          root.path(), -1, "the manifest is one of branch '" + branch + "', which lies elsewhere");
    }
    return new Table(
        new StoreLocation(
            root.store(),
            root.path().substring(0, root.path().length() - suffix.length()),
            root.uri().substring(0, root.uri().length() - suffix.length())),
        places,
        manifestStore);
  }

  /** Forgets what is recorded about the table outside of the object store. */
  void forget() {
    manifestStore.ifPresent(store -> store.deleteAll(root.path()));
  }

  /** The store that the table's root is in. */
  public ObjectStore store() {
    return root.store();
  }

  /** What users call the table. */
  public String uri() {
    return root.uri();
  }

  /** The path of the table's root in its store. */
  public String path() {
    return root.path();
  }

  /**
   * Opens the newest version.
   *
   * @throws DatasetNotFoundException if there is no table
   */
  public TableVersion latest() {
    return findLatest().map(this::open).orElseThrow(() -> new DatasetNotFoundException(root.uri()));
  }

  /**
   * Opens a version.
   *
   * @param version the version, unsigned; perhaps a detached one
   * @throws VersionNotFoundException if the table has no such version
   * @throws DatasetNotFoundException if there is no table
   */
  public TableVersion version(long version) {
    return find(version)
        .map(this::open)
        .orElseThrow(
            () ->
                findLatest().isPresent() || ManifestNaming.isDetached(version)
                    ? new VersionNotFoundException(root.uri(), version)
                    : new DatasetNotFoundException(root.uri()));
  }

  /**
   * Opens a version whose manifest was found.
   *
   * @throws VersionNotFoundException if it has been removed since
   * @throws CorruptFileException if the manifest is damaged
   * @throws UnsupportedFormatException if the table uses what this version does not know
   */
  public TableVersion open(ManifestLocation location) {
    try (ObjectReader reader = store().open(location.path())) {
      ManifestFile file = ManifestFile.read(reader);
      long version = file.manifest().version();
      if (version != location.version()) {
        throw new CorruptFileException(
            location.path(),
            -1,
            "the manifest is of version "
                + Long.toUnsignedString(version)
                + ", its name of version "
                + Long.toUnsignedString(location.version()));
      }
      return new TableVersion(this, location, file);
    } catch (ObjectNotFoundException e) {
      VersionNotFoundException missing =
          new VersionNotFoundException(root.uri(), location.version());
      missing.initCause(e);
      throw missing;
    }
  }

  /** The manifest of the newest version, unless there is no table. */
  public Optional<ManifestLocation> findLatest() {
    return catalog.latest();
  }

  /** The manifest of a version, if the table has it. */
  public Optional<ManifestLocation> find(long version) {
    return catalog.find(version);
  }

  /** The manifests of all versions in ascending order, without detached ones. */
  public List<ManifestLocation> findAll() {
    return findAfter(0);
  }

  /**
   * The manifests of the versions after another, in ascending order.
   *
   * @param version any version of the history
   */
  List<ManifestLocation> findAfter(long version) {
    return catalog.after(version);
  }

  /**
   * Describes all versions in ascending order, without detached ones.
   *
   * @throws DatasetNotFoundException if there is no table
   */
  public List<VersionSummary> versions() {
    List<VersionSummary> summaries = new ArrayList<>();
    for (ManifestLocation location : findAll()) {
      summaries.add(VersionSummary.of(open(location).manifest()));
    }
    if (summaries.isEmpty()) {
      throw new DatasetNotFoundException(root.uri());
    }
    return summaries;
  }

  /** Where the manifest of a version belongs. */
  ManifestLocation manifest(long version, ManifestNaming naming) {
    return directory.location(version, naming);
  }

  /**
   * Makes sure that versions can be added without undoing what others add at the same time. To be
   * called before files are written in vain.
   *
   * @throws UnsupportedFormatException if the object store cannot write an object if and only if it
   *     is absent and there is no manifest store
   */
  public void requireAtomicCommits() {
    if (catalog.conditionalPut() == ConditionalPut.UNSUPPORTED) {
      throw new UnsupportedFormatException(
          "The object store of "
              + root.uri()
              + " cannot write an object if and only if it is absent, so that one writer could undo"
              + " what another commits; give a manifest store that all writers of the dataset use");
    }
  }

  /** Whether a version that was added has to be read back, as another may lie in its place. */
  boolean mustReadBack() {
    return catalog.conditionalPut() != ConditionalPut.ATOMIC;
  }

  /** Adds a version if nobody else has; see {@link ManifestCatalog#putIfAbsent}. */
  boolean putIfAbsent(ManifestLocation location, ByteBuffer file) {
    return catalog.putIfAbsent(location, file);
  }

  /** Takes note that the manifest of a version was removed. */
  void removed(long version) {
    manifestStore.ifPresent(store -> store.delete(root.path(), version));
  }

  /** Takes note that a version was added to the history. */
  void added(long version) {
    catalog.added(version);
  }

  /**
   * Gives all manifests with V1 names, the versions in decimal, the V2 names, which list the newest
   * version first. Not safe while others write to the table; when it is interrupted, it has to be
   * run again before the table can be used.
   *
   * @throws UnsupportedFormatException if the table has a manifest store, which knows the old names
   */
  public void migrateManifestNames() {
    if (manifestStore.isPresent()) {
      throw new UnsupportedFormatException(
          "The manifests of "
              + root.uri()
              + " are recorded in a manifest store and cannot be renamed");
    }
    directory.migrateToV2();
  }

  /** The path of a transaction's file. */
  String transactionPath(String fileName) {
    return root.path() + TRANSACTIONS + fileName;
  }

  /** The path of a data file that is written to the table's own root. */
  public String dataPath(String fileName) {
    return root.path() + DATA + fileName;
  }

  /** The path of a deletion file that is written to the table's own root. */
  public String deletionPath(String fileName) {
    return root.path() + DELETIONS + fileName;
  }

  /** The path of the directory of an index segment that is written to the table's own root. */
  public String indexPath(UUID segment) {
    return root.path() + INDICES + segment;
  }

  /**
   * Where a data file is.
   *
   * @param manifest which knows the bases
   * @throws CorruptFileException if the file refers to a base that there is not
   */
  public StoreLocation locate(DataFile file, Manifest manifest) {
    return locate(file.baseId(), manifest, DATA, file.path());
  }

  /**
   * Where a deletion file is.
   *
   * @param fragmentId the fragment that it belongs to
   * @param manifest which knows the bases
   * @throws CorruptFileException if the file refers to a base that there is not
   */
  public StoreLocation locate(DeletionFile file, long fragmentId, Manifest manifest) {
    String name = file.name(fragmentId);
    if (file.baseId().isPresent()
        && !base(file.baseId().getAsInt(), manifest, name).datasetRoot()) {
      throw new CorruptFileException(
          name, -1, "a deletion file must lie in a dataset, but its base path is not one");
    }
    return locate(file.baseId(), manifest, DELETIONS, name);
  }

  /**
   * Where the files of an index segment are.
   *
   * @param manifest which knows the bases
   * @throws CorruptFileException if the segment refers to a base that there is not
   */
  public StoreLocation locate(IndexMetadata index, Manifest manifest) {
    return locate(index.baseId(), manifest, INDICES, index.uuid().toString());
  }

  /**
   * Where an object is that the table refers to and does not own.
   *
   * @param baseId the id of a base path; 0 for none
   * @param path relative to the base path, or an absolute URI
   * @param manifest which knows the bases
   * @throws CorruptFileException if there is no such base
   */
  public StoreLocation locateExternal(int baseId, String path, Manifest manifest) {
    return baseId == 0
        ? places.apply(path)
        : below(places.apply(base(baseId, manifest, path).path()), '/' + path);
  }

  private StoreLocation locate(
      OptionalInt baseId, Manifest manifest, String directory, String name) {
    if (baseId.isEmpty()) {
      return below(root, directory + name);
    }
    BasePath base = base(baseId.getAsInt(), manifest, name);
    StoreLocation location = places.apply(base.path());
    return below(location, (base.datasetRoot() ? directory : "/") + name);
  }

  private BasePath base(int id, Manifest manifest, String file) {
    return manifest
        .basePath(id)
        .orElseThrow(
            () ->
                new CorruptFileException(
                    file,
                    -1,
                    "the file lies in base path "
                        + Integer.toUnsignedString(id)
                        + ", which version "
                        + Long.toUnsignedString(manifest.version())
                        + " of "
                        + root.uri()
                        + " does not have"));
  }

  private static StoreLocation below(StoreLocation location, String relative) {
    return new StoreLocation(
        location.store(), location.path() + relative, location.uri() + relative);
  }

  @Override
  public String toString() {
    return root.uri();
  }
}
