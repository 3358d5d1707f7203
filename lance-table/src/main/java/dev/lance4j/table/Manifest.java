package dev.lance4j.table;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.schema.LanceSchema;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * All that a version of a table consists of, but for its indices. Immutable.
 *
 * @param version the version, from 1 on; unsigned, with the highest bit set if it is detached
 * @param schema the columns
 * @param fragments in the order in which they are scanned, which is that of their ids
 * @param timestamp when the version was committed
 * @param tag a label that the transaction gave; empty when there is none
 * @param readerFlags {@link FeatureFlag}s that a reader must know
 * @param writerFlags {@link FeatureFlag}s that a writer must know
 * @param maxFragmentId the highest id that a fragment ever had, unless none ever existed
 * @param transactionFile the name of the transaction's file; empty when there is none
 * @param writerVersion who wrote it; if absent, the fragments' physical row counts may be wrong
 * @param nextRowId the lowest stable row id that is not in use
 * @param dataFormat the version of the data files; early writers do not record it
 * @param config settings of the table
 * @param tableMetadata the user's
 * @param basePaths other places that files lie in
 * @param branch absent on the main branch
 */
public record Manifest(
    long version,
    LanceSchema schema,
    List<FragmentMetadata> fragments,
    Instant timestamp,
    String tag,
    long readerFlags,
    long writerFlags,
    OptionalLong maxFragmentId,
    String transactionFile,
    Optional<WriterVersion> writerVersion,
    long nextRowId,
    Optional<FileVersion> dataFormat,
    Map<String, String> config,
    Map<String, String> tableMetadata,
    List<BasePath> basePaths,
    Optional<String> branch) {

  public Manifest {
    fragments = List.copyOf(fragments);
    config = Map.copyOf(config);
    tableMetadata = Map.copyOf(tableMetadata);
    basePaths = List.copyOf(basePaths);
  }

  /** Starts a manifest without fragments, settings or flags. */
  public static Builder builder(long version, LanceSchema schema) {
    return new Builder(version, schema);
  }

  /** Starts a manifest that is like this one. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Whether rows keep their ids when they move. */
  public boolean hasStableRowIds() {
    return FeatureFlag.STABLE_ROW_IDS.isIn(readerFlags | writerFlags);
  }

  /** The highest id that a fragment ever had, as far as known; absent if there was none. */
  public OptionalLong highestFragmentId() {
    if (maxFragmentId.isPresent()) {
      return maxFragmentId;
    }
    return fragments.stream().mapToLong(FragmentMetadata::id).max();
  }

  /** The fragment of this id, if there is one. */
  public Optional<FragmentMetadata> fragment(long id) {
    return fragments.stream().filter(fragment -> fragment.id() == id).findFirst();
  }

  /** The base of this id, if there is one. */
  public Optional<BasePath> basePath(int id) {
    return basePaths.stream().filter(base -> base.id() == id).findFirst();
  }

  /** Whether the fragments' physical row counts can be relied on. */
  public boolean hasReliableRowCounts() {
    return writerVersion.isPresent();
  }

  /**
   * The version that new files of the table must have. Manifests of early writers lack it or say
   * 0.1 although the files are newer; the files are right.
   *
   * @throws UnsupportedFormatException if the files are of several versions, which no writer can
   *     continue
   */
  public FileVersion storageVersion() {
    if (dataFormat.isPresent() && dataFormat.get() != FileVersion.V0_1) {
      return dataFormat.get();
    }
    Set<FileVersion> versions = EnumSet.noneOf(FileVersion.class);
    for (FragmentMetadata fragment : fragments) {
      for (DataFile file : fragment.files()) {
        versions.add(file.fileVersion());
      }
    }
    if (versions.size() > 1) {
      throw new UnsupportedFormatException(
          "The dataset's files are of several versions, "
              + versions
              + "; it can be read but not written, unless it is restored to an earlier version");
    }
    if (!versions.isEmpty()) {
      return versions.iterator().next();
    }
    return dataFormat.orElse(
        FeatureFlag.V2_FORMAT.isIn(writerFlags) ? FileVersion.defaultVersion() : FileVersion.V0_1);
  }

  /** Builds a manifest. */
  public static final class Builder {
    private long version;
    private LanceSchema schema;
    private List<FragmentMetadata> fragments = List.of();
    private Instant timestamp = Instant.EPOCH;
    private String tag = "";
    private long readerFlags;
    private long writerFlags;
    private OptionalLong maxFragmentId = OptionalLong.empty();
    private String transactionFile = "";
    private Optional<WriterVersion> writerVersion = Optional.of(WriterVersion.LANCE4J);
    private long nextRowId;
    private Optional<FileVersion> dataFormat = Optional.empty();
    private Map<String, String> config = Map.of();
    private Map<String, String> tableMetadata = Map.of();
    private List<BasePath> basePaths = List.of();
    private Optional<String> branch = Optional.empty();

    private Builder(long version, LanceSchema schema) {
      this.version = version;
      this.schema = schema;
    }

    private Builder(Manifest manifest) {
      this(manifest.version, manifest.schema);
      fragments = manifest.fragments;
      timestamp = manifest.timestamp;
      tag = manifest.tag;
      readerFlags = manifest.readerFlags;
      writerFlags = manifest.writerFlags;
      maxFragmentId = manifest.maxFragmentId;
      transactionFile = manifest.transactionFile;
      writerVersion = manifest.writerVersion;
      nextRowId = manifest.nextRowId;
      dataFormat = manifest.dataFormat;
      config = manifest.config;
      tableMetadata = manifest.tableMetadata;
      basePaths = manifest.basePaths;
      branch = manifest.branch;
    }

    public Builder version(long value) {
      version = value;
      return this;
    }

    public Builder schema(LanceSchema value) {
      schema = value;
      return this;
    }

    public Builder fragments(List<FragmentMetadata> value) {
      fragments = value;
      return this;
    }

    public Builder timestamp(Instant value) {
      timestamp = value;
      return this;
    }

    public Builder tag(String value) {
      tag = value;
      return this;
    }

    /** Sets both words of flags. */
    public Builder flags(long reader, long writer) {
      readerFlags = reader;
      writerFlags = writer;
      return this;
    }

    public Builder maxFragmentId(OptionalLong value) {
      maxFragmentId = value;
      return this;
    }

    public Builder transactionFile(String value) {
      transactionFile = value;
      return this;
    }

    public Builder writerVersion(Optional<WriterVersion> value) {
      writerVersion = value;
      return this;
    }

    public Builder nextRowId(long value) {
      nextRowId = value;
      return this;
    }

    public Builder dataFormat(Optional<FileVersion> value) {
      dataFormat = value;
      return this;
    }

    public Builder config(Map<String, String> value) {
      config = value;
      return this;
    }

    public Builder tableMetadata(Map<String, String> value) {
      tableMetadata = value;
      return this;
    }

    public Builder basePaths(List<BasePath> value) {
      basePaths = value;
      return this;
    }

    public Builder branch(Optional<String> value) {
      branch = value;
      return this;
    }

    public Manifest build() {
      return new Manifest(
          version,
          schema,
          fragments,
          timestamp,
          tag,
          readerFlags,
          writerFlags,
          maxFragmentId,
          transactionFile,
          writerVersion,
          nextRowId,
          dataFormat,
          config,
          tableMetadata,
          basePaths,
          branch);
    }
  }
}
