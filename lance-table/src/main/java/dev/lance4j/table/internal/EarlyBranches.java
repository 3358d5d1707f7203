package dev.lance4j.table.internal;

import dev.lance4j.table.Branch;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Identifies branches whose writers did not: by a hash of what they recorded, the 64-bit FNV-1a
 * from two starting values.
 */
final class EarlyBranches {
  private static final long PRIME = 0x100000001b3L;
  private static final long FIRST_BASIS = 0xcbf29ce484222325L;
  private static final long SECOND_BASIS = FIRST_BASIS ^ 0x9e3779b97f4a7c15L;

  private EarlyBranches() {}

  /** What stands for the point where such a branch started. */
  static Branch.Point point(String name, Optional<String> parent, long version, long createdAt) {
    String text =
        "branch_name="
            + name
            + "\nparent_branch="
            + parent.orElse("")
            + "\nparent_version="
            + version
            + "\ncreate_at="
            + createdAt;
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Branch.Point(
        0,
        String.format(
            Locale.ROOT, "%016x%016x", hash(bytes, FIRST_BASIS), hash(bytes, SECOND_BASIS)));
  }

  private static long hash(byte[] bytes, long basis) {
    long hash = basis;
    for (byte b : bytes) {
      hash = (hash ^ (b & 0xFF)) * PRIME;
    }
    return hash;
  }
}
