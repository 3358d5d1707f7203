package dev.lance4j.table;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A line of versions that starts from a version of another one and goes on by itself.
 *
 * @param name the branch, whose parts are separated by slashes
 * @param parent the branch that it started from; absent for the main one
 * @param version the version of the parent that it started from, whose number its own first version
 *     has
 * @param lineage the points where the branch and the branches that it came from started, from the
 *     main one on; tells the branch from earlier ones of its name
 * @param createdAt when it was made, to the second
 * @param manifestBytes the size of the manifest that it started from
 * @param metadata the user's
 */
public record Branch(
    String name,
    Optional<String> parent,
    long version,
    List<Point> lineage,
    Instant createdAt,
    long manifestBytes,
    Map<String, String> metadata) {
  public Branch {
    lineage = List.copyOf(lineage);
    metadata = Map.copyOf(metadata);
  }

  /**
   * Where a branch started.
   *
   * @param version the version of its parent
   * @param id random, 32 hexadecimal digits
   */
  public record Point(long version, String id) {}

  /** Whether another branch started from this one, or from one that did. */
  boolean isAncestorOf(Branch other) {
    return other.lineage.size() > lineage.size()
        && other.lineage.subList(0, lineage.size()).equals(lineage);
  }
}
