package dev.lance4j.format;

import java.util.regex.Pattern;

/** Says how a file records blobs that are given by the URIs of objects it does not own. */
@FunctionalInterface
public interface ExternalBlobs {
  /**
   * How a URI is recorded.
   *
   * @param baseId the id of the table's base path that the object lies below, unsigned; 0 for an
   *     absolute URI
   * @param path relative to the base path, or the absolute URI
   */
  record Reference(int baseId, String path) {}

  /** Records absolute URIs as they are. */
  ExternalBlobs ABSOLUTE =
      new ExternalBlobs() {
        private final Pattern scheme =
            Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:.+", Pattern.DOTALL);

        @Override
        public Reference refer(String uri, String column) {
          if (!scheme.matcher(uri).matches()) {
            throw new InvalidInputException(
                String.format(
                    "Column '%s' has a blob at '%s', which is no absolute URI; write for example"
                        + " file:///data/film.mp4",
                    column, uri));
          }
          return new Reference(0, uri);
        }
      };

  /**
   * How to record a URI.
   *
   * @param uri not empty
   * @param column whose blob it is, for errors
   * @throws InvalidInputException if the file may not refer to it
   */
  Reference refer(String uri, String column);
}
