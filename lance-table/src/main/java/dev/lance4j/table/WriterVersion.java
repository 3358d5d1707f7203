package dev.lance4j.table;

import java.util.Optional;

/**
 * The library that wrote a version of a table.
 *
 * @param library its name; {@code lance} is the reference implementation
 * @param version major, minor and patch number; old writers recorded the whole semantic version
 * @param prerelease such as {@code rc.1}
 * @param buildMetadata such as a commit
 */
public record WriterVersion(
    String library, String version, Optional<String> prerelease, Optional<String> buildMetadata) {

  /**
   * This library. The name differs from the reference implementation's, so that nobody looks for
   * that one's old faults in what we write.
   */
  public static final WriterVersion LANCE4J =
      new WriterVersion("lance4j", "0.1.0", Optional.empty(), Optional.empty());
}
