package dev.lance4j.table;

import java.util.Optional;
import java.util.OptionalLong;

/** What stands for a version of a table: a tag, or a branch with or without a number. */
public sealed interface Ref {
  /** The name of the branch that a table has from the start. */
  String MAIN = "main";

  /**
   * The version that has a tag.
   *
   * @param name the tag
   */
  record OfTag(String name) implements Ref {
    @Override
    public String toString() {
      return "tag " + name;
    }
  }

  /**
   * A version of a branch.
   *
   * @param name the branch; absent for the main one
   * @param version its number on the branch; the newest if absent
   */
  record OfBranch(Optional<String> name, OptionalLong version) implements Ref {
    @Override
    public String toString() {
      return name.orElse(MAIN)
          + (version.isPresent() ? ":" + Long.toUnsignedString(version.getAsLong()) : "");
    }
  }

  /** The version that has a tag. */
  static Ref tag(String name) {
    return new OfTag(name);
  }

  /** The newest version of a branch; {@value #MAIN} is the main one. */
  static Ref branch(String name) {
    return new OfBranch(named(name), OptionalLong.empty());
  }

  /** A version of a branch; {@value #MAIN} is the main one. */
  static Ref branch(String name, long version) {
    return new OfBranch(named(name), OptionalLong.of(version));
  }

  private static Optional<String> named(String branch) {
    return branch.equals(MAIN) ? Optional.empty() : Optional.of(branch);
  }
}
