package dev.lance4j.table.internal;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.store.ConditionalPut;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.store.ObjectStore;
import java.nio.ByteBuffer;

/** Small objects, read and written at once. */
public final class WholeObject {
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
   * Writes an object that is not there yet, under a name that two seldom choose at once: where the
   * store cannot do so atomically, the later of two writers may replace what the other wrote.
   *
   * @return whether it was written; false means that another object is there
   */
  public static boolean writeNew(ObjectStore store, String path, ByteBuffer content) {
    if (store.conditionalPut() != ConditionalPut.UNSUPPORTED) {
      return store.putIfAbsent(path, content);
    }
    if (store.exists(path)) {
      return false;
    }
    store.put(path, content);
    return true;
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
