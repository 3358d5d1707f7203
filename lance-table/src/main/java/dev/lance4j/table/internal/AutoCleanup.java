package dev.lance4j.table.internal;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.CleanupPolicy;
import java.util.Map;
import java.util.Optional;

/** The settings of a table that have it cleaned up after every so many commits. */
public final class AutoCleanup {
  private static final String INTERVAL = "lance.auto_cleanup.interval";
  private static final String OLDER_THAN = "lance.auto_cleanup.older_than";
  private static final String RETAIN_VERSIONS = "lance.auto_cleanup.retain_versions";

  private static final String REFERENCED_BRANCH = "lance.auto_cleanup.referenced_branch";
  private static final String DELETE_RATE_LIMIT = "lance.auto_cleanup.delete_rate_limit";

  private AutoCleanup() {}

  /**
   * What to clean up after a version was committed; nothing if it is not time for it.
   *
   * @param config the table's settings
   * @throws InvalidInputException if a setting is malformed
   */
  public static Optional<CleanupPolicy> after(long version, Map<String, String> config) {
    String interval = config.get(INTERVAL);
    if (interval == null) {
      return Optional.empty();
    }
    long every = number(INTERVAL, interval);
    if (every == 0 || Long.remainderUnsigned(version, every) != 0) {
      return Optional.empty();
    }
    CleanupPolicy.Builder policy = CleanupPolicy.builder();
    if (config.containsKey(OLDER_THAN)) {
      policy.olderThan(HumanDuration.parse(config.get(OLDER_THAN)));
    }
    if (config.containsKey(RETAIN_VERSIONS)) {
      long retained = number(RETAIN_VERSIONS, config.get(RETAIN_VERSIONS));
      policy.keepLast((int) Math.min(retained, Integer.MAX_VALUE));
    }
    if (config.containsKey(REFERENCED_BRANCH)) {
      policy.cleanReferencedBranches(flag(REFERENCED_BRANCH, config.get(REFERENCED_BRANCH)));
    }
    if (config.containsKey(DELETE_RATE_LIMIT)) {
      policy.deleteRateLimit(number(DELETE_RATE_LIMIT, config.get(DELETE_RATE_LIMIT)));
    }
    return Optional.of(policy.build());
  }

  private static boolean flag(String key, String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new InvalidInputException(
              "The setting " + key + " is '" + text + "', which is neither true nor false");
    };
  }

  private static long number(String key, String text) {
    try {
      long value = Long.parseLong(text);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a negative number.
    }
    throw new InvalidInputException(
        "The setting " + key + " is '" + text + "', which is not a whole number");
  }
}
