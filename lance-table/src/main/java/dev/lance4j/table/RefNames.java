package dev.lance4j.table;

import dev.lance4j.format.InvalidInputException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Which names tags and branches may have. */
final class RefNames {
  /** The directories that the files of a table lie in. */
  static final List<String> DIRECTORIES =
      List.of("_versions", "_transactions", "_deletions", "_indices", "data");

  private RefNames() {}

  static boolean isTag(String name) {
    return tagFault(name) == null;
  }

  static boolean isBranch(String name) {
    return branchFault(name) == null;
  }

  /**
   * Checks the name of a tag.
   *
   * @throws InvalidInputException if no tag may have it
   */
  static void checkTag(String name) {
    check("tag", name, tagFault(name));
  }

  /**
   * Checks the name of a branch.
   *
   * @throws InvalidInputException if no branch may have it
   */
  static void checkBranch(String name) {
    check("branch", name, branchFault(name));
  }

  /**
   * Checks the name of a branch that is to be made.
   *
   * @throws InvalidInputException if no branch may have it, or the branch would lie among the files
   *     of another one
   */
  static void checkNewBranch(String name) {
    checkBranch(name);
    if (liesInsideFiles(name)) {
      throw new InvalidInputException(
          "'"
              + name
              + "' is no name for a branch: after a slash none of "
              + String.join(", ", DIRECTORIES)
              + " may come, where the files of other branches lie");
    }
  }

  /** Whether the place of a branch may be one for files of another branch. */
  static boolean liesInsideFiles(String branch) {
    List<String> segments = List.of(branch.split("/", -1));
    return segments.subList(1, segments.size()).stream().anyMatch(DIRECTORIES::contains);
  }

  private static void check(String what, String name, String fault) {
    if (fault != null) {
      throw new InvalidInputException("'" + name + "' is no name for a " + what + ": it " + fault);
    }
  }

  private static String tagFault(String name) {
    if (name.isEmpty()) {
      return "is empty";
    }
    if (!isPlain(name)) {
      return "may have letters and digits of ASCII, '.', '-' and '_' only";
    }
    if (name.startsWith(".")) {
      return "begins with a dot";
    }
    if (name.endsWith(".")) {
      return "ends with a dot";
    }
    return endFault(name);
  }

  private static String branchFault(String name) {
    if (name.equals(Ref.MAIN)) {
      return "stands for the main branch";
    }
    for (String segment : name.split("/", -1)) {
      if (segment.isEmpty()) {
        return "has an empty part between, before or after slashes";
      }
      if (!isPlain(segment)) {
        return "may have letters and digits of ASCII, '.', '-' and '_' between slashes only";
      }
      if (segment.equals(".")) {
        return "has a part that is a dot";
      }
    }
    return endFault(name);
  }

  private static String endFault(String name) {
    if (name.endsWith(".lock")) {
      return "ends with .lock";
    }
    return name.contains("..") ? "has two dots in a row" : null;
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean alphanumeric =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!alphanumeric && c != '.' && c != '-' && c != '_') {
        return false;
      }
    }
    return true;
  }

  /** The name that a file name stands for, with its percent escapes resolved. */
  static String decoded(String fileName) {
    try {
      return URLDecoder.decode(fileName.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEscaped) {
      return fileName;
    }
  }
}
