package dev.lance4j.write;

import dev.lance4j.write.internal.FolderCheckpoints;
import java.nio.file.Path;
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

  /** Checkpoints in the files of a local folder, which is made when it is not there. */
  static Checkpoints in(Path folder) {
    return new FolderCheckpoints(folder);
  }
}
