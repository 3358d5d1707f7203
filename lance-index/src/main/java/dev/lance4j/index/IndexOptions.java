package dev.lance4j.index;

import dev.lance4j.format.InvalidInputException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/** How to build an index, whatever its kind. Immutable. */
public final class IndexOptions {
  /** The bytes of memory for rows that wait to be sorted or distributed unless asked otherwise. */
  public static final long DEFAULT_MEMORY_BYTES = 512L << 20;

  /** A new index with the name of its column and {@code _idx}, over all rows. */
  public static final IndexOptions DEFAULT = builder().build();

  private final Optional<String> name;
  private final boolean replace;
  private final boolean train;
  private final Optional<List<Long>> fragmentIds;
  private final IndexProgress progress;
  private final long memoryBytes;
  private final Optional<Path> spillFolder;
  private final Executor executor;

  private IndexOptions(Builder builder) {
    this.name = builder.name;
    this.replace = builder.replace;
    this.train = builder.train;
    this.fragmentIds = builder.fragmentIds;
    this.progress = builder.progress;
    this.memoryBytes = builder.memoryBytes;
    this.spillFolder = builder.spillFolder;
    this.executor = builder.executor;
  }

  /** Options that are those of {@link #DEFAULT} unless changed. */
  public static Builder builder() {
    return new Builder();
  }

  /** What to call the index; the column's name and {@code _idx} if absent. */
  public Optional<String> name() {
    return name;
  }

  /** Whether an index of the same name and column is replaced. */
  public boolean replace() {
    return replace;
  }

  /** Whether the rows of the table go into the index; otherwise it starts without any. */
  public boolean train() {
    return train;
  }

  /** The fragments whose rows go into the index; all if absent. */
  public Optional<List<Long>> fragmentIds() {
    return fragmentIds;
  }

  /** Hears how far the work has come. */
  public IndexProgress progress() {
    return progress;
  }

  /** About how many bytes of memory rows may take before they go to files. */
  public long memoryBytes() {
    return memoryBytes;
  }

  /** Where those files go; the system's place for temporary ones if absent. */
  public Optional<Path> spillFolder() {
    return spillFolder;
  }

  /** Runs work beside the caller's thread. */
  public Executor executor() {
    return executor;
  }

  /** Makes options. */
  public static final class Builder {
    private Optional<String> name = Optional.empty();
    private boolean replace;
    private boolean train = true;
    private Optional<List<Long>> fragmentIds = Optional.empty();
    private IndexProgress progress = IndexProgress.NONE;
    private long memoryBytes = DEFAULT_MEMORY_BYTES;
    private Optional<Path> spillFolder = Optional.empty();
    private Executor executor = ForkJoinPool.commonPool();

    private Builder() {}

    /** What to call the index. */
    public Builder name(String value) {
      if (value.isEmpty()) {
        throw new InvalidInputException("The name of an index must not be empty");
      }
      name = Optional.of(value);
      return this;
    }

    /** Whether to replace an index of the same name and column; otherwise that is an error. */
    public Builder replace(boolean value) {
      replace = value;
      return this;
    }

    /** Whether to put the rows of the table into the index now. */
    public Builder train(boolean value) {
      train = value;
      return this;
    }

    /** The fragments whose rows to put into the index. */
    public Builder fragmentIds(Collection<Long> ids) {
      fragmentIds = Optional.of(List.copyOf(ids));
      return this;
    }

    /** Who hears how far the work has come. */
    public Builder progress(IndexProgress listener) {
      progress = listener;
      return this;
    }

    /** About how many bytes of memory rows may take before they go to files. */
    public Builder memoryBytes(long bytes) {
      if (bytes <= 0) {
        throw new InvalidInputException("memoryBytes must be greater than zero, but is " + bytes);
      }
      memoryBytes = bytes;
      return this;
    }

    /** Where those files go. */
    public Builder spillFolder(Path folder) {
      spillFolder = Optional.of(folder);
      return this;
    }

    /** Runs work beside the caller's thread; the common pool of the JVM unless set. */
    public Builder executor(Executor value) {
      executor = value;
      return this;
    }

    public IndexOptions build() {
      return new IndexOptions(this);
    }
  }
}
