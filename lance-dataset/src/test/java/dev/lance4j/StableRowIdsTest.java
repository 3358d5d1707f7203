package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.rowid.RowIdSequence;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.DeletionFiles;
import dev.lance4j.table.DeletionVector;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.SequenceLocation;
import dev.lance4j.table.Session;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Tables with stable row ids as an application sees them. */
class StableRowIdsTest {
  private static final String PATH = "table";

  private final BufferAllocator allocator = new RootAllocator();
  private final CountingObjectStore store = new CountingObjectStore(new MemoryObjectStore());
  private final Session session = Session.create();
  private final Table table = Table.at(new StoreLocation(store, PATH, PATH));

  @AfterEach
  void nothingIsLeaked() {
    session.close();
    allocator.close();
  }

  private WriteBuilder write() {
    return Dataset.write(PATH).store(store).session(session).allocator(allocator);
  }

  private Dataset create(int rows, int rowsPerFile) {
    try (VectorSchemaRoot root = Songs.rows(0, rows, allocator)) {
      return write().stableRowIds(true).maxRowsPerFile(rowsPerFile).from(root);
    }
  }

  private Dataset open(Session shared) {
    return Dataset.open(
        PATH, OpenOptions.builder().store(store).session(shared).allocator(allocator).build());
  }

  private void commit(Operation operation) {
    TableVersion latest = table.latest();
    new Committer(table, CommitOptions.DEFAULT)
        .commit(latest, Transaction.of(latest.version(), operation));
  }

  private FragmentMetadata deleting(long fragmentId, int... offsets) {
    TableVersion latest = table.latest();
    FragmentMetadata fragment = latest.manifest().fragment(fragmentId).orElseThrow();
    DeletionVector vector =
        DeletionFiles.read(latest, fragment).plus(RoaringBitmap.bitmapOf(offsets));
    return fragment.withDeletionFile(
        Optional.of(DeletionFiles.write(table, fragment, latest.version(), vector)));
  }

  private void delete(long fragmentId, int... offsets) {
    commit(new Operation.Delete(List.of(deleting(fragmentId, offsets)), List.of(), "some"));
  }

  @Test
  void askingForStableIdsLaterIsRefusedWithTheReason() {
    try (VectorSchemaRoot rows = Songs.rows(0, 3, allocator)) {
      write().from(rows).close();
      for (WriteMode mode : List.of(WriteMode.APPEND, WriteMode.OVERWRITE)) {
        assertThatThrownBy(() -> write().mode(mode).stableRowIds(true).from(rows))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("decided when a table is created");
      }
      assertThat(table.latest().version()).isEqualTo(1);
    }
  }

  @Test
  void aTableKeepsItsStableIdsWhetherOrNotTheyAreAskedFor() {
    create(3, 10).close();
    try (VectorSchemaRoot rows = Songs.rows(3, 5, allocator);
        Dataset appended = write().mode(WriteMode.APPEND).from(rows);
        Dataset overwritten = write().mode(WriteMode.OVERWRITE).stableRowIds(true).from(rows)) {
      assertThat(appended.hasStableRowIds()).isTrue();
      assertThat(overwritten.hasStableRowIds()).isTrue();
    }
  }

  @Test
  void namesOfVirtualColumnsAreReserved() {
    for (String name :
        List.of(
            "_rowid",
            "_rowaddr",
            "_rowoffset",
            "_row_created_at_version",
            "_row_last_updated_at_version")) {
      Schema schema = new Schema(List.of(Field.nullable(name, ArrowType.Utf8.INSTANCE)));
      assertThatThrownBy(() -> write().from(schema))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void takesRowsByIdInTheOrderAskedWithoutThoseThatAreGone() throws Exception {
    create(25, 10).close();
    delete(0, 3);
    try (Dataset dataset = open(session)) {
      long[] ids = {5, 3, 21, 5, 999, -1};
      assertThat(Songs.column(dataset.takeRows(ids, "k"), "k")).containsExactly(5L, 21L, 5L);
      assertThat(Songs.count(dataset.takeRows(new long[] {3, 999}, "k"))).isZero();
      assertThat(Songs.count(dataset.takeRows(new long[0], "k"))).isZero();
    }
  }

  @Test
  void tablesWithoutStableIdsGiveAddressesAndTheFirstVersion() throws Exception {
    try (VectorSchemaRoot rows = Songs.rows(0, 3, allocator);
        Dataset first = write().maxRowsPerFile(2).from(rows);
        Dataset second = first.append(rows)) {
      assertThat(Songs.column(second.scan().withRowVersions().open(), "_row_created_at_version"))
          .containsOnly(1L);
      assertThat(
              Songs.column(second.scan().withRowVersions().open(), "_row_last_updated_at_version"))
          .containsOnly(1L);
      assertThatThrownBy(() -> second.delta(1, 2))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("no stable row ids");
    }
  }

  @Test
  void virtualColumnsComeInTheOrderTheyAreAskedFor() throws Exception {
    try (Dataset dataset = create(3, 2);
        var reader = dataset.scan().select("_rowaddr", "k").withRowVersions().withRowId().open()) {
      assertThat(reader.getVectorSchemaRoot().getSchema().getFields())
          .extracting(Field::getName)
          .containsExactly(
              "_rowaddr", "k", "_row_created_at_version", "_row_last_updated_at_version", "_rowid");
    }
  }

  /** The offset is that among all rows of the table, also when not all of them are read. */
  @Test
  void offsetsCountTheRowsOfTheWholeTable() throws Exception {
    create(30, 10).close();
    delete(0, 3);
    delete(2, 0, 1);
    try (Dataset dataset = open(session)) {
      assertThat(
              Songs.column(
                  dataset.scan().fragments(2).select("_rowoffset").limit(2).open(), "_rowoffset"))
          .containsExactly(19L, 20L);
      assertThat(Songs.column(dataset.takeRows(new long[] {23, 4}, "_rowoffset"), "_rowoffset"))
          .containsExactly(20L, 3L);
      assertThat(Songs.column(dataset.take(new long[] {20, 3}, "_rowoffset"), "_rowoffset"))
          .containsExactly(20L, 3L);
    }
  }

  /** Deleted rows keep their place in the sequence of ids but do not count (F18). */
  @Test
  void limitsCountLiveRows() throws Exception {
    create(10, 5).close();
    delete(0, 0, 1, 2);
    try (Dataset dataset = open(session)) {
      assertThat(Songs.column(dataset.scan().withRowId().limit(4).open(), "_rowid"))
          .containsExactly(3L, 4L, 5L, 6L);
      assertThat(Songs.column(dataset.scan().withRowId().offset(1).limit(2).open(), "_rowid"))
          .containsExactly(4L, 5L);
    }
  }

  /** Caches know a table that took the place of another (F7). */
  @Test
  void aTableThatIsOverwrittenOrMadeAnewIsReadAnewInTheSameSession() throws Exception {
    create(20, 10).close();
    try (Dataset dataset = open(session)) {
      assertThat(Songs.count(dataset.takeRows(someIds(300)))).isEqualTo(20);
    }
    try (VectorSchemaRoot rows = Songs.rows(50, 55, allocator);
        Dataset overwritten = write().mode(WriteMode.OVERWRITE).from(rows)) {
      assertThat(Songs.column(overwritten.scan().withRowId().open(), "_rowid"))
          .containsExactly(20L, 21L, 22L, 23L, 24L);
      assertThat(Songs.column(overwritten.takeRows(someIds(300)), "k"))
          .containsExactly(50L, 51L, 52L, 53L, 54L);
    }
    remove();
    create(2, 10).close();
    try (Dataset dataset = open(session)) {
      assertThat(dataset.version()).isEqualTo(1);
      assertThat(Songs.column(dataset.takeRows(someIds(300)), "k")).containsExactly(0L, 1L);
    }
  }

  private static long[] someIds(int count) {
    long[] ids = new long[count];
    for (int i = 0; i < count; i++) {
      ids[i] = i;
    }
    return ids;
  }

  private void remove() {
    List<String> paths = new ArrayList<>();
    store.walk(PATH, object -> paths.add(object.path()));
    paths.forEach(store::delete);
  }

  /** A few ids are found without reading the deletion files of all fragments. */
  @Test
  void aFewIdsAreFoundWithoutAnIndex() throws Exception {
    create(100, 10).close();
    for (long fragment = 0; fragment < 10; fragment++) {
      delete(fragment, 1);
    }
    try (Session fresh = Session.create();
        Dataset dataset = open(fresh)) {
      store.reset();
      assertThat(Songs.column(dataset.takeRows(new long[] {42, 41}, "_rowid"), "_rowid"))
          .containsExactly(42L);
      assertThat(store.calls(StoreCall.OPEN)).as("files").isLessThanOrEqualTo(2);
      assertThat(Songs.count(dataset.takeRows(someIds(300), "_rowid"))).isEqualTo(90);
    }
  }

  @Test
  void aDeltaGivesInsertedAndUpdatedRows() throws Exception {
    create(5, 10).close();
    try (VectorSchemaRoot rows = Songs.rows(5, 8, allocator);
        Dataset first = open(session)) {
      first.append(rows).close();
    }
    // The row with id 1 moves to a new fragment, where one row is inserted after it.
    FragmentMetadata source = table.latest().manifest().fragments().get(1);
    commit(
        new Operation.Update(
            List.of(),
            List.of(deleting(0, 1)),
            List.of(
                FragmentMetadata.of(source.files(), 3)
                    .withRowIds(new SequenceLocation.Inline(RowIdSequence.of(1).toByteString()))),
            List.of(),
            List.of(),
            List.of(0, 1),
            Operation.UpdateMode.REWRITE_ROWS,
            Optional.empty()));
    try (Dataset third = open(session)) {
      assertThat(ids(third.delta(0, 3).inserted()))
          .containsExactly(0L, 2L, 3L, 4L, 5L, 6L, 7L, 1L, 8L, 9L);
      assertThat(ids(third.delta(1, 2).inserted())).containsExactly(5L, 6L, 7L);
      assertThat(ids(third.delta(2, 3).inserted())).containsExactly(8L, 9L);
      assertThat(ids(third.delta(2, 3).updated())).containsExactly(1L);
      assertThat(ids(third.delta(1, 2).updated())).isEmpty();
      assertThat(ids(third.delta(3, 3).updated())).isEmpty();
      assertThat(Songs.column(third.delta(2, 3).updated(), "s")).containsExactly("song 5");
      assertThat(Songs.column(third.delta(2, 3).updated(), "_row_created_at_version"))
          .containsExactly(1L);
      assertThat(third.delta(0, 3).transactions())
          .extracting(transaction -> transaction.operation().getClass().getSimpleName())
          .containsExactly("Overwrite", "Append", "Update");
      assertThat(third.delta(1, 2).transactions())
          .extracting(Transaction::readVersion)
          .containsExactly(1L);
      for (long[] wrong : new long[][] {{3, 2}, {-1, 2}, {1, 4}}) {
        assertThatThrownBy(() -> third.delta(wrong[0], wrong[1]))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("no delta from version");
      }
    }
  }

  private static List<Object> ids(org.apache.arrow.vector.ipc.ArrowReader reader) throws Exception {
    return Songs.column(reader, "_rowid");
  }

  @Test
  void aRestoredVersionIsTheNewest() throws Exception {
    try (Dataset first = create(3, 10);
        VectorSchemaRoot rows = Songs.rows(3, 5, allocator);
        Dataset second = first.append(rows);
        Dataset third = first.restore();
        Dataset fourth = third.append(rows)) {
      assertThat(second.version()).isEqualTo(2);
      assertThat(third.version()).isEqualTo(3);
      assertThat(Songs.column(third.scan().open(), "k")).containsExactly(0L, 1L, 2L);
      assertThat(ids(fourth.scan().withRowId().open())).containsExactly(0L, 1L, 2L, 5L, 6L);
    }
  }
}
