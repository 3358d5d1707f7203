package dev.lance4j.table;

import dev.lance4j.format.InvalidInputException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Which versions of a table a {@link Cleanup} removes, and which files it takes for those of failed
 * writes. A version goes if all bounds that are given say so; without any bound all go but those
 * that must stay. Immutable.
 */
public final class CleanupPolicy {
  /**
   * Files that no version refers to stay for this long, 7 days, because a write that is under way
   * may be about to commit them.
   */
  public static final Duration SAFETY_PERIOD = Duration.ofDays(7);

  private final Optional<Duration> olderThan;
  private final Optional<Instant> before;
  private final OptionalLong beforeVersion;
  private final OptionalInt keepLast;
  private final boolean deleteUnverified;
  private final boolean errorIfTaggedOldVersions;
  private final boolean dryRun;
  private final boolean cleanReferencedBranches;
  private final OptionalLong deleteRateLimit;

  private CleanupPolicy(Builder builder) {
    this.olderThan = builder.olderThan;
    this.before = builder.before;
    this.beforeVersion = builder.beforeVersion;
    this.keepLast = builder.keepLast;
    this.deleteUnverified = builder.deleteUnverified;
    this.errorIfTaggedOldVersions = builder.errorIfTaggedOldVersions;
    this.dryRun = builder.dryRun;
    this.cleanReferencedBranches = builder.cleanReferencedBranches;
    this.deleteRateLimit = builder.deleteRateLimit;
  }

  /** Starts with no bound, the safety period in force and an error for old tagged versions. */
  public static Builder builder() {
    return new Builder();
  }

  /** Whether files that no version refers to go even if they are young. */
  boolean deleteUnverified() {
    return deleteUnverified;
  }

  boolean errorIfTaggedOldVersions() {
    return errorIfTaggedOldVersions;
  }

  boolean dryRun() {
    return dryRun;
  }

  boolean cleanReferencedBranches() {
    return cleanReferencedBranches;
  }

  /** How many objects may be deleted in a second. */
  OptionalLong deleteRateLimit() {
    return deleteRateLimit;
  }

  /** The bounds, with durations counted back from now and counts of versions made numbers. */
  Bounds bounds(Instant now, List<ManifestLocation> versions) {
    Optional<Instant> time = olderThan.map(now::minus);
    if (before.isPresent() && (time.isEmpty() || before.get().isBefore(time.get()))) {
      time = before;
    }
    OptionalLong number = beforeVersion;
    if (keepLast.isPresent() && !versions.isEmpty()) {
      int first = Math.max(0, versions.size() - keepLast.getAsInt());
      long kept = versions.get(first).version();
      if (number.isEmpty() || Long.compareUnsigned(kept, number.getAsLong()) < 0) {
        number = OptionalLong.of(kept);
      }
    }
    return new Bounds(time, number);
  }

  /**
   * What makes a version old.
   *
   * @param time when it was committed, if that counts: before this
   * @param version its number, if that counts: below this
   */
  record Bounds(Optional<Instant> time, OptionalLong version) {
    boolean isOld(long number, Instant timestamp) {
      return (version.isEmpty() || Long.compareUnsigned(number, version.getAsLong()) < 0)
          && (time.isEmpty() || timestamp.isBefore(time.get()));
    }
  }

  /** Gathers bounds and options. */
  public static final class Builder {
    private Optional<Duration> olderThan = Optional.empty();
    private Optional<Instant> before = Optional.empty();
    private OptionalLong beforeVersion = OptionalLong.empty();
    private OptionalInt keepLast = OptionalInt.empty();
    private boolean deleteUnverified;
    private boolean errorIfTaggedOldVersions = true;
    private boolean dryRun;
    private boolean cleanReferencedBranches;
    private OptionalLong deleteRateLimit = OptionalLong.empty();

    private Builder() {}

    /** Versions that were committed less than this long ago stay. */
    public Builder olderThan(Duration age) {
      if (age.isNegative()) {
        throw new InvalidInputException("Versions cannot be older than " + age);
      }
      this.olderThan = Optional.of(age);
      return this;
    }

    /** Versions that were committed at this time or later stay. */
    public Builder before(Instant time) {
      this.before = Optional.of(time);
      return this;
    }

    /** This version and later ones stay. */
    public Builder beforeVersion(long version) {
      this.beforeVersion = OptionalLong.of(version);
      return this;
    }

    /** This many of the newest versions stay. */
    public Builder keepLast(int versions) {
      if (versions < 1) {
        throw new InvalidInputException(
            "At least the newest version stays, so keepLast must be 1 or more, not " + versions);
      }
      this.keepLast = OptionalInt.of(versions);
      return this;
    }

    /**
     * Whether files that no version refers to go even within the {@linkplain #SAFETY_PERIOD safety
     * period}. Only right when nobody is writing to the table: a write that is under way loses its
     * files.
     */
    public Builder deleteUnverified(boolean delete) {
      this.deleteUnverified = delete;
      return this;
    }

    /**
     * Whether an old version that has a tag is an error, as it is unless set; nothing is then
     * removed. Otherwise it stays.
     */
    public Builder errorIfTaggedOldVersions(boolean error) {
      this.errorIfTaggedOldVersions = error;
      return this;
    }

    /** Whether to find out only what would be removed. */
    public Builder dryRun(boolean only) {
      this.dryRun = only;
      return this;
    }

    /**
     * Whether to clean up first, by the same policy, the branches that started from this one, those
     * that started from them, and so on, so that what only their old versions need here goes too.
     * The newest version of each stays.
     */
    public Builder cleanReferencedBranches(boolean clean) {
      this.cleanReferencedBranches = clean;
      return this;
    }

    /** No more than this many objects are deleted in a second, to spare a store that throttles. */
    public Builder deleteRateLimit(long objectsPerSecond) {
      if (objectsPerSecond < 1) {
        throw new InvalidInputException(
            "At least one object a second must be deleted, not " + objectsPerSecond);
      }
      this.deleteRateLimit = OptionalLong.of(objectsPerSecond);
      return this;
    }

    public CleanupPolicy build() {
      return new CleanupPolicy(this);
    }
  }
}
