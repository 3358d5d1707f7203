package dev.lance4j.table.internal;

import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.ConditionalPut;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.table.ManifestLocation;
import dev.lance4j.table.ManifestNaming;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The versions whose manifests are in a table's {@code _versions}. */
public final class DirectoryCatalog implements ManifestCatalog {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryCatalog.class);
  private static final String HINT = "/latest_version_hint.json";
  private static final String HINT_SWITCH = "LANCE_USE_VERSION_HINT";
  private static final Comparator<ManifestLocation> ASCENDING =
      (a, b) -> Long.compareUnsigned(a.version(), b.version());

  private final ObjectStore store;
  private final String directory;

  /**
   * @param store the table's
   * @param directory the path of {@code _versions}
   */
  public DirectoryCatalog(ObjectStore store, String directory) {
    this.store = store;
    this.directory = directory;
  }

  @Override
  public Optional<ManifestLocation> latest() {
    Newest newest = new Newest();
    store.list(directory, newest::visit);
    return newest.location();
  }

  @Override
  public Optional<ManifestLocation> find(long version) {
    if (ManifestNaming.isDetached(version)) {
      return existing(version, ManifestNaming.DETACHED);
    }
    return existing(version, ManifestNaming.V2).or(() -> existing(version, ManifestNaming.V1));
  }

  private Optional<ManifestLocation> existing(long version, ManifestNaming naming) {
    ManifestLocation location = location(version, naming);
    return store.exists(location.path()) ? Optional.of(location) : Optional.empty();
  }

  @Override
  public List<ManifestLocation> after(long version) {
    Newer newer = new Newer(version);
    store.list(directory, newer::visit);
    return newer.locations();
  }

  @Override
  public boolean putIfAbsent(ManifestLocation location, ByteBuffer file) {
    // Those who ignore the condition at least keep what has been there for a while.
    boolean taken =
        store.conditionalPut() == ConditionalPut.UNVERIFIED && store.exists(location.path());
    return !taken && store.putIfAbsent(location.path(), file);
  }

  @Override
  public ConditionalPut conditionalPut() {
    return store.conditionalPut();
  }

  /** Where the manifest of a version belongs. */
  public ManifestLocation location(long version, ManifestNaming naming) {
    return new ManifestLocation(version, naming, directory + "/" + naming.fileName(version));
  }

  /**
   * Gives all manifests with V1 names the V2 names. Not safe while others write; when it is
   * interrupted, it has to be run again.
   */
  public void migrateToV2() {
    List<ManifestNaming.Named> old = new ArrayList<>();
    store.list(
        directory,
        name -> {
          ManifestNaming.classify(name)
              .filter(named -> named.naming() == ManifestNaming.V1)
              .ifPresent(old::add);
          return true;
        });
    for (ManifestNaming.Named named : old) {
      String from = location(named.version(), ManifestNaming.V1).path();
      String to = location(named.version(), ManifestNaming.V2).path();
      WholeObject.writeNew(store, to, WholeObject.read(store, from));
      store.delete(from);
    }
  }

  /** Writes the hint at the newest version, which readers of stores that list slowly look at. */
  @Override
  public void added(long version) {
    if (store.listsInOrder() || isSwitchedOff(System.getenv(HINT_SWITCH))) {
      return;
    }
    byte[] hint =
        ("{\"version\":" + Long.toUnsignedString(version) + "}")
            .getBytes(StandardCharsets.US_ASCII);
    try {
      store.putHint(directory + HINT, ByteBuffer.wrap(hint));
    } catch (UncheckedIOException e) {
      LOG.debug("Could not write the version hint in {}", directory, e);
    }
  }

  private static boolean isSwitchedOff(String value) {
    return value != null
        && switch (value.toLowerCase(Locale.ROOT)) {
          case "0", "false", "off" -> true;
          default -> false;
        };
  }

  private void checkOneScheme(Set<ManifestNaming> schemes) {
    if (schemes.size() > 1) {
      throw new UnsupportedFormatException(
          directory
              + " holds manifests of several naming schemes; migrate them to the V2 scheme first");
    }
  }

  /** Finds the newest version in a listing, of which it asks for no more than it needs. */
  private final class Newest {
    private final boolean inOrder = store.listsInOrder();
    private final Set<ManifestNaming> schemes = EnumSet.noneOf(ManifestNaming.class);
    private ManifestNaming.Named newest;

    boolean visit(String fileName) {
      ManifestNaming.Named named = ManifestNaming.classify(fileName).orElse(null);
      if (named == null || named.naming() == ManifestNaming.DETACHED) {
        return true;
      }
      schemes.add(named.naming());
      if (newest == null || Long.compareUnsigned(named.version(), newest.version()) > 0) {
        newest = named;
      }
      return !(inOrder && named.naming() == ManifestNaming.V2);
    }

    Optional<ManifestLocation> location() {
      checkOneScheme(schemes);
      return Optional.ofNullable(newest)
          .map(n -> DirectoryCatalog.this.location(n.version(), n.naming()));
    }
  }

  /** Collects the versions above another from a listing. */
  private final class Newer {
    private final boolean inOrder = store.listsInOrder();
    private final Set<ManifestNaming> schemes = EnumSet.noneOf(ManifestNaming.class);
    private final List<ManifestLocation> found = new ArrayList<>();
    private final long version;

    Newer(long version) {
      this.version = version;
    }

    boolean visit(String fileName) {
      ManifestNaming.Named named = ManifestNaming.classify(fileName).orElse(null);
      if (named == null || named.naming() == ManifestNaming.DETACHED) {
        return true;
      }
      schemes.add(named.naming());
      boolean newer = Long.compareUnsigned(named.version(), version) > 0;
      if (newer) {
        found.add(location(named.version(), named.naming()));
      }
      return newer || !(inOrder && named.naming() == ManifestNaming.V2);
    }

    List<ManifestLocation> locations() {
      checkOneScheme(schemes);
      found.sort(ASCENDING);
      return found;
    }
  }
}
