package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore;
import dev.lance4j.format.testing.FaultyObjectStore.Fault;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.table.BasePath;
import dev.lance4j.table.CleanupPolicy;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.MapUpdate;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.ColumnChange;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.NewColumns;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import dev.lance4j.write.WhenNotMatchedBySource;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation meets a fault of the store at each of its calls in turn. Afterwards the table is
 * as before or as the operation makes it, never anything else; if it is as before, the operation
 * said so and works when it is tried again; and what was left behind is found by a clean-up.
 */
class StoreFaultsTest {
  private static final String PATH = "tables/songs.lance";

  private static final Schema COLUMN =
      new Schema(List.of(Field.nullable("added", new ArrowType.Int(32, true))));

  private final BufferAllocator allocator = new RootAllocator();

  /** Something that is done to the newest version of a table. */
  private interface Change {
    /** Changes the table and gives the next version. */
    Dataset apply(Dataset dataset, Parts parts) throws Exception;
  }

  /**
   * A change with its name. To have another operation tested, add a line to {@link #changes}.
   *
   * @param before what is done to the table first
   */
  private record Named(String name, List<Change> before, Change change) {
    Named(String name, Change change) {
      this(name, List.of(), change);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final CompactionOptions DEFERRED =
      CompactionOptions.builder().deferIndexRemap(true).build();

  /** Two indices and rows that they do not know. */
  private static final List<Change> INDEXED =
      List.of(
          (d, parts) -> d.createIndex("k", ScalarIndexSpec.btree()),
          (d, parts) -> d.createIndex("s", ScalarIndexSpec.bitmap()),
          (d, parts) -> parts.with(40, 44, d::append));

  private static final List<Change> MOVED = after(INDEXED, (d, p) -> d.compact(DEFERRED).dataset());

  private static List<Change> after(List<Change> before, Change last) {
    List<Change> all = new ArrayList<>(before);
    all.add(last);
    return List.copyOf(all);
  }

  static List<Named> changes() {
    return List.of(
        new Named("append", (d, parts) -> parts.with(50, 60, d::append)),
        new Named("delete rows", (d, parts) -> d.delete("k % 7 = 3").dataset()),
        new Named("delete a fragment", (d, parts) -> d.delete("k < 10").dataset()),
        new Named(
            "update",
            (d, parts) -> d.update().where("k % 7 = 3").set("k", "k + 100").execute().dataset()),
        new Named(
            "merge",
            (d, parts) ->
                parts.with(
                    25,
                    45,
                    rows ->
                        d.mergeInsert("k")
                            .whenMatched(WhenMatched.updateAll())
                            .execute(rows)
                            .dataset())),
        new Named(
            "merge columns",
            (d, parts) ->
                parts.with(
                    25,
                    45,
                    rows ->
                        d.mergeInsert("k")
                            .whenMatched(WhenMatched.updateAll())
                            .whenNotMatched(WhenNotMatched.doNothing())
                            .form(MergeOptions.Form.REWRITE_COLUMNS)
                            .execute(rows)
                            .dataset())),
        new Named(
            "merge with deletions",
            (d, parts) ->
                parts.with(
                    25,
                    45,
                    rows ->
                        d.mergeInsert("k")
                            .whenNotMatchedBySource(WhenNotMatchedBySource.delete())
                            .execute(rows)
                            .dataset())),
        new Named("add a column", (d, parts) -> d.addColumns(Map.of("twice", "2 * k"))),
        new Named("add a column of nulls", (d, parts) -> d.addColumns(COLUMN)),
        new Named(
            "add a column of a reader",
            (d, parts) -> parts.addColumn(d, rows -> d.addColumns(NewColumns.rows(rows)))),
        new Named("drop a column", (d, parts) -> d.dropColumns("s")),
        new Named(
            "rename a column", (d, parts) -> d.alterColumns(ColumnChange.rename("s", "title"))),
        new Named(
            "cast a column",
            (d, parts) -> d.alterColumns(ColumnChange.cast("k", new ArrowType.Int(32, true)))),
        new Named("settings", (d, parts) -> d.updateConfig(Map.of("a", "b"))),
        new Named("metadata", (d, parts) -> d.updateTableMetadata(MapUpdate.set(Map.of("a", "b")))),
        new Named(
            "commit of many writers",
            commit(
                (d, p) -> {
                  List<FragmentMetadata> all = new ArrayList<>(p.fragment(50, 60));
                  all.addAll(p.fragment(60, 65));
                  return Operation.append(all);
                })),
        new Named("compact", (d, parts) -> d.compact().dataset()),
        new Named("compact with indices", INDEXED, (d, parts) -> d.compact().dataset()),
        new Named(
            "compact and defer indices", INDEXED, (d, parts) -> d.compact(DEFERRED).dataset()),
        new Named(
            "optimise indices",
            INDEXED,
            (d, parts) -> d.optimizeIndices(OptimizeOptions.defaults())),
        new Named(
            "append to indices",
            INDEXED,
            (d, parts) -> d.optimizeIndices(OptimizeOptions.append())),
        new Named("remap indices", MOVED, (d, parts) -> d.remapIndices()),
        new Named(
            "trim what indices know",
            after(MOVED, (d, parts) -> d.remapIndices()),
            (d, parts) -> d.trimFragmentReuse()),
        new Named("create an index", (d, parts) -> d.createIndex("k", ScalarIndexSpec.btree())),
        new Named("overwrite", (d, parts) -> parts.with(5, 9, parts.write()::from)),
        new Named("restore", (d, parts) -> parts.close(d.checkout(1), Dataset::restore)),
        new Named("commit an append", commit((d, p) -> Operation.append(p.fragment(50, 60)))),
        new Named("commit a delete", commit((d, p) -> new Operation.Delete(List.of(), ids(1), ""))),
        new Named(
            "commit an overwrite",
            commit((d, p) -> Operation.overwrite(p.fragment(0, 3), d.lanceSchema()))),
        new Named("commit an index", commit((d, p) -> createIndex())),
        new Named(
            "commit a rewrite",
            commit(
                (d, p) ->
                    new Operation.Rewrite(
                        List.of(
                            new Operation.RewriteGroup(
                                d.fragments().subList(1, 2), p.fragment(10, 20))),
                        List.of()))),
        new Named(
            "commit a merge",
            commit((d, p) -> new Operation.Merge(d.fragments(), withColumn(d.lanceSchema())))),
        new Named("commit a restore", commit((d, p) -> new Operation.Restore(1))),
        new Named("commit a reservation", commit((d, p) -> new Operation.ReserveFragments(3))),
        new Named("commit an update", commit((d, p) -> update(p.fragment(100, 110)))),
        new Named(
            "commit a projection",
            commit((d, p) -> new Operation.Project(d.lanceSchema().project(List.of("k"))))),
        new Named(
            "commit settings",
            commit((d, p) -> Operation.UpdateConfig.ofConfig(MapUpdate.set(Map.of("a", "b"))))),
        new Named(
            "commit a replacement of a file",
            commit(
                (d, p) ->
                    new Operation.DataReplacement(
                        List.of(
                            new Operation.Replacement(
                                1, p.fragment(70, 80).get(0).files().get(0)))))),
        new Named(
            "commit a base path",
            commit(
                (d, p) ->
                    new Operation.UpdateBases(
                        List.of(new BasePath(0, Optional.of("b"), true, "memory://elsewhere"))))));
  }

  /** Makes an operation; what it refers to is written before anything fails. */
  private interface Made {
    Operation operation(Dataset dataset, Parts parts);
  }

  private static Change commit(Made made) {
    return (dataset, parts) ->
        Dataset.commit(PATH)
            .store(parts.faulty())
            .allocator(parts.allocator())
            .execute(made.operation(dataset, parts), dataset.version());
  }

  private static List<Long> ids(long... ids) {
    List<Long> list = new ArrayList<>();
    for (long id : ids) {
      list.add(id);
    }
    return list;
  }

  private static Operation createIndex() {
    IndexMetadata index =
        new IndexMetadata(
            new UUID(1, 2),
            List.of(0),
            "k_idx",
            3,
            ByteString.EMPTY,
            Optional.empty(),
            OptionalInt.of(0),
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(),
            UnknownFieldSet.getDefaultInstance());
    return new Operation.CreateIndex(List.of(index), List.of());
  }

  private static LanceSchema withColumn(LanceSchema schema) {
    List<LanceField> fields = new ArrayList<>(schema.fields());
    fields.addAll(LanceSchema.fromArrow(COLUMN, schema.maxFieldId() + 1).fields());
    return new LanceSchema(fields, schema.metadata());
  }

  private static Operation update(List<FragmentMetadata> moved) {
    return new Operation.Update(
        ids(1),
        List.of(),
        moved,
        List.of(),
        List.of(),
        List.of(),
        Operation.UpdateMode.REWRITE_ROWS,
        Optional.empty());
  }

  /** What a change is made of. */
  private record Parts(ObjectStore sound, ObjectStore faulty, BufferAllocator allocator) {
    private interface Use<T, R> {
      R apply(T value) throws Exception;
    }

    Dataset with(int start, int end, Use<VectorSchemaRoot, Dataset> use) throws Exception {
      try (VectorSchemaRoot rows = Songs.rows(start, end, allocator)) {
        return use.apply(rows);
      }
    }

    /** A number for each row of the table. */
    Dataset addColumn(Dataset dataset, Use<BatchSource, Dataset> use) throws Exception {
      try (VectorSchemaRoot numbers = VectorSchemaRoot.create(COLUMN, allocator)) {
        int rows = (int) dataset.countRows();
        for (int i = 0; i < rows; i++) {
          ((IntVector) numbers.getVector(0)).setSafe(i, i);
        }
        numbers.setRowCount(rows);
        return use.apply(BatchSource.of(numbers, null));
      }
    }

    Dataset close(Dataset dataset, Use<Dataset, Dataset> use) throws Exception {
      try (dataset) {
        return use.apply(dataset);
      }
    }

    WriteBuilder write() {
      return Dataset.write(PATH).mode(WriteMode.OVERWRITE).store(faulty).allocator(allocator);
    }

    List<FragmentMetadata> fragment(int start, int end) {
      try (VectorSchemaRoot rows = Songs.rows(start, end, allocator)) {
        return FragmentWriter.to(PATH, Songs.SCHEMA).store(sound).allocator(allocator).write(rows);
      }
    }
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private ObjectStore table(List<Change> more) throws Exception {
    ObjectStore store = table();
    for (Change change : more) {
      apply(change, store, store);
    }
    return store;
  }

  /** Three versions: 30 rows in three fragments, 10 more, and a few less. */
  private ObjectStore table() throws Exception {
    ObjectStore store = new MemoryObjectStore();
    Parts parts = new Parts(store, store, allocator);
    parts.with(0, 30, parts.write().maxRowsPerFile(10)::from).close();
    try (Dataset dataset = open(store);
        Dataset more = parts.with(30, 40, dataset::append);
        Dataset less = more.delete("k = 12 OR k > 37").dataset()) {
      assertThat(less.version()).isEqualTo(3);
    }
    return store;
  }

  private Dataset open(ObjectStore store) {
    return TableStates.open(store, PATH, allocator);
  }

  private static ObjectStore copy(ObjectStore store) {
    return TableStates.copy(store, PATH);
  }

  private String newest(ObjectStore store) throws Exception {
    return TableStates.newest(store, PATH, allocator);
  }

  private Map<String, String> states(ObjectStore store) throws Exception {
    return TableStates.of(store, allocator, PATH);
  }

  private void apply(Change change, ObjectStore sound, ObjectStore faulty) throws Exception {
    Parts parts = new Parts(sound, faulty, allocator);
    try (Dataset dataset = open(faulty);
        Dataset next = change.apply(dataset, parts)) {
      assertThat(next.version()).isGreaterThan(dataset.version());
    }
  }

  @ParameterizedTest
  @MethodSource("changes")
  void errorsBeforeTheEffect(Named named) throws Exception {
    atEachCall(named, Fault.ERROR_BEFORE);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void errorsAfterTheEffect(Named named) throws Exception {
    atEachCall(named, Fault.ERROR_AFTER);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void truncatedReads(Named named) throws Exception {
    atEachCall(named, Fault.TRUNCATED);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void slowCalls(Named named) throws Exception {
    ObjectStore store = table(named.before());
    ObjectStore expected = copy(store);
    apply(named.change(), expected, expected);

    apply(named.change(), store, new FaultyObjectStore(store).slow(Duration.ofMillis(1)));

    assertThat(states(store)).isEqualTo(states(expected));
  }

  private void atEachCall(Named named, Fault fault) throws Exception {
    Change change = named.change();
    ObjectStore base = table(named.before());
    ObjectStore done = copy(base);
    apply(change, done, done);
    Map<String, String> before = states(base);
    Map<String, String> after = states(done);
    assertThat(after).hasSizeGreaterThan(before.size()).containsAllEntriesOf(before);
    // What makes several versions may have made some of them before it failed.
    boolean atOnce = after.size() == before.size() + 1;
    String oldNewest = newest(base);
    String newNewest = newest(done);
    assertThat(atOnce || !oldNewest.equals(newNewest)).isTrue();
    boolean failed = true;
    for (int call = 1; failed; call++) {
      ObjectStore store = copy(base);
      FaultyObjectStore faulty = new FaultyObjectStore(store);
      inject(fault, call, faulty);
      String where = fault + " at call " + call;
      boolean reported = false;
      try {
        apply(change, store, faulty);
      } catch (UncheckedIOException | LanceException e) {
        reported = true;
        assertThat(e).as(where).hasMessageMatching("(?s).{10,}");
      }
      failed = faulty.failures() > 0;
      Map<String, String> states = states(store);
      assertThat(states).as(where).containsAllEntriesOf(before);
      assertThat(newest(store)).as(where).isIn(oldNewest, newNewest);
      if (reported && (atOnce ? states.equals(before) : newest(store).equals(oldNewest))) {
        apply(change, store, store);
        states = states(store);
      }
      assertThat(newest(store)).as(where).isEqualTo(newNewest);
      if (atOnce) {
        assertThat(states).as(where).isEqualTo(after);
      }
      assertThatNothingIsLeftBehind(store, where);
    }
  }

  private static void inject(Fault fault, int call, FaultyObjectStore store) {
    if (fault == Fault.TRUNCATED) {
      // Values have no checksum in the format: zeros in place of them are as good as others.
      store.fail(fault, StoreCall.READ, path -> !path.contains("/data/"), call, 1);
    } else {
      store.failNth(fault, call);
    }
  }

  private void assertThatNothingIsLeftBehind(ObjectStore store, String where) {
    try (Dataset newest = open(store)) {
      newest.cleanup(CleanupPolicy.builder().deleteUnverified(true).build());
    }
    TableVersion version = TableStates.table(store, PATH).latest();
    Set<String> needed = new TreeSet<>();
    needed.add("_versions/" + version.location().naming().fileName(version.version()));
    needed.add("_transactions/" + version.manifest().transactionFile());
    for (FragmentMetadata fragment : version.manifest().fragments()) {
      fragment.files().forEach(file -> needed.add("data/" + file.path()));
      fragment
          .deletionFile()
          .ifPresent(file -> needed.add("_deletions/" + file.name(fragment.id())));
    }
    Set<String> left = files(store, PATH);
    for (IndexMetadata index : version.indices()) {
      files(store, PATH + "/_indices/" + index.uuid())
          .forEach(name -> needed.add("_indices/" + index.uuid() + "/" + name));
    }
    assertThat(left).as(where).isEqualTo(needed);
  }

  private static Set<String> files(ObjectStore store, String directory) {
    Set<String> files = new TreeSet<>();
    store.walk(directory, object -> files.add(object.path().substring(directory.length() + 1)));
    return files;
  }
}
