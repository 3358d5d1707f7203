package dev.lance4j.table;

import java.util.Optional;

/**
 * Another place that files of the table lie in, besides the table's own root.
 *
 * @param id what files refer to it by, unsigned; 0 is a valid id
 * @param name an alias
 * @param datasetRoot whether files lie in {@code data}, {@code _deletions} and {@code _indices}
 *     below the path, rather than directly in it
 * @param path an absolute path or URI
 */
public record BasePath(int id, Optional<String> name, boolean datasetRoot, String path) {
  /** This place under another id. */
  public BasePath withId(int newId) {
    return new BasePath(newId, name, datasetRoot, path);
  }
}
