package dev.lance4j.format.store;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A flat space of immutable objects under {@code /}-separated paths: the only way in which anything
 * above reaches storage. Safe for use by many threads.
 *
 * <p>Methods throw {@link ObjectNotFoundException} where an object that must exist does not, and
 * {@link java.io.UncheckedIOException} for other failures.
 */
public interface ObjectStore extends AutoCloseable {
  /** Opens an object whose size is not known. */
  ObjectReader open(String path);

  /**
   * Opens an object whose size is known, which saves a request where sizes are not free.
   *
   * @param size in bytes; if it is wrong, reads near the end fail
   */
  default ObjectReader open(String path, long size) {
    return open(path);
  }

  /** Describes an object. */
  ObjectInfo stat(String path);

  /** Whether there is an object at the path. */
  boolean exists(String path);

  /** Starts an object, replacing one that is already there when the new one is complete. */
  ObjectWriter create(String path);

  /** Writes a whole object, replacing one that is already there. */
  default void put(String path, ByteBuffer content) {
    try (ObjectWriter writer = create(path)) {
      writer.write(content);
      writer.commit();
    }
  }

  /**
   * Writes a whole small object that nobody relies on, as fast as the store can: a reader may find
   * the old one, or damage.
   */
  default void putHint(String path, ByteBuffer content) {
    put(path, content);
  }

  /**
   * Writes a whole object if and only if there is none at the path, atomically among all processes
   * that use the store.
   *
   * @return whether it was written; false means that another object is there
   * @throws dev.lance4j.format.UnsupportedFormatException if the store cannot promise that
   */
  boolean putIfAbsent(String path, ByteBuffer content);

  /**
   * How far {@link #putIfAbsent} is to be trusted. Whoever commits to a store that is not known to
   * be atomic reads back what it wrote.
   */
  default ConditionalPut conditionalPut() {
    return ConditionalPut.UNVERIFIED;
  }

  /** Removes an object; one that does not exist is no error. */
  void delete(String path);

  /**
   * Visits the names of the objects directly below a directory, without the directory. A directory
   * that does not exist is empty.
   *
   * @param visitor takes a name and says whether to go on
   */
  void list(String directory, Predicate<String> visitor);

  /** Visits all objects below a directory at any depth, in no particular order. */
  void walk(String directory, Consumer<ObjectInfo> visitor);

  /** Removes all objects below a directory at any depth; one that does not exist is no error. */
  default void deleteAll(String directory) {
    walk(directory, object -> delete(object.path()));
  }

  /** Whether {@link #list} gives names in ascending order of their UTF-8 bytes. */
  boolean listsInOrder();

  @Override
  default void close() {}
}
