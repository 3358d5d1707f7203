package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import java.nio.ByteBuffer;

/** Reads small objects at once. */
final class WholeObject {
  private WholeObject() {}

  /**
   * All bytes of an object.
   *
   * @throws CorruptFileException if they are too many for memory
   */
  static ByteBuffer read(ObjectStore store, String path) {
    return read(store, path, Integer.MAX_VALUE);
  }

  /**
   * All bytes of an object.
   *
   * @param limit the most that there may be
   * @throws CorruptFileException if there are more
   */
  static ByteBuffer read(ObjectStore store, String path, int limit) {
    try (ObjectReader reader = store.open(path)) {
      if (reader.size() > limit) {
        throw new CorruptFileException(
            path, -1, "the file has " + reader.size() + " bytes, more than " + limit);
      }
      return reader.read(0, (int) reader.size());
    }
  }
}
