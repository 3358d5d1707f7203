package dev.lance4j.write.internal;

import dev.lance4j.format.ExternalBlobs;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.BasePath;
import java.util.Comparator;
import java.util.List;

/**
 * Records blobs that are given by URIs below those base paths of a table that are no datasets, of
 * several the longest, and others only if that is allowed.
 */
final class ExternalReferences implements ExternalBlobs {
  private static final String FILE = "file://";

  private final List<BasePath> bases;
  private final boolean elsewhere;

  /**
   * @param bases all of the table
   * @param elsewhere whether objects outside of the bases may be referred to
   */
  ExternalReferences(List<BasePath> bases, boolean elsewhere) {
    this.bases =
        bases.stream()
            .filter(base -> !base.datasetRoot() && base.id() != 0)
            .sorted(Comparator.comparing((BasePath base) -> folder(base).length()).reversed())
            .toList();
    this.elsewhere = elsewhere;
  }

  @Override
  public Reference refer(String uri, String column) {
    String plain = plain(uri);
    for (BasePath base : bases) {
      String folder = folder(base);
      if (plain.startsWith(folder) && plain.length() > folder.length()) {
        return new Reference(base.id(), plain.substring(folder.length()));
      }
    }
    if (!elsewhere) {
      throw new InvalidInputException(
          String.format(
              "Column '%s' has a blob at '%s', which is not below a base path of the table; allow"
                  + " external blobs if others than the table may remove it",
              column, uri));
    }
    return ABSOLUTE.refer(uri, column);
  }

  private static String folder(BasePath base) {
    String plain = plain(base.path());
    return plain.endsWith("/") ? plain : plain + '/';
  }

  private static String plain(String uri) {
    return uri.startsWith(FILE) ? uri.substring(FILE.length()) : uri;
  }
}
