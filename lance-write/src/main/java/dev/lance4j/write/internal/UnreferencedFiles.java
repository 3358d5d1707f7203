package dev.lance4j.write.internal;

import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Table;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Data files that were written and will not be committed. */
public final class UnreferencedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(UnreferencedFiles.class);

  private UnreferencedFiles() {}

  /** Removes the files of new fragments, as far as that is possible. */
  public static void remove(Table table, Collection<FragmentMetadata> fragments) {
    removeNew(table, fragments, List.of());
  }

  /**
   * Removes the files of fragments that others do not have, as far as that is possible.
   *
   * @param kept fragments whose files stay
   */
  public static void removeNew(
      Table table, Collection<FragmentMetadata> fragments, Collection<FragmentMetadata> kept) {
    Set<String> paths = new HashSet<>();
    kept.forEach(fragment -> fragment.files().forEach(file -> paths.add(file.path())));
    for (FragmentMetadata fragment : fragments) {
      for (DataFile file : fragment.files()) {
        if (paths.add(file.path()) && file.baseId().isEmpty()) {
          remove(table, file.path());
        }
      }
    }
  }

  private static void remove(Table table, String path) {
    try {
      table.store().delete(table.dataPath(path));
    } catch (RuntimeException e) {
      LOG.debug("could not remove {}, which clean-up will find", path, e);
    }
  }
}
