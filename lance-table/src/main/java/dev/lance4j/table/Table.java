package dev.lance4j.table;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.DatasetNotFoundException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.VersionNotFoundException;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.table.internal.ManifestFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

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

  private static final long NEWEST = -1;

  private final StoreLocation root;
  private final Map<String, String> options;

  private Table(StoreLocation root, Map<String, String> options) {
    this.root = root;
    this.options = Map.copyOf(options);
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
    return new Table(root, options);
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
    Listing listing = new Listing(store().listsInOrder(), NEWEST);
    store().list(root.path() + VERSIONS, listing::visit);
    return listing.newest();
  }

  /** The manifest of a version, if the table has it. */
  public Optional<ManifestLocation> find(long version) {
    if (ManifestNaming.isDetached(version)) {
      return existing(version, ManifestNaming.DETACHED);
    }
    return existing(version, ManifestNaming.V2).or(() -> existing(version, ManifestNaming.V1));
  }

  private Optional<ManifestLocation> existing(long version, ManifestNaming naming) {
    ManifestLocation location = manifest(version, naming);
    return store().exists(location.path()) ? Optional.of(location) : Optional.empty();
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
    Listing listing = new Listing(store().listsInOrder(), version);
    store().list(root.path() + VERSIONS, listing::visit);
    return listing.all();
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
    return new ManifestLocation(
        version, naming, root.path() + VERSIONS + "/" + naming.fileName(version));
  }

  /** The path of the hint at the newest version, which is for stores that list slowly. */
  String versionHintPath() {
    return root.path() + VERSIONS + "/latest_version_hint.json";
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
        ? ObjectStores.resolve(path, options)
        : below(ObjectStores.resolve(base(baseId, manifest, path).path(), options), '/' + path);
  }

  private StoreLocation locate(
      OptionalInt baseId, Manifest manifest, String directory, String name) {
    if (baseId.isEmpty()) {
      return below(root, directory + name);
    }
    BasePath base = base(baseId.getAsInt(), manifest, name);
    StoreLocation location = ObjectStores.resolve(base.path(), options);
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

  /** Collects the manifests that a listing gives. */
  private final class Listing {
    private static final Comparator<ManifestLocation> ASCENDING =
        (a, b) -> Long.compareUnsigned(a.version(), b.version());

    private final List<ManifestLocation> found = new ArrayList<>();
    private final boolean inOrder;
    private final long after;

    /**
     * @param inOrder whether the listing is in order, so that V2 names start with the newest
     *     version
     * @param after what to go back to at least; {@link #NEWEST} to get the newest version only
     */
    Listing(boolean inOrder, long after) {
      this.inOrder = inOrder;
      this.after = after;
    }

    boolean visit(String fileName) {
      Optional<ManifestNaming.Named> named = ManifestNaming.classify(fileName);
      if (named.isEmpty() || named.get().naming() == ManifestNaming.DETACHED) {
        return true;
      }
      ManifestNaming naming = named.get().naming();
      long version = named.get().version();
      boolean wanted = after == NEWEST || Long.compareUnsigned(version, after) > 0;
      if (wanted) {
        found.add(manifest(version, naming));
      }
      boolean descending = inOrder && naming == ManifestNaming.V2;
      return !(descending && (after == NEWEST || !wanted));
    }

    Optional<ManifestLocation> newest() {
      checkOneScheme();
      return found.stream().max(ASCENDING);
    }

    List<ManifestLocation> all() {
      checkOneScheme();
      found.sort(ASCENDING);
      return found;
    }

    private void checkOneScheme() {
      if (found.stream().map(ManifestLocation::naming).distinct().count() > 1) {
        throw new UnsupportedFormatException(
            root.path()
                + VERSIONS
                + " holds manifests of several naming schemes; migrate them to the V2 scheme first");
      }
    }
  }
}
