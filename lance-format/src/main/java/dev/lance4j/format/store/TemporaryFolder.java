package dev.lance4j.format.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A new folder of the local file system for objects that are needed for a while, such as what does
 * not fit into memory. It goes, with all that is in it, when it is closed.
 */
public final class TemporaryFolder implements AutoCloseable {
  private final LocalObjectStore store = new LocalObjectStore();
  private final Path folder;

  private TemporaryFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes a folder.
   *
   * @param parent where to make it; null for the system's place for temporary files
   * @throws UncheckedIOException if that fails
   */
  public static TemporaryFolder create(Path parent) {
    try {
      String prefix = "lance-";
      return new TemporaryFolder(
          parent == null
              ? Files.createTempDirectory(prefix)
              : Files.createTempDirectory(parent, prefix));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts writing an object, which must be committed before it can be opened. */
  public ObjectWriter create(String name) {
    return store.create(path(name));
  }

  /** Opens an object. */
  public ObjectReader open(String name) {
    return store.open(path(name));
  }

  /** Removes an object. */
  public void delete(String name) {
    store.delete(path(name));
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  /**
   * Removes the folder.
   *
   * @throws UncheckedIOException if that fails
   */
  @Override
  public void close() {
    store.walk(folder.toString(), object -> store.delete(object.path()));
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
