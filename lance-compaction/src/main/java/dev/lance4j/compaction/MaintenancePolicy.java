package dev.lance4j.compaction;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.IndexOptions;
import java.util.Map;

/**
 * When a table needs care. The thresholds belong to whoever runs the table: they follow from what
 * its queries may take, which should be measured. Immutable.
 */
public final class MaintenancePolicy {
  /** The default of {@link Builder#maxUnindexedRatio}. */
  public static final double DEFAULT_MAX_UNINDEXED_RATIO = 0.05;

  /** The default of {@link Builder#maxSegments}. */
  public static final int DEFAULT_MAX_SEGMENTS = 4;

  /** The default of {@link Builder#minFragmentsToCompact}. */
  public static final int DEFAULT_MIN_FRAGMENTS_TO_COMPACT = 2;

  /** The default of {@link Builder#minRecall}. */
  public static final double DEFAULT_MIN_RECALL = 0.9;

  /** The default of {@link Builder#maxRemapBacklog}. */
  public static final int DEFAULT_MAX_REMAP_BACKLOG = 0;

  /** All thresholds as they are by default. */
  public static final MaintenancePolicy DEFAULT = builder().build();

  private final double maxUnindexedRatio;
  private final int maxSegments;
  private final int minFragmentsToCompact;
  private final double minRecall;
  private final int maxRemapBacklog;
  private final Map<String, Double> recall;
  private final CompactionOptions compaction;
  private final IndexOptions build;

  private MaintenancePolicy(Builder builder) {
    this.maxUnindexedRatio = builder.maxUnindexedRatio;
    this.maxSegments = builder.maxSegments;
    this.minFragmentsToCompact = builder.minFragmentsToCompact;
    this.minRecall = builder.minRecall;
    this.maxRemapBacklog = builder.maxRemapBacklog;
    this.recall = builder.recall;
    this.compaction = builder.compaction;
    this.build = builder.build;
  }

  /** Thresholds that are those of {@link #DEFAULT} unless changed. */
  public static Builder builder() {
    return new Builder();
  }

  double maxUnindexedRatio() {
    return maxUnindexedRatio;
  }

  int maxSegments() {
    return maxSegments;
  }

  int minFragmentsToCompact() {
    return minFragmentsToCompact;
  }

  double minRecall() {
    return minRecall;
  }

  int maxRemapBacklog() {
    return maxRemapBacklog;
  }

  Map<String, Double> recall() {
    return recall;
  }

  CompactionOptions compaction() {
    return compaction;
  }

  IndexOptions build() {
    return build;
  }

  /** Sets thresholds. Not safe for use by many threads. */
  public static final class Builder {
    private double maxUnindexedRatio = DEFAULT_MAX_UNINDEXED_RATIO;
    private int maxSegments = DEFAULT_MAX_SEGMENTS;
    private int minFragmentsToCompact = DEFAULT_MIN_FRAGMENTS_TO_COMPACT;
    private double minRecall = DEFAULT_MIN_RECALL;
    private int maxRemapBacklog = DEFAULT_MAX_REMAP_BACKLOG;
    private Map<String, Double> recall = Map.of();
    private CompactionOptions compaction = CompactionOptions.defaults();
    private IndexOptions build = IndexOptions.DEFAULT;

    private Builder() {}

    /**
     * Which part of the rows, from 0 to 1, an index may leave to be scanned before they become a
     * segment of it; 0.05 unless set.
     */
    public Builder maxUnindexedRatio(double ratio) {
      maxUnindexedRatio = ratio("maxUnindexedRatio", ratio);
      return this;
    }

    /** How many segments a search may have to look into before they are merged; 4 unless set. */
    public Builder maxSegments(int count) {
      if (count < 1) {
        throw new InvalidInputException("maxSegments must be at least 1, but is " + count);
      }
      maxSegments = count;
      return this;
    }

    /** How many fragments a compaction must rewrite to be worth its while; 2 unless set. */
    public Builder minFragmentsToCompact(int count) {
      if (count < 1) {
        throw new InvalidInputException(
            "minFragmentsToCompact must be at least 1, but is " + count);
      }
      minFragmentsToCompact = count;
      return this;
    }

    /** The least recall that is good enough, where one was measured; 0.9 unless set. */
    public Builder minRecall(double value) {
      minRecall = ratio("minRecall", value);
      return this;
    }

    /**
     * How many compactions may have left indices as they were, whose addresses readers translate,
     * before these are written anew; 0 unless set.
     */
    public Builder maxRemapBacklog(int count) {
      if (count < 0) {
        throw new InvalidInputException("maxRemapBacklog must not be negative, but is " + count);
      }
      maxRemapBacklog = count;
      return this;
    }

    /**
     * The recall that was measured of indices, by their names. Only that says whether what an index
     * was trained to still fits the rows; none unless set.
     */
    public Builder measuredRecall(Map<String, Double> byIndex) {
      byIndex.forEach((name, value) -> ratio("The recall of index '" + name + "'", value));
      recall = Map.copyOf(byIndex);
      return this;
    }

    /** How to compact, and which fragments are small or have many deleted rows. */
    public Builder compaction(CompactionOptions options) {
      compaction = options;
      return this;
    }

    /** How to build segments. */
    public Builder build(IndexOptions options) {
      build = options;
      return this;
    }

    private static double ratio(String name, double value) {
      if (!(value >= 0 && value <= 1)) {
        throw new InvalidInputException(name + " must be from 0 to 1, but is " + value);
      }
      return value;
    }

    /** The policy. */
    public MaintenancePolicy build() {
      return new MaintenancePolicy(this);
    }
  }
}
