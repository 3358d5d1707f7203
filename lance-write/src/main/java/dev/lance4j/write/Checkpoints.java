package dev.lance4j.write;

import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.write.internal.StoredCheckpoints;
import java.util.Optional;

/**
 * Keeps what a long computation has done so far, so that it goes on from there after a failure.
 * What is kept is of use only for the same computation on the same table.
 */
public interface Checkpoints {
  /** What was saved under a name, if anything was. */
  Optional<byte[]> load(String name);

  /**
   * Saves something, replacing what was there. It is there completely or not at all.
   *
   * @param name of letters, digits and hyphens
   */
  void save(String name, byte[] content);

  /**
   * Checkpoints in the objects of a folder.
   *
   * @param uri a path or URI, of any store that is known
   */
  static Checkpoints in(String uri) {
    return new StoredCheckpoints(ObjectStores.resolve(uri));
  }
}
