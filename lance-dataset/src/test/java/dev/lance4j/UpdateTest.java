package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.rowid.RowAddress;
import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.scan.expr.Expressions;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.RowChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class UpdateTest {
  private static final String PATH = "table";

  private final BufferAllocator allocator = new RootAllocator();
  private final ObjectStore store = new MemoryObjectStore();
  private final Table table = Table.at(new StoreLocation(store, PATH, PATH));

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset create(int rows, int rowsPerFile, boolean stable) {
    try (VectorSchemaRoot root = Songs.rows(0, rows, allocator)) {
      return Dataset.write(PATH)
          .store(store)
          .allocator(allocator)
          .stableRowIds(stable)
          .maxRowsPerFile(rowsPerFile)
          .from(root);
    }
  }

  private Dataset open() {
    return Dataset.open(PATH, OpenOptions.builder().store(store).allocator(allocator).build());
  }

  private static long update(UpdateBuilder update) {
    UpdateResult result = update.execute();
    result.dataset().close();
    return result.rowsUpdated();
  }

  private List<Object> column(String name) throws Exception {
    try (Dataset dataset = open()) {
      return Songs.column(dataset.scan().select(name).open(), name);
    }
  }

  private List<Long> fragmentIds() {
    return table.latest().manifest().fragments().stream().map(FragmentMetadata::id).toList();
  }

  private Set<String> files() {
    TreeSet<String> files = new TreeSet<>();
    for (String directory : List.of("/data", "/_deletions", "/_transactions")) {
      store.list(PATH + directory, name -> files.add(directory + "/" + name));
    }
    return files;
  }

  @Test
  void allRowsMoveToOneNewFragmentInTheirOrder() throws Exception {
    try (Dataset before = create(30, 10, false)) {
      UpdateResult result = before.update().set("s", "'new ' || k").execute();
      try (Dataset after = result.dataset()) {
        assertThat(result.rowsUpdated()).isEqualTo(30);
        assertThat(after.version()).isEqualTo(2);
        assertThat(after.fragments()).hasSize(1);
        assertThat(after.fragments().get(0).id()).isEqualTo(3);
        assertThat(after.fragments().get(0).physicalRows()).isEqualTo(30);
        assertThat(Songs.column(before.scan().open(), "s")).contains("song 7").hasSize(30);
      }
    }
    assertThat(column("k")).isEqualTo(LongStream.range(0, 30).boxed().toList());
    assertThat(column("s").get(29)).isEqualTo("new 29");
    Operation.Update operation =
        (Operation.Update) table.latest().transaction().orElseThrow().operation();
    assertThat(operation.mode()).isEqualTo(Operation.UpdateMode.REWRITE_ROWS);
    assertThat(operation.fieldsModified()).isEmpty();
    assertThat(operation.fieldsWithNewValues()).containsExactly(1);
  }

  @Test
  void otherRowsStayWhereTheyAre() throws Exception {
    try (Dataset before = create(30, 10, false)) {
      FragmentMetadata untouched = before.fragments().get(0);

      assertThat(update(before.update().where("k >= 15").set("s", "'new'"))).isEqualTo(15);

      List<FragmentMetadata> fragments = table.latest().manifest().fragments();
      assertThat(fragmentIds()).containsExactly(0L, 1L, 3L);
      assertThat(fragments.get(0)).isEqualTo(untouched);
      assertThat(fragments.get(1).deletedRows()).isEqualTo(5);
      assertThat(fragments.get(1).files()).isEqualTo(before.fragments().get(1).files());
      assertThat(fragments.get(2).physicalRows()).isEqualTo(15);
      assertThat(column("k")).isEqualTo(LongStream.range(0, 30).boxed().toList());
      assertThat(column("s").subList(0, 15)).doesNotContain("new");
      assertThat(new TreeSet<>(column("s").subList(15, 30))).containsExactly("new");
    }
  }

  @Test
  void whatDoesNotFitIsAnErrorThatNamesIt() {
    try (Dataset dataset = create(3, 10, false)) {
      assertRefused(dataset.update().where("nothing = 1").set("k", "1"), "nothing");
      assertRefused(dataset.update().set("nothing", "1"), "Column 'nothing' does not exist");
      assertRefused(dataset.update().set("s", "nothing || 'x'"), "nothing");
      assertRefused(dataset.update().where("k = 1"), "No updates provided");
      assertRefused(dataset.update().where("k + 1").set("k", "1"), "not a condition");
      assertRefused(dataset.update().set("k.b", "1"), "Column 'k.b' does not exist");
      assertRefused(dataset.update().set("_rowid", "1"), "computed");
      assertRefused(dataset.update().set("k", "'twelve'"), "Cannot set column 'k'");
      assertThatThrownBy(() -> dataset.update().set("k", "1").set("k", "2"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("twice");
      assertThatThrownBy(() -> dataset.update().set("k", "1 +"))
          .isInstanceOf(InvalidInputException.class);
      assertThat(dataset.versions()).hasSize(1);
    }
    assertThat(files()).hasSize(2);
  }

  private static void assertRefused(UpdateBuilder update, String message) {
    assertThatThrownBy(update::execute)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"k > 100", "false", "null = 1", "s is null"})
  void thereIsNoNewVersionWhenNothingMatches(String condition) {
    try (Dataset dataset = create(3, 10, false)) {
      UpdateResult result = dataset.update().where(condition).set("k", "1").execute();
      try (Dataset after = result.dataset()) {
        assertThat(result.rowsUpdated()).isZero();
        assertThat(after.version()).isEqualTo(1);
      }
      assertThat(dataset.update().where(condition).set("k", "1").uncommitted()).isEmpty();
    }
    assertThat(files()).hasSize(2);
  }

  @Test
  void conditionsAddUpAndMayBeBuilt() throws Exception {
    try (Dataset dataset = create(10, 10, false)) {
      UpdateBuilder update =
          dataset
              .update()
              .where("k > 3")
              .where(Expressions.lt("k", 6))
              .set("s", Expressions.literal("it's"));
      assertThat(update(update)).isEqualTo(2);
    }
    assertThat(column("s")).filteredOn("it's"::equals).hasSize(2);
  }

  /** The real library applies one assignment after the other, in no particular order. */
  @Test
  void allExpressionsSeeTheValuesFromBefore() throws Exception {
    try (Dataset dataset = create(3, 10, false)) {
      update(dataset.update().set("k", "length(s) * 100 + k").set("s", "k"));
    }
    assertThat(column("k")).containsExactly(600L, 601L, 602L);
    assertThat(column("s")).containsExactly("0", "1", "2");
  }

  @Test
  void virtualColumnsMayBeUsed() throws Exception {
    try (Dataset dataset = create(6, 3, false)) {
      update(dataset.update().where("_rowaddr >= 4294967296").set("k", "_rowid + _rowoffset"));
    }
    long base = RowAddress.pack(1, 0);
    assertThat(column("k")).containsExactly(0L, 1L, 2L, base + 3, base + 5, base + 7);
  }

  @Test
  void newFragmentsHaveNoMoreRowsThanAskedFor() throws Exception {
    try (Dataset dataset = create(25, 25, true)) {
      update(dataset.update().where("k != 3").set("s", "'x'").maxRowsPerFile(10));
    }
    assertThat(table.latest().manifest().fragments())
        .extracting(FragmentMetadata::physicalRows)
        .containsExactly(25L, 10L, 10L, 4L);
    assertThat(new TreeSet<>(column("_rowid")))
        .isEqualTo(new TreeSet<>(LongStream.range(0, 25).boxed().toList()));
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows("_rowid = k")).isEqualTo(25);
    }
  }

  @Test
  void rowsKeepTheirIdsAndTheVersionTheyWereCreatedIn() throws Exception {
    try (Dataset first = create(10, 5, true);
        VectorSchemaRoot more = Songs.rows(10, 15, allocator);
        Dataset second = first.append(more)) {
      assertThat(update(second.update().where("k IN (2, 7, 12)").set("s", "'a'"))).isEqualTo(3);
      try (Dataset third = second.latest()) {
        assertThat(update(third.update().where("k IN (7, 12)").set("s", "'b'"))).isEqualTo(2);
      }
    }
    assertThat(column("k"))
        .containsExactly(0L, 1L, 3L, 4L, 5L, 6L, 8L, 9L, 10L, 11L, 13L, 14L, 2L, 7L, 12L);
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows("_rowid = k")).isEqualTo(15);
      for (long k = 0; k < 15; k++) {
        long created = k < 10 ? 1 : 2;
        long updated = k == 7 || k == 12 ? 4 : k == 2 ? 3 : created;
        assertThat(
                dataset.countRows(
                    String.format(
                        "k = %d AND _row_created_at_version = %d"
                            + " AND _row_last_updated_at_version = %d",
                        k, created, updated)))
            .as("row %d", k)
            .isEqualTo(1);
      }
      assertThat(Songs.column(dataset.takeRows(new long[] {12, 2, 3}, "s"), "s"))
          .containsExactly("b", "a", "song 3");
    }
  }

  private static IndexMetadata index(String name, int field, int... fragments) {
    return new IndexMetadata(
            UUID.randomUUID(),
            List.of(field),
            name,
            1,
            ByteString.EMPTY,
            Optional.of(new IndexDetails("/lance.table.BTreeIndexDetails", ByteString.EMPTY)),
            OptionalInt.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(),
            UnknownFieldSet.getDefaultInstance())
        .withFragments(RoaringBitmap.bitmapOf(fragments));
  }

  private List<int[]> coverageAfterUpdate(boolean stable) {
    try (Dataset dataset = create(20, 10, stable)) {
      TableVersion first = table.latest();
      new Committer(table, CommitOptions.DEFAULT)
          .commit(
              first,
              Transaction.of(
                  1,
                  new Operation.CreateIndex(
                      List.of(index("on k", 0, 0, 1), index("on s", 1, 0, 1), index("part", 0, 0)),
                      List.of())));
      try (Dataset indexed = dataset.latest()) {
        // No index is asked, so that none needs files.
        update(indexed.update().where("_rowaddr IN (3, 4294967299)").set("s", "'new'"));
      }
      return table.latest().indices().stream()
          .map(index -> index.fragments().orElseThrow().toArray())
          .toList();
    }
  }

  @Test
  void onlyIndicesThatStayTrueCoverTheMovedRows() {
    List<int[]> covered = coverageAfterUpdate(true);

    assertThat(covered.get(0)).containsExactly(0, 1, 2);
    assertThat(covered.get(1)).containsExactly(0, 1);
    assertThat(covered.get(2)).containsExactly(0);
  }

  @Test
  void indicesByAddressDoNotCoverTheMovedRows() {
    List<int[]> covered = coverageAfterUpdate(false);

    assertThat(covered.get(0)).containsExactly(0, 1);
    assertThat(covered.get(1)).containsExactly(0, 1);
  }

  @Test
  void filesOfAFailedUpdateAreRemoved() {
    try (Dataset dataset = create(50, 10, false)) {
      Set<String> before = files();

      assertThatThrownBy(
              () ->
                  dataset
                      .update()
                      .where("k > 3")
                      .set(
                          "k",
                          "cast(coalesce(CASE WHEN k < 45 THEN '1' ELSE s END, '2') AS bigint)")
                      .maxRowsPerFile(7)
                      .execute())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("song 45");
      assertThat(files()).isEqualTo(before);
    }
  }

  @Test
  void differentRowsOfOneFragmentAreUpdatedFromOneVersion() throws Exception {
    try (Dataset first = create(30, 30, true)) {
      assertThat(update(first.update().where("k = 12").set("s", "'a'"))).isEqualTo(1);
      first.delete("k = 13").dataset().close();
      assertThat(update(first.update().where("k = 14").set("s", "'b'"))).isEqualTo(1);
    }
    assertThat(table.latest().version()).isEqualTo(4);
    assertThat(table.latest().manifest().fragment(0).orElseThrow().deletedRows()).isEqualTo(3);
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows("_rowid = k")).isEqualTo(29);
      assertThat(dataset.countRows("s = 'a' AND k = 12 OR s = 'b' AND k = 14")).isEqualTo(2);
    }
    assertThat(files().stream().filter(name -> name.startsWith("/_deletions"))).hasSize(3);
  }

  @Test
  void theSameRowIsUpdatedAgainWhereItIsNow() throws Exception {
    try (Dataset first = create(30, 30, true)) {
      update(first.update().where("k = 12").set("s", "'a'"));
      assertThat(update(first.update().where("k = 12").set("s", "s || 'b'"))).isEqualTo(1);
      first.delete("k = 12").dataset().close();
      assertThat(update(first.update().where("k = 12").set("s", "'c'"))).isZero();
    }
    assertThat(table.latest().version()).isEqualTo(4);
    assertThat(column("k")).hasSize(29).doesNotContain(12L);
  }

  @Test
  void retriesMayBeForbidden() {
    try (Dataset first = create(30, 30, false)) {
      update(first.update().where("k = 12").set("s", "'a'"));
      Set<String> before = files();

      assertThatThrownBy(
              () -> first.update().where("k = 12").set("s", "'b'").conflictRetries(0).execute())
          .isInstanceOf(TooMuchContentionException.class)
          .hasMessageContaining("Attempted 0 retries");
      assertThat(files()).isEqualTo(before);
    }
  }

  @Test
  void anUpdateDoesNotFollowAnOverwrite() {
    try (Dataset first = create(10, 10, false);
        VectorSchemaRoot rows = Songs.rows(0, 5, allocator)) {
      Dataset.write(PATH)
          .store(store)
          .allocator(allocator)
          .mode(WriteMode.OVERWRITE)
          .from(rows)
          .close();
      Set<String> before = files();

      assertThatThrownBy(() -> first.update().set("s", "'b'").execute())
          .isInstanceOfSatisfying(
              CommitConflictException.class, e -> assertThat(e.isRetryable()).isFalse())
          .hasMessageContaining("Overwrite at version 2");
      assertThat(files()).isEqualTo(before);
    }
  }

  @Test
  void anEngineMayCommitItselfOrNot() throws Exception {
    try (Dataset first = create(30, 30, true)) {
      Set<String> before = files();
      RowChange dropped = first.update().where("k < 5").set("s", "'a'").uncommitted().orElseThrow();
      RowChange kept = first.update().where("k = 7").set("s", "'b'").uncommitted().orElseThrow();
      RowChange delete = first.uncommittedDelete("k = 8").orElseThrow();

      assertThat(table.latest().version()).isEqualTo(1);
      assertThat(dropped.rows()).isEqualTo(5);
      dropped.discard();
      assertThat(kept.affectedRows()).contains(RowAddressSet.of(RowAddress.pack(0, 7)));
      new Committer(table, CommitOptions.DEFAULT)
          .commit(
              table.latest(),
              Transaction.of(kept.read().version(), kept.operation()),
              kept.affectedRows().orElseThrow());
      assertThat(delete.commit().version()).isEqualTo(3);
      assertThat(first.uncommittedDelete("k > 100")).isEmpty();
      // One data file, two transactions, and a deletion file for each version.
      assertThat(files()).hasSize(before.size() + 5);
    }
    assertThat(column("k")).hasSize(29);
  }

  @Test
  void writersOfDifferentRowsAllSucceed() throws Exception {
    create(200, 200, true).close();
    int writers = 4;
    int rounds = 5;
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int w = 0; w < writers; w++) {
      int writer = w;
      tasks.add(
          () -> {
            long rows = 0;
            for (int round = 0; round < rounds; round++) {
              String condition = "k % 40 = " + (writer * rounds + round);
              try (Dataset dataset = open()) {
                rows += update(dataset.update().where(condition).set("s", "'w' || k"));
              }
            }
            return rows;
          });
    }
    for (long rows : run(tasks)) {
      assertThat(rows).isEqualTo(5L * rounds);
    }
    assertThat(table.latest().version()).isEqualTo(1 + writers * rounds);
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows()).isEqualTo(200);
      assertThat(dataset.countRows("_rowid = k")).isEqualTo(200);
      assertThat(dataset.countRows("s = 'w' || k")).isEqualTo(100);
      assertThat(dataset.countRows("k % 40 < 20 AND s != 'w' || k")).isZero();
    }
  }

  @Test
  void writersOfTheSameRowTakeTurns() throws Exception {
    create(10, 10, true).close();
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int w = 0; w < 4; w++) {
      tasks.add(
          () -> {
            try (Dataset dataset = open()) {
              return update(
                  dataset.update().where("_rowid = 4").set("k", "k + 100").conflictRetries(50));
            }
          });
    }
    assertThat(run(tasks)).containsExactly(1L, 1L, 1L, 1L);
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows()).isEqualTo(10);
      assertThat(dataset.countRows("_rowid = 4 AND k = 404")).isEqualTo(1);
    }
  }

  private static List<Long> run(List<Callable<Long>> tasks) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Long> results = new ArrayList<>();
      for (Future<Long> result : executor.invokeAll(tasks)) {
        results.add(result.get());
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void anInterruptedUpdateStopsInsteadOfStartingOver() {
    try (Dataset first = create(10, 10, false)) {
      update(first.update().set("s", "'a'"));
      Thread.currentThread().interrupt();

      assertThatThrownBy(() -> first.update().set("s", "'b'").execute())
          .isInstanceOf(LanceException.class)
          .hasMessageContaining("nterrupted");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(table.latest().version()).isEqualTo(2);
    }
  }
}
