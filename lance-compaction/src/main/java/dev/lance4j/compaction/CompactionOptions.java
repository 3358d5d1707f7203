package dev.lance4j.compaction;

import dev.lance4j.compaction.internal.CompactionSettings;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.write.InsertOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What to compact and how. What is not set here comes from the table's settings {@code
 * lance.compaction.…}, such as {@code lance.compaction.target_rows_per_fragment}, and else is the
 * default. Immutable.
 */
public final class CompactionOptions {
  /** The default of {@link Builder#targetRowsPerFragment}. */
  public static final long DEFAULT_TARGET_ROWS_PER_FRAGMENT = 1 << 20;

  /** The default of {@link Builder#materializeDeletionsThreshold}. */
  public static final float DEFAULT_DELETIONS_THRESHOLD = 0.1f;

  private static final String PREFIX = "lance.compaction.";

  private final Builder set;

  private CompactionOptions(Builder set) {
    this.set = new Builder(set);
  }

  /** Nothing set. */
  public static CompactionOptions defaults() {
    return builder().build();
  }

  /** Starts with nothing set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets options. Not safe for use by many threads. */
  public static final class Builder {
    private Long targetRowsPerFragment;
    private Long maxBytesPerFile;
    private Boolean materializeDeletions;
    private Float materializeDeletionsThreshold;
    private Integer threads;
    private Integer batchSize;
    private Boolean deferIndexRemap;
    private CompactionMode mode;
    private Long maxSourceFragments;
    private Map<String, String> transactionProperties = Map.of();

    private Builder() {}

    private Builder(Builder other) {
      targetRowsPerFragment = other.targetRowsPerFragment;
      maxBytesPerFile = other.maxBytesPerFile;
      materializeDeletions = other.materializeDeletions;
      materializeDeletionsThreshold = other.materializeDeletionsThreshold;
      threads = other.threads;
      batchSize = other.batchSize;
      deferIndexRemap = other.deferIndexRemap;
      mode = other.mode;
      maxSourceFragments = other.maxSourceFragments;
      transactionProperties = other.transactionProperties;
    }

    /**
     * A fragment with fewer rows, deleted ones included, is joined with its neighbours; about so
     * many live rows make a task, and at most so many a new fragment. With 0 no fragments are
     * joined. 1,048,576 unless set.
     */
    public Builder targetRowsPerFragment(long rows) {
      targetRowsPerFragment = notNegative(rows, "targetRowsPerFragment");
      return this;
    }

    /** Starts another file, and fragment, after about this many bytes; 90 GiB unless set. */
    public Builder maxBytesPerFile(long bytes) {
      maxBytesPerFile = positive(bytes, "maxBytesPerFile");
      return this;
    }

    /** Whether fragments are rewritten because of their deleted rows; true unless set. */
    public Builder materializeDeletions(boolean materialize) {
      materializeDeletions = materialize;
      return this;
    }

    /**
     * A fragment is rewritten if more than this part of its rows is deleted; 0.1 unless set. With 1
     * or more none is, with 0 or less each that has a deleted row.
     */
    public Builder materializeDeletionsThreshold(float part) {
      materializeDeletionsThreshold = number(part);
      return this;
    }

    /** How many tasks are carried out at once in one process; one for each processor unless set. */
    public Builder threads(int count) {
      threads = (int) positive(count, "threads");
      return this;
    }

    /**
     * How many rows are read at once; as many as take about 16 MiB, but at most 8192, unless set.
     */
    public Builder batchSize(int rows) {
      batchSize = (int) positive(rows, "batchSize");
      return this;
    }

    /**
     * Whether indices are left as they are, and the table records where rows went, so that readers
     * translate the addresses that indices hold; false unless set. Not for tables with stable row
     * ids, whose indices need no translation.
     */
    public Builder deferIndexRemap(boolean defer) {
      deferIndexRemap = defer;
      return this;
    }

    /** How values are rewritten; {@link CompactionMode#REENCODE} unless set. */
    public Builder mode(CompactionMode choice) {
      mode = choice;
      return this;
    }

    /**
     * Plans no further than the tasks that together have at most so many fragments; any number
     * unless set. With 0 nothing is planned.
     */
    public Builder maxSourceFragments(long count) {
      maxSourceFragments = notNegative(count, "maxSourceFragments");
      return this;
    }

    /** What the transaction of the new version says about itself; nothing unless set. */
    public Builder transactionProperties(Map<String, String> properties) {
      transactionProperties = Map.copyOf(properties);
      return this;
    }

    /** The options. */
    public CompactionOptions build() {
      return new CompactionOptions(this);
    }
  }

  /**
   * The options for a table.
   *
   * @param config the table's settings
   * @throws InvalidInputException if a setting that matters is malformed
   */
  CompactionSettings resolve(Map<String, String> config) {
    Map<String, String> known = new HashMap<>();
    config.forEach(
        (key, value) -> {
          if (key.startsWith(PREFIX)) {
            known.put(key.substring(PREFIX.length()), value);
          }
        });
    Config table = new Config(known);
    return new CompactionSettings(
        table.or(
            set.targetRowsPerFragment,
            "target_rows_per_fragment",
            CompactionOptions::count,
            DEFAULT_TARGET_ROWS_PER_FRAGMENT),
        table.or(
            set.maxBytesPerFile,
            "max_bytes_per_file",
            text -> positive(count(text), "the size"),
            InsertOptions.DEFAULT_MAX_BYTES_PER_FILE),
        table.or(set.materializeDeletions, "materialize_deletions", CompactionOptions::bool, true),
        table.or(
            set.materializeDeletionsThreshold,
            "materialize_deletions_threshold",
            text -> number(Float.parseFloat(text)),
            DEFAULT_DELETIONS_THRESHOLD),
        table.or(
            set.threads,
            "num_threads",
            CompactionOptions::size,
            Runtime.getRuntime().availableProcessors()),
        table.or(set.batchSize, "batch_size", CompactionOptions::size, 0),
        table.or(set.deferIndexRemap, "defer_index_remap", CompactionOptions::bool, false),
        table.or(set.mode, "compaction_mode", CompactionOptions::mode, CompactionMode.REENCODE),
        table.or(
            set.maxSourceFragments,
            "max_source_fragments",
            CompactionOptions::count,
            Long.MAX_VALUE));
  }

  /** What the transaction says about itself. */
  Map<String, String> transactionProperties() {
    return set.transactionProperties;
  }

  /** The settings of a table, without the prefix of their names. */
  private record Config(Map<String, String> values) {
    <T> T or(T explicit, String key, Function<String, T> parse, T otherwise) {
      if (explicit != null) {
        return explicit;
      }
      String text = values.get(key);
      if (text == null) {
        return otherwise;
      }
      try {
        return parse.apply(text);
      } catch (InvalidInputException | NumberFormatException e) {
        throw new InvalidInputException(
            "The table's setting "
                + PREFIX
                + key
                + " is \""
                + text
                + "\", which is not valid: "
                + e.getMessage()
                + "; correct it or set the option",
            e);
      }
    }
  }

  private static long count(String text) {
    return notNegative(Long.parseLong(text), "the number");
  }

  private static int size(String text) {
    return (int) positive(Integer.parseInt(text), "the number");
  }

  private static boolean bool(String text) {
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      return Boolean.parseBoolean(text);
    }
    throw new InvalidInputException("it must be true or false");
  }

  private static CompactionMode mode(String text) {
    return CompactionMode.of(text)
        .orElseThrow(
            () -> new InvalidInputException("it must be one of " + CompactionMode.names()));
  }

  private static float number(float value) {
    if (Float.isNaN(value)) {
      throw new InvalidInputException("The threshold of deletions must be a number");
    }
    return value;
  }

  private static long positive(long value, String what) {
    if (value <= 0) {
      throw new InvalidInputException(what + " must be positive, but is " + value);
    }
    return value;
  }

  private static long notNegative(long value, String what) {
    if (value < 0) {
      throw new InvalidInputException(what + " must not be negative, but is " + value);
    }
    return value;
  }
}
