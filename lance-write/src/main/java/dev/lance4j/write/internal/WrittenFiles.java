package dev.lance4j.write.internal;

import dev.lance4j.format.internal.blob.Sidecars;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.DeletionFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes files that were written for a commit that did not happen. */
public final class WrittenFiles {
  private static final Logger LOG = LoggerFactory.getLogger(WrittenFiles.class);

  private WrittenFiles() {}

  /**
   * Removes the files of a delete, an update or a merge of columns, as far as that is possible.
   *
   * @param read the version that it was computed from, whose files stay
   */
  public static void remove(TableVersion read, Operation operation) {
    if (operation instanceof Operation.Delete delete) {
      remove(read, delete.updatedFragments());
    } else if (operation instanceof Operation.Update update) {
      remove(read, update.updatedFragments());
      remove(read.table(), update.newFragments());
    } else if (operation instanceof Operation.Merge merge) {
      remove(read, merge.fragments());
    }
  }

  /**
   * Removes the files of changed fragments that they did not have in the version that was read, as
   * far as that is possible.
   */
  public static void remove(TableVersion read, List<FragmentMetadata> updated) {
    Set<String> before = new HashSet<>();
    for (FragmentMetadata fragment : read.manifest().fragments()) {
      before.addAll(paths(read.table(), fragment));
    }
    for (FragmentMetadata fragment : updated) {
      for (String path : paths(read.table(), fragment)) {
        if (!before.contains(path)) {
          remove(read.table(), path);
        }
      }
    }
  }

  /** Removes the files of new fragments, as far as that is possible. */
  public static void remove(Table table, List<FragmentMetadata> fragments) {
    for (FragmentMetadata fragment : fragments) {
      paths(table, fragment).forEach(path -> remove(table, path));
    }
  }

  /** The paths of a fragment's files in the table's own root, where all new files are. */
  private static List<String> paths(Table table, FragmentMetadata fragment) {
    List<String> paths = new ArrayList<>();
    for (DataFile file : fragment.files()) {
      if (file.baseId().isEmpty()) {
        paths.add(table.dataPath(file.path()));
      }
    }
    Optional<DeletionFile> deletions =
        fragment.deletionFile().filter(file -> file.baseId().isEmpty());
    deletions.ifPresent(file -> paths.add(table.deletionPath(file.name(fragment.id()))));
    return paths;
  }

  private static void remove(Table table, String path) {
    try {
      table.store().delete(path);
      Sidecars.remove(table.store(), path);
    } catch (RuntimeException e) {
      LOG.debug("could not remove {}, which clean-up will find", path, e);
    }
  }
}
