package dev.lance4j.table;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A name for a version of a table, which clean-up then keeps.
 *
 * @param name the tag
 * @param branch the branch that the version is of; absent for the main one
 * @param version the number of the version on its branch
 * @param createdAt when the tag was made; early writers do not record it
 * @param updatedAt when it was last moved to another version; likewise
 * @param manifestBytes the size of the version's manifest when the tag was set
 * @param metadata the user's
 */
public record Tag(
    String name,
    Optional<String> branch,
    long version,
    Optional<Instant> createdAt,
    Optional<Instant> updatedAt,
    long manifestBytes,
    Map<String, String> metadata) {
  public Tag {
    metadata = Map.copyOf(metadata);
  }

  /** What the tag stands for. */
  public Ref target() {
    return Ref.branch(branch.orElse(Ref.MAIN), version);
  }
}
