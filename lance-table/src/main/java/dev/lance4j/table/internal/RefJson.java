package dev.lance4j.table.internal;

import java.util.Map;
import java.util.Optional;

/** The files of tags and branches, as far as clean-up needs them. */
public final class RefJson {
  private RefJson() {}

  /** A tag. */
  public record Tag(Optional<String> branch, long version) {}

  /** A branch. */
  public record Branch(String name, Optional<String> parent, long parentVersion) {}

  /** Reads a tag's file. */
  public static Tag tag(String json, String name) {
    Map<String, JsonValue> members = JsonValue.parse(json, "tag " + name).members();
    return new Tag(text(members.get("branch")), members.get("version").longNumber(true));
  }

  /** Reads a branch's file. */
  public static Branch branch(String json, String name) {
    Map<String, JsonValue> members = JsonValue.parse(json, "branch " + name).members();
    return new Branch(
        name.replace("%2F", "/"),
        text(members.get("parentBranch")),
        members.get("parentVersion").longNumber(true));
  }

  private static Optional<String> text(JsonValue value) {
    return value == null || value.isNull() ? Optional.empty() : Optional.of(value.text());
  }
}
