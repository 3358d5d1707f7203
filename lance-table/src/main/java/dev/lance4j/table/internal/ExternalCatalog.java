package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.store.ConditionalPut;
import dev.lance4j.format.store.ObjectNotFoundException;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.ManifestLocation;
import dev.lance4j.table.ManifestNaming;
import dev.lance4j.table.ManifestStore;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The versions that a manifest store knows, and those in the directory that are from the time
 * before the table had one. A version goes through these states:
 *
 * <ol>
 *   <li>staged: the manifest lies under a name of its own in {@code _versions}
 *   <li>committed: the manifest store has that path
 *   <li>copied: the manifest lies under its final name too
 *   <li>final: the manifest store has the final path, and what was staged is deleted
 * </ol>
 *
 * <p>Whoever meets a committed version brings it to its end, so that one whose writer died is no
 * different from others.
 */
public final class ExternalCatalog implements ManifestCatalog {
  private static final Logger LOG = LoggerFactory.getLogger(ExternalCatalog.class);
  private static final int UUID_LENGTH = 36;

  private final ManifestStore entries;
  private final String table;
  private final ObjectStore store;
  private final DirectoryCatalog directory;

  /**
   * @param entries the manifest store
   * @param table the path of the table's root
   * @param store the object store of the table
   * @param directory what is in {@code _versions}
   */
  public ExternalCatalog(
      ManifestStore entries, String table, ObjectStore store, DirectoryCatalog directory) {
    this.entries = entries;
    this.table = table;
    this.store = store;
    this.directory = directory;
  }

  @Override
  public Optional<ManifestLocation> latest() {
    Optional<ManifestStore.Entry> entry = entries.latest(table);
    return entry.isPresent() ? entry.map(this::finalised) : directory.latest();
  }

  @Override
  public Optional<ManifestLocation> find(long version) {
    if (ManifestNaming.isDetached(version)) {
      return directory.find(version);
    }
    Optional<ManifestStore.Entry> entry = entries.find(table, version);
    if (entry.isPresent()) {
      return entry.map(this::finalised);
    }
    Optional<ManifestLocation> found = directory.find(version);
    found.ifPresent(this::register);
    return found;
  }

  private void register(ManifestLocation location) {
    try {
      long size = store.stat(location.path()).size();
      entries.putIfAbsent(
          table, new ManifestStore.Entry(location.version(), location.path(), size));
    } catch (UncheckedIOException e) {
      LOG.warn("Could not record {} in the manifest store", location.path(), e);
    }
  }

  // A version is only added after the one before it was found, and finding makes it final: all but
  // the newest are in the directory.
  @Override
  public List<ManifestLocation> after(long version) {
    latest();
    return directory.after(version);
  }

  @Override
  public boolean putIfAbsent(ManifestLocation location, ByteBuffer file) {
    if (location.naming() == ManifestNaming.DETACHED) {
      return WholeObject.writeNew(store, location.path(), file);
    }
    if (store.exists(location.path())) {
      return false;
    }
    String staged = location.path() + "-" + UUID.randomUUID();
    ManifestStore.Entry entry =
        new ManifestStore.Entry(location.version(), staged, file.remaining());
    store.put(staged, file);
    if (!commit(entry)) {
      deleteQuietly(staged);
      return false;
    }
    try {
      finalised(entry);
    } catch (UncheckedIOException | LanceException e) {
      LOG.warn("Version {} is committed, but its readers have to finish it", staged, e);
    }
    return true;
  }

  /** Records a version; finds out what became of it if the reply is lost. */
  private boolean commit(ManifestStore.Entry entry) {
    try {
      return entries.putIfAbsent(table, entry);
    } catch (UncheckedIOException e) {
      Optional<ManifestStore.Entry> there;
      try {
        there = entries.find(table, entry.version());
      } catch (UncheckedIOException unreachable) {
        // What was staged stays: it may be the version.
        e.addSuppressed(unreachable);
        throw e;
      }
      if (there.isEmpty()) {
        deleteQuietly(entry.path());
        throw e;
      }
      return there.get().path().equals(entry.path());
    }
  }

  /** The final place of a version's manifest, after bringing it there. */
  private ManifestLocation finalised(ManifestStore.Entry entry) {
    String name = nameOf(entry);
    if (entry.path().endsWith("/" + name)) {
      return location(entry, name, entry.path());
    }
    String path = entry.path().substring(0, entry.path().length() - UUID_LENGTH - 1);
    ManifestLocation location = location(entry, name, path);
    try {
      store.put(path, WholeObject.read(store, entry.path()));
    } catch (ObjectNotFoundException e) {
      if (!store.exists(path)) {
        throw new CorruptFileException(
            entry.path(), -1, "the manifest store refers to a manifest that is missing", e);
      }
    }
    ManifestStore.Entry last = new ManifestStore.Entry(entry.version(), path, entry.sizeBytes());
    if (!entries.putIfPresent(table, last)) {
      throw new LanceException(
          "Version "
              + Long.toUnsignedString(entry.version())
              + " of "
              + table
              + " was removed from the manifest store meanwhile");
    }
    deleteQuietly(entry.path());
    return location;
  }

  private static String nameOf(ManifestStore.Entry entry) {
    String name = entry.path().substring(entry.path().lastIndexOf('/') + 1);
    int end = name.length() - UUID_LENGTH - 1;
    return end > 0 && name.charAt(end) == '-' ? name.substring(0, end) : name;
  }

  private static ManifestLocation location(ManifestStore.Entry entry, String name, String path) {
    return ManifestNaming.classify(name)
        .filter(named -> named.version() == entry.version())
        .map(named -> new ManifestLocation(named.version(), named.naming(), path))
        .orElseThrow(
            () ->
                new CorruptFileException(
                    entry.path(),
                    -1,
                    "the manifest store gives this as version "
                        + Long.toUnsignedString(entry.version())
                        + ", which its name does not say"));
  }

  private void deleteQuietly(String path) {
    try {
      store.delete(path);
    } catch (UncheckedIOException e) {
      LOG.debug("Could not delete the staged manifest {}", path, e);
    }
  }

  @Override
  public ConditionalPut conditionalPut() {
    return ConditionalPut.ATOMIC;
  }

  /** Nothing: the manifest store tells which version is the newest. */
  @Override
  public void added(long version) {}
}
