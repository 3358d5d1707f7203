package dev.lance4j;

import dev.lance4j.compaction.Compaction;
import dev.lance4j.compaction.CompactionListener;
import dev.lance4j.compaction.CompactionMetrics;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.CompactionPlan;
import dev.lance4j.compaction.OptimizeIndices;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.compaction.RemapIndices;
import dev.lance4j.compaction.RewriteResult;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.CreateIndex;
import dev.lance4j.index.DropIndex;
import dev.lance4j.index.IndexCommit;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.IndexSource;
import dev.lance4j.index.IndexSpec;
import dev.lance4j.index.Indices;
import dev.lance4j.index.MergeSegments;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.scan.Blob;
import dev.lance4j.scan.BlobTake;
import dev.lance4j.scan.DataStatistics;
import dev.lance4j.scan.Delta;
import dev.lance4j.scan.RowCounts;
import dev.lance4j.scan.Sample;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.Snapshot;
import dev.lance4j.scan.Take;
import dev.lance4j.table.Branches;
import dev.lance4j.table.Cleanup;
import dev.lance4j.table.CleanupPolicy;
import dev.lance4j.table.CleanupResult;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.MapUpdate;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Ref;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Tags;
import dev.lance4j.table.Transaction;
import dev.lance4j.table.VersionSummary;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.ColumnChange;
import dev.lance4j.write.Delete;
import dev.lance4j.write.FragmentColumns;
import dev.lance4j.write.Insert;
import dev.lance4j.write.InsertOptions;
import dev.lance4j.write.NewColumns;
import dev.lance4j.write.RetryOptions;
import dev.lance4j.write.RowChange;
import dev.lance4j.write.SchemaEvolution;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * One version of a table. Immutable and safe for use by many threads. What changes a table returns
 * the next version as another dataset and leaves this one as it is. Each dataset must be closed;
 * those that came from one another share memory, which is freed with the last of them.
 */
public final class Dataset implements Snapshot, AutoCloseable {
  private final Environment environment;
  private final TableVersion version;
  private final AtomicBoolean closed = new AtomicBoolean();

  Dataset(Environment environment, TableVersion version) {
    this.environment = environment;
    this.version = version;
    environment.retain();
  }

  /**
   * Opens the newest version of a table.
   *
   * @param uri a path or URI
   * @throws dev.lance4j.format.DatasetNotFoundException if there is no table
   * @throws dev.lance4j.format.CorruptFileException if its manifest is damaged
   * @throws dev.lance4j.format.UnsupportedFormatException if it uses features that are not known
   */
  public static Dataset open(String uri) {
    return open(uri, OpenOptions.defaults());
  }

  /**
   * Opens a version of a table; errors as above.
   *
   * @throws dev.lance4j.format.VersionNotFoundException if there is no such version
   */
  public static Dataset open(String uri, OpenOptions options) {
    Environment environment = Environment.of(uri, options);
    try {
      return new Dataset(environment, options.choose(environment.table()));
    } catch (RuntimeException | Error e) {
      environment.release();
      throw e;
    }
  }

  /**
   * Gives the manifests of a table with V1 names, which early writers used, V2 names: with those
   * the newest version is found without listing all of them, and detached commits are possible.
   * Nobody may write to the table meanwhile; when it is interrupted, it has to be run again before
   * the table can be used.
   *
   * @param uri a path or URI
   * @param options how to reach the table
   */
  public static void migrateManifestNames(String uri, OpenOptions options) {
    Environment environment = Environment.of(uri, options);
    try {
      environment.table().migrateManifestNames();
    } finally {
      environment.release();
    }
  }

  /** Starts writing a table. */
  public static WriteBuilder write(String uri) {
    return new WriteBuilder(uri);
  }

  /** Starts the commit of an operation whose files are written already. */
  public static CommitBuilder commit(String uri) {
    return new CommitBuilder(uri);
  }

  /**
   * Commits an operation whose files are written already, such as fragments of many {@link
   * FragmentWriter}s; result and errors as {@link CommitBuilder#execute(Operation, long)} has them.
   */
  public static Dataset commit(String uri, Operation operation, long readVersion) {
    return commit(uri).execute(operation, readVersion);
  }

  /** What the table was opened as, made absolute. */
  public String uri() {
    return version.table().uri();
  }

  /** The number of this version. */
  public long version() {
    return version.version();
  }

  /** All versions of the table, ascending. */
  public List<VersionSummary> versions() {
    return version.table().versions();
  }

  /** The columns; dictionary columns have the type of their values. */
  public Schema schema() {
    return lanceSchema().toArrow();
  }

  /** The columns with their field ids. */
  public LanceSchema lanceSchema() {
    return version.manifest().schema();
  }

  /** The settings of the table. */
  public Map<String, String> config() {
    return version.manifest().config();
  }

  /** What users keep with the table. */
  public Map<String, String> tableMetadata() {
    return version.manifest().tableMetadata();
  }

  /**
   * Changes settings of the table; those that are not named stay as they are.
   *
   * @param values new values by key; null removes a key
   * @return the next version
   * @throws dev.lance4j.format.CommitConflictException if somebody else changes the same keys
   *     meanwhile
   */
  public Dataset updateConfig(Map<String, String> values) {
    return updateConfig(MapUpdate.of(values));
  }

  /** Changes settings of the table; as above. */
  public Dataset updateConfig(MapUpdate change) {
    return commit(Operation.UpdateConfig.ofConfig(change));
  }

  /** Changes the metadata of the table; as above. */
  public Dataset updateTableMetadata(MapUpdate change) {
    return commit(Operation.UpdateConfig.ofTableMetadata(change));
  }

  /** Changes the metadata of the schema; as above. */
  public Dataset updateSchemaMetadata(MapUpdate change) {
    return commit(Operation.UpdateConfig.ofSchemaMetadata(change));
  }

  /**
   * Changes the metadata of a column; as above.
   *
   * @param column its name; the names of nested columns are separated by dots
   * @throws InvalidInputException also if there is no such column
   */
  public Dataset updateFieldMetadata(String column, MapUpdate change) {
    LanceField field = lanceSchema().project(List.of(column)).fields().get(0);
    for (int dot = field.name().length(); dot < column.length(); dot += field.name().length() + 1) {
      field = field.children().get(0);
    }
    int id = field.id();
    return commit(Operation.UpdateConfig.ofFieldMetadata(Map.of(id, change)));
  }

  private Dataset commit(Operation operation) {
    return new Dataset(environment, committer().commit(version, transaction(operation)));
  }

  /**
   * Commits an operation as a version outside of the table's history, which only {@link
   * #checkout(long)} with its number leads to, and which a clean-up removes after a while.
   *
   * @param operation computed from this version, which may be a detached one itself
   * @return the detached version, whose number is negative
   * @throws InvalidInputException if the operation does not fit this version, or the manifests have
   *     V1 names
   */
  public Dataset commitDetached(Operation operation) {
    return new Dataset(environment, committer().commitDetached(version, transaction(operation)));
  }

  private Transaction transaction(Operation operation) {
    return Transaction.of(version.version(), operation);
  }

  private Committer committer() {
    return new Committer(version.table(), CommitOptions.DEFAULT);
  }

  /** The fragments, in the order in which they are scanned. */
  public List<FragmentMetadata> fragments() {
    return version.manifest().fragments();
  }

  /** The number of rows, from metadata. */
  public long countRows() {
    return RowCounts.liveRows(source());
  }

  /**
   * The number of rows for which a condition is true.
   *
   * @param filter see {@link Scan#where(String)}
   */
  public long countRows(String filter) {
    return scan().where(filter).count();
  }

  /**
   * Another version of the same branch.
   *
   * @param number of the version; negative if it is detached
   * @throws dev.lance4j.format.VersionNotFoundException if there is no such version
   */
  public Dataset checkout(long number) {
    return new Dataset(environment, version.table().version(number));
  }

  /**
   * The version that has a tag, or the newest version of a branch.
   *
   * @param tagOrBranch its name; {@value Ref#MAIN} is the main branch
   * @throws InvalidInputException if there is no tag or branch of the name, or both
   */
  public Dataset checkout(String tagOrBranch) {
    boolean tag = tags().find(tagOrBranch).isPresent();
    boolean branch = tagOrBranch.equals(Ref.MAIN) || branches().find(tagOrBranch).isPresent();
    if (tag == branch) {
      throw new InvalidInputException(
          "The dataset "
              + uri()
              + (tag ? " has a tag and a branch '" : " has no tag or branch '")
              + tagOrBranch
              + (tag ? "'; say which one with a Ref" : "'"));
    }
    return checkout(tag ? Ref.tag(tagOrBranch) : Ref.branch(tagOrBranch));
  }

  /**
   * What a tag or a branch stands for.
   *
   * @throws InvalidInputException if there is no such tag or branch
   * @throws dev.lance4j.format.VersionNotFoundException if there is no such version
   */
  public Dataset checkout(Ref ref) {
    return new Dataset(environment, version.checkout(ref));
  }

  /** The tags of the table. They are shared by all versions and branches. */
  public Tags tags() {
    return version.tags();
  }

  /** The branches of the table, but for the main one. They are shared by all versions. */
  public Branches branches() {
    return version.branches();
  }

  /** The branch that this version is of; absent on the main branch. */
  public Optional<String> branch() {
    return version.branch();
  }

  /**
   * Makes a dataset of its own that starts with this version and shares its files. What is written
   * to it goes to its own place; the files here must stay as long as it exists.
   *
   * @param target a path or URI that is reached with the settings of this dataset
   * @return the clone, whose version has the number of this one
   * @throws dev.lance4j.format.DatasetExistsException if there is a table already
   * @throws InvalidInputException if this version is a detached one
   */
  public Dataset shallowClone(String target) {
    return new Dataset(environment, version.cloneTo(version.table().other(target)));
  }

  /** The newest version of the branch. */
  public Dataset latest() {
    return new Dataset(environment, version.table().latest());
  }

  /**
   * Makes this version the newest one again; the versions in between stay readable.
   *
   * @return the next version, with the rows of this one
   * @throws dev.lance4j.format.CommitConflictException if somebody else changes the table meanwhile
   */
  public Dataset restore() {
    TableVersion latest = version.table().latest();
    Transaction transaction =
        Transaction.of(latest.version(), new Operation.Restore(version.version()));
    return new Dataset(environment, committer().commit(latest, transaction));
  }

  /** Whether rows keep their ids when they move; decided when the table was created. */
  public boolean hasStableRowIds() {
    return version.manifest().hasStableRowIds();
  }

  /**
   * The rows of this version that were inserted or updated after one version and up to another.
   *
   * @param from the version after which changes count; 0 stands for the time before the first
   * @param to the last version whose changes count, this one or an earlier one
   * @throws InvalidInputException if the table has no stable row ids, or the versions are not in
   *     order
   */
  public Delta delta(long from, long to) {
    return new Delta(source(), from, to);
  }

  /** All rows and columns, to be narrowed down. */
  public Scan scan() {
    Scan scan = new Scan(source());
    return environment.executor() == null ? scan : scan.executor(environment.executor());
  }

  /**
   * What engines build scans and changes of their own on.
   *
   * @throws IllegalStateException if this is closed
   */
  @Override
  public Scan.Source source() {
    if (closed.get()) {
      throw new IllegalStateException(version + " is closed");
    }
    return new Scan.Source(version, environment.session(), environment.allocator());
  }

  /**
   * Rows by position, in the order asked for.
   *
   * @param positions among the rows that are not deleted, from 0 on; may repeat
   * @param columns to read; all when none are named
   * @throws InvalidInputException if there is no such row or column
   */
  public ArrowReader take(long[] positions, String... columns) {
    return new Take(source(), columns).byPosition(positions);
  }

  /**
   * Rows by row id, in the order asked for. Rows that are not there, or not any more, are left out.
   *
   * @param rowIds as in the column {@code _rowid} of a scan; may repeat
   * @param columns to read; all when none are named
   */
  public ArrowReader takeRows(long[] rowIds, String... columns) {
    return new Take(source(), columns).byRowId(rowIds);
  }

  /**
   * Rows by address, in the order asked for. Rows that are not there, or not any more, are left
   * out.
   *
   * @param rowAddresses as in the column {@code _rowaddr} of a scan; may repeat
   * @param columns to read; all when none are named
   */
  public ArrowReader takeAddresses(long[] rowAddresses, String... columns) {
    return new Take(source(), columns).byAddress(rowAddresses);
  }

  /**
   * Rows chosen at random, each as likely as any other, none twice, in the order of the table.
   *
   * @param rows how many; all rows if there are no more
   * @param columns to read; all when none are named
   * @throws InvalidInputException if the number is not positive or there is no such column
   */
  public ArrowReader sample(long rows, String... columns) {
    return new Sample(source()).read(rows, columns);
  }

  /**
   * As above, only of some fragments.
   *
   * @param fragmentIds which; those that are named twice count once
   * @throws InvalidInputException also if there is no such fragment
   */
  public ArrowReader sample(long rows, long[] fragmentIds, String... columns) {
    return new Sample(source()).of(fragmentIds).read(rows, columns);
  }

  /**
   * How many bytes the columns take in the data files. Reads the files' metadata only.
   *
   * @throws dev.lance4j.format.UnsupportedFormatException if a data file is of version 0.1, which
   *     does not tell
   */
  public DataStatistics dataStatistics() {
    return DataStatistics.of(source());
  }

  /**
   * Values of a blob column by row id, in the order asked for, of which nothing is read before it
   * is asked for. Rows that are not there, or not any more, are left out.
   *
   * @param rowIds as in the column {@code _rowid} of a scan; may repeat
   * @param column a blob column: of the extension type {@code lance.blob.v2}, or large binary with
   *     {@code lance-encoding:blob} in its metadata
   * @return a blob for each row, to be closed by the caller before the dataset; null where the
   *     value is null
   * @throws InvalidInputException if there is no such column or it does not hold blobs
   */
  public List<Blob> takeBlobs(long[] rowIds, String column) {
    return new BlobTake(source(), column).byRowId(rowIds);
  }

  /**
   * Values of a blob column by position; as above.
   *
   * @param positions among the rows that are not deleted, from 0 on; may repeat
   * @throws InvalidInputException also if there is no such row
   */
  public List<Blob> takeBlobsByPosition(long[] positions, String column) {
    return new BlobTake(source(), column).byPosition(positions);
  }

  /**
   * The first rows.
   *
   * @param rows how many at most
   * @param columns to read; all when none are named
   */
  public ArrowReader head(long rows, String... columns) {
    Scan scan = scan().limit(rows);
    return (columns.length == 0 ? scan : scan.select(columns)).open();
  }

  /**
   * Adds the rows of a reader, which stays the caller's to close.
   *
   * @return the next version
   * @throws dev.lance4j.format.SchemaMismatchException if the rows do not fit the table
   */
  public Dataset append(ArrowReader reader) {
    return append(BatchSource.of(reader));
  }

  /** Adds the rows of one batch without dictionary-encoded columns; errors as above. */
  public Dataset append(VectorSchemaRoot batch) {
    return append(BatchSource.of(batch, null));
  }

  /** Adds rows from anywhere; errors as above. */
  public Dataset append(BatchSource source) {
    Insert insert = new Insert(version.table(), InsertOptions.defaults(environment.allocator()));
    return new Dataset(environment, insert.append(version, source));
  }

  /**
   * Deletes the rows for which a condition is true, starting over on the newest version when others
   * deleted or updated some of the same rows meanwhile. When it is true for none, there is no new
   * version.
   *
   * @param predicate see {@link Scan#where(String)}
   * @throws InvalidInputException if it does not fit the table
   * @throws dev.lance4j.format.TooMuchContentionException if others did so again and again
   * @throws dev.lance4j.format.CommitConflictException if others replaced the whole table
   */
  public DeleteResult delete(String predicate) {
    return delete(predicate, RetryOptions.DEFAULT);
  }

  /**
   * Deletes rows; as above.
   *
   * @param retries how often and how long to start over
   */
  public DeleteResult delete(String predicate, RetryOptions retries) {
    Delete.Result result = new Delete(source(), predicate, retries).execute();
    return new DeleteResult(new Dataset(environment, result.version()), result.rowsDeleted());
  }

  /** Deletes all rows; as above. The columns stay. */
  public DeleteResult truncate() {
    return delete("true");
  }

  /**
   * Writes the deletion files for a delete without committing, for engines that commit themselves.
   *
   * @param predicate see {@link Scan#where(String)}
   * @return nothing when no row matches
   * @throws InvalidInputException if it does not fit the table
   */
  public Optional<RowChange> uncommittedDelete(String predicate) {
    return new Delete(source(), predicate, RetryOptions.DEFAULT).uncommitted();
  }

  /** Starts an update of rows. */
  public UpdateBuilder update() {
    return new UpdateBuilder(environment, source());
  }

  /**
   * Starts merging rows into the table, which are matched to those that are there by their keys.
   *
   * @param on the key columns; none for the declared primary key
   */
  public MergeInsertBuilder mergeInsert(String... on) {
    return new MergeInsertBuilder(environment, source(), List.of(on));
  }

  /**
   * Removes old versions, the files that only they need, and the files of failed writes.
   *
   * @param policy which versions are old; this one and later ones stay in any case
   * @return what was removed
   * @throws InvalidInputException if a version that would go has a tag and the policy makes that an
   *     error
   * @see Cleanup
   */
  public CleanupResult cleanup(CleanupPolicy policy) {
    return new Cleanup(policy).run(version);
  }

  /**
   * Rewrites fragments without their deleted rows and dropped columns, and joins small ones that
   * lie next to each other. Rows keep their order. When there is nothing to do there is no new
   * version.
   *
   * @throws InvalidInputException if an option or a setting of the table is not valid
   * @throws dev.lance4j.format.CommitConflictException if somebody else changed fragments that were
   *     rewritten; when it is retryable, compacting the newest version makes sense
   */
  public CompactionResult compact(CompactionOptions options) {
    return compact(options, CompactionListener.NONE);
  }

  /** Compacts with the table's settings and the defaults; as above. */
  public CompactionResult compact() {
    return compact(CompactionOptions.defaults());
  }

  /** Compacts; as above. */
  public CompactionResult compact(CompactionOptions options, CompactionListener listener) {
    return compacted(new Compaction(source()).run(options, listener));
  }

  /**
   * Plans a compaction of this version without writing anything. The tasks of the plan can be
   * carried out on many machines, and what they give be committed by one.
   *
   * @throws InvalidInputException if an option or a setting of the table is not valid
   */
  public CompactionPlan planCompaction(CompactionOptions options) {
    return new Compaction(source()).plan(options);
  }

  /**
   * Commits what the tasks of a plan wrote, all of them or some.
   *
   * @param results of tasks whose fragments are different ones; none for no new version
   * @param options those that were planned with
   * @throws dev.lance4j.format.CommitConflictException if somebody else changed fragments that were
   *     rewritten since the plan was made; the files stay, since other results may still be
   *     committed, and a clean-up finds those that never are
   * @throws InvalidInputException if the results are of another table, or overlap
   */
  public CompactionResult commitCompaction(List<RewriteResult> results, CompactionOptions options) {
    return compacted(new Compaction(source()).commit(results, options));
  }

  private CompactionResult compacted(Compaction.Result result) {
    CompactionMetrics metrics = result.metrics();
    return new CompactionResult(
        new Dataset(environment, result.version()),
        metrics.fragmentsRemoved(),
        metrics.fragmentsAdded(),
        metrics.filesRemoved(),
        metrics.filesAdded());
  }

  /**
   * Builds an index on a column over all rows and commits it under the name of the column and
   * {@code _idx}.
   *
   * @param column path of the column; dots lead into structs
   * @return the next version
   * @throws InvalidInputException if there is no such column, the kind of index does not go with
   *     it, or there is an index of the name
   */
  public Dataset createIndex(String column, IndexSpec spec) {
    return createIndex(column, spec, IndexOptions.DEFAULT);
  }

  /**
   * Builds an index on a column and commits it; errors as above.
   *
   * @throws dev.lance4j.format.CommitConflictException if the table was overwritten, or an index
   *     that is to be replaced was replaced, meanwhile
   */
  public Dataset createIndex(String column, IndexSpec spec, IndexOptions options) {
    CreateIndex creation = new CreateIndex(indexSource(), column, spec, options);
    return new Dataset(environment, creation.execute());
  }

  /**
   * Learns from all rows what parts of a vector index share that are built apart: centroids, and
   * the codebook of product quantization. Only parts that share them can be merged later.
   *
   * @return the specification for {@link #buildIndexSegment}; serialisable
   * @throws InvalidInputException if there is no such column of vectors, or it has too few
   */
  public VectorIndexSpec prepareVectorIndex(String column, VectorIndexSpec spec) {
    return new CreateIndex(indexSource(), column, spec, IndexOptions.DEFAULT).prepare();
  }

  /**
   * Builds a part of an index from some fragments without committing it. Parts may be built at the
   * same time on several machines from the same version.
   *
   * @see #commitIndexSegments
   */
  public IndexSegment buildIndexSegment(
      String column, IndexSpec spec, Collection<Long> fragmentIds) {
    IndexOptions options = IndexOptions.builder().fragmentIds(fragmentIds).build();
    return new CreateIndex(indexSource(), column, spec, options).segment();
  }

  /**
   * Commits parts of an index that were built from this version or an earlier one; an index of the
   * same name and column is replaced.
   *
   * @return the next version
   * @throws InvalidInputException if parts cover the same fragment, or are of different columns,
   *     kinds or versions
   */
  public Dataset commitIndexSegments(String name, String column, List<IndexSegment> segments) {
    IndexCommit commit = new IndexCommit(version, name, column, true);
    return new Dataset(environment, commit.commit(segments));
  }

  /**
   * Makes one part of several that were built from this version with {@link #buildIndexSegment} and
   * are not committed yet. Parts of a vector index must share what {@link #prepareVectorIndex}
   * gave.
   *
   * @throws InvalidInputException if parts cover the same fragment, are of different columns, kinds
   *     or versions, or were trained apart
   */
  public IndexSegment mergeIndexSegments(List<IndexSegment> segments) {
    return new MergeSegments(indexSource(), IndexOptions.DEFAULT).merge(segments);
  }

  /** Describes all indices by name, also those of kinds that are not known. */
  public List<IndexDescription> describeIndices() {
    return new Indices(indexSource()).describe();
  }

  /**
   * Statistics of an index as JSON; see {@link Indices#statistics}.
   *
   * @throws dev.lance4j.format.IndexNotFoundException if there is no index of the name
   */
  public String indexStatistics(String name) {
    return new Indices(indexSource()).statistics(name);
  }

  /**
   * Removes an index; its files go with a clean-up.
   *
   * @return the next version
   * @throws dev.lance4j.format.IndexNotFoundException if there is no index of the name
   */
  public Dataset dropIndex(String name) {
    return new Dataset(environment, new DropIndex(version, name).execute());
  }

  /**
   * Brings indices up to date with rows that were written since, and merges their segments.
   *
   * @return the next version; this one again when there was nothing to do
   * @throws dev.lance4j.format.IndexNotFoundException if an index that is named does not exist
   * @throws dev.lance4j.format.CommitConflictException if others replaced the same segments
   *     meanwhile
   */
  public Dataset optimizeIndices(OptimizeOptions options) {
    return new Dataset(environment, new OptimizeIndices(indexSource(), options).execute());
  }

  /** What the table needs to stay fast. */
  public TableMaintenance maintenance() {
    return new TableMaintenance(environment, source());
  }

  /**
   * Has indices catch up with compactions that deferred it: writes those anew that still hold
   * addresses which rows had before.
   *
   * @param names of indices; all when none are named
   * @return the next version; this one again when there was nothing to do
   * @throws dev.lance4j.format.IndexNotFoundException if an index that is named does not exist
   * @throws dev.lance4j.format.CommitConflictException if others replaced the same segments
   *     meanwhile
   */
  public Dataset remapIndices(String... names) {
    return new Dataset(environment, new RemapIndices(indexSource()).remap(List.of(names)));
  }

  /**
   * Forgets where rows went in compactions that all indices have caught up with.
   *
   * @return the next version; this one again when there was nothing to do
   * @throws dev.lance4j.format.CommitConflictException if others did the same meanwhile
   */
  public Dataset trimFragmentReuse() {
    return new Dataset(environment, new RemapIndices(indexSource()).trim());
  }

  private IndexSource indexSource() {
    return new IndexSource(version, environment.session(), environment.allocator());
  }

  FragmentWriter fragmentWriter() {
    return FragmentWriter.to(version.table().path(), lanceSchema())
        .fileVersion(version.manifest().storageVersion())
        .allocator(environment.allocator())
        .store(version.table().store());
  }

  /**
   * Adds columns that are computed from others by expressions, in the order of the map.
   *
   * @param expressions by the names of the new columns, such as {@code "decade", "year / 10 * 10"}
   * @return the next version; when all expressions are constant nulls, only the schema is written
   * @throws dev.lance4j.format.SchemaMismatchException if a name is taken or reserved
   * @throws InvalidInputException if an expression does not fit the table
   * @throws dev.lance4j.format.CommitConflictException if others changed the table meanwhile
   */
  public Dataset addColumns(Map<String, String> expressions) {
    return addColumns(NewColumns.expressions(expressions));
  }

  /**
   * Adds the columns of a reader, which has a row for each row of the table in the order of a scan,
   * and stays the caller's to close; errors as above.
   *
   * @throws InvalidInputException if it has more or fewer rows
   */
  public Dataset addColumns(ArrowReader reader) {
    return addColumns(NewColumns.rows(BatchSource.of(reader)));
  }

  /** Adds nullable columns in which all rows are null; only the schema is written. */
  public Dataset addColumns(Schema schema) {
    return addColumns(NewColumns.nulls(schema));
  }

  /** Adds columns from anywhere; errors as above. */
  public Dataset addColumns(NewColumns columns) {
    return evolved(evolution().addColumns(columns));
  }

  /**
   * Adds the columns of rows that are found by a key: a left join. Rows of this table without a
   * partner get nulls.
   *
   * @param right the key and the new columns; held in memory, and stays the caller's to close
   * @param leftOn the key in this table: a column, {@code _rowid} or {@code _rowaddr}
   * @param rightOn the key of the reader, of the same type
   * @return the next version
   * @throws dev.lance4j.format.SchemaMismatchException if a name is taken, or the keys differ in
   *     type
   */
  public Dataset joinColumns(ArrowReader right, String leftOn, String rightOn) {
    return evolved(evolution().joinColumns(BatchSource.of(right), leftOn, rightOn));
  }

  /**
   * Drops columns. Their data stays for earlier versions.
   *
   * @param columns names, or {@code a.b} for the field {@code b} inside of {@code a}
   * @return the next version
   * @throws InvalidInputException if there is no such column, or none would be left
   */
  public Dataset dropColumns(String... columns) {
    return evolved(evolution().dropColumns(List.of(columns)));
  }

  /**
   * Renames columns, changes whether they may be null, or casts them to other types; only casts
   * write data. See {@link SchemaEvolution#alterColumns}.
   *
   * @return the next version
   */
  public Dataset alterColumns(ColumnChange... changes) {
    return evolved(evolution().alterColumns(List.of(changes)));
  }

  /** Changes of columns that are prepared first and committed later, or elsewhere. */
  public SchemaEvolution evolution() {
    return new SchemaEvolution(source());
  }

  /**
   * Changes of the columns of one fragment, to be committed together with those of others.
   *
   * @throws InvalidInputException if there is no such fragment
   */
  public FragmentColumns fragmentColumns(long fragmentId) {
    return new FragmentColumns(source(), fragmentId);
  }

  private Dataset evolved(Operation operation) {
    return new Dataset(environment, evolution().commit(operation));
  }

  /** The allocator that reads and writes take memory from. */
  public BufferAllocator allocator() {
    return environment.allocator();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      environment.release();
    }
  }

  @Override
  public String toString() {
    return version.toString();
  }
}
