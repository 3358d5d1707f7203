package dev.lance4j;

import static dev.lance4j.MergeTables.rows;
import static dev.lance4j.MergeTables.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.DataFile;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import dev.lance4j.write.BatchSource;
import dev.lance4j.write.MergeInsert;
import dev.lance4j.write.MergeOptions.Form;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.roaringbitmap.RoaringBitmap;

/** What merges leave in manifests, transactions and the directory of a table. */
class MergeStorageTest {
  private static final String TABLE = "1:1:a 2:1:b 3:1:c 4:1:d 5:1:e 6:1:f";

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("t").toString();
  }

  private Table table() {
    return Table.at(ObjectStores.resolve(uri()));
  }

  private Dataset create(boolean stable) {
    try (VectorSchemaRoot root = rows("k,v,s", TABLE, allocator)) {
      return Dataset.write(uri())
          .allocator(allocator)
          .stableRowIds(stable)
          .maxRowsPerFile(3)
          .from(root);
    }
  }

  private Dataset open() {
    return Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
  }

  private MergeResult merge(MergeInsertBuilder merge, String columns, String source) {
    try (VectorSchemaRoot root = rows(columns, source, allocator)) {
      MergeResult result = merge.execute(root);
      result.dataset().close();
      return result;
    }
  }

  private static MergeInsertBuilder upsert(Dataset dataset) {
    return dataset.mergeInsert("k").whenMatched(WhenMatched.updateAll());
  }

  private Operation.Update update() {
    return (Operation.Update) table().latest().transaction().orElseThrow().operation();
  }

  /** Indices on the columns k, v and s that cover the fragments 0 and 1. */
  private void createIndices() {
    List<IndexMetadata> indices = List.of(index("k", 0), index("v", 1), index("s", 2));
    TableVersion latest = table().latest();
    new Committer(table(), CommitOptions.DEFAULT)
        .commit(
            latest,
            Transaction.of(latest.version(), new Operation.CreateIndex(indices, List.of())));
  }

  private static IndexMetadata index(String name, int fieldId) {
    return new IndexMetadata(
            UUID.randomUUID(),
            List.of(fieldId),
            name,
            1,
            ByteString.EMPTY,
            Optional.empty(),
            OptionalInt.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(),
            UnknownFieldSet.getDefaultInstance())
        .withFragments(RoaringBitmap.bitmapOf(0, 1));
  }

  private RoaringBitmap covered(String index) {
    return table().latest().indices().stream()
        .filter(each -> each.name().equals(index))
        .findFirst()
        .orElseThrow()
        .fragments()
        .orElseThrow();
  }

  @Test
  void aMergeThatOnlyDeletesIsAnUpdateWithoutDataFiles() {
    try (Dataset dataset = create(false)) {
      merge(
          dataset
              .mergeInsert("k")
              .whenMatched(WhenMatched.delete())
              .whenNotMatched(WhenNotMatched.doNothing()),
          "k",
          "3 4 5 6");
    }
    Operation.Update update = update();
    assertThat(update.newFragments()).isEmpty();
    assertThat(update.removedFragmentIds()).containsExactly(1L);
    assertThat(update.updatedFragments()).hasSize(1);
    assertThat(update.mode()).isEqualTo(Operation.UpdateMode.REWRITE_ROWS);
    assertThat(update.insertedKeys()).isEmpty();
  }

  /** Inserted rows must not come before updated ones, wherever they are in the source (F19). */
  @Test
  void updatedRowsKeepTheirStableIdsAndVersionsAndInsertedOnesGetNewOnes() {
    try (Dataset dataset = create(true)) {
      dataset.delete("k = 1").dataset().close();
    }
    try (Dataset dataset = open();
        VectorSchemaRoot first = rows("k,v,s", "7:2:G", allocator);
        VectorSchemaRoot second = rows("k,v,s", "5:2:E 2:2:B", allocator);
        VectorSchemaRoot third = rows("k,v,s", "8:2:H 4:2:D", allocator)) {
      BatchSource source =
          BatchSource.of(first.getSchema(), List.of(first, second, third).iterator(), null);
      upsert(dataset).execute(source).dataset().close();
    }
    try (Dataset dataset = open()) {
      assertThat(
              text(
                  dataset
                      .scan()
                      .select(
                          "k", "_rowid", "_row_created_at_version", "_row_last_updated_at_version")
                      .open()))
          .containsExactlyInAnyOrder(
              "2:1:1:3", "3:2:1:1", "4:3:1:3", "5:4:1:3", "6:5:1:1", "7:6:3:3", "8:7:3:3");
    }
    assertThat(table().latest().manifest().nextRowId()).isEqualTo(8);
  }

  /** Both merges touch the same rows, so that old slots of their ids are in several fragments. */
  @Test
  void theSameKeysAreMergedAgainAndAgain() {
    create(true).close();
    for (int round = 2; round < 6; round++) {
      try (Dataset dataset = open()) {
        String value = ":" + round + ":x";
        MergeResult result = merge(upsert(dataset), "k,v,s", "2" + value + " 5" + value);
        assertThat(result.rowsUpdated()).isEqualTo(2);
        assertThat(result.rowsInserted()).isZero();
      }
    }
    try (Dataset dataset = open()) {
      dataset.delete("k = 5").dataset().close();
    }
    try (Dataset dataset = open()) {
      assertThat(text(dataset.scan().select("k", "v", "_rowid").where("v > 1").open()))
          .containsExactly("2:5:1");
      assertThat(text(dataset.takeRows(new long[] {1, 4, 5}, "k"))).containsExactly("2", "6");
    }
  }

  @Test
  void columnsThatAreUpdatedInPlaceGoToANewFileBesideTheOthers() {
    create(false).close();
    createIndices();
    try (Dataset dataset = open()) {
      MergeResult result = merge(upsert(dataset), "k,v", "5:2 7:2");
      assertThat(result.filesWritten()).isEqualTo(2);
      assertThat(result.bytesWritten())
          .isEqualTo(
              table().latest().manifest().fragments().stream()
                  .skip(1)
                  .mapToLong(f -> f.files().get(f.files().size() - 1).sizeBytes())
                  .sum());
    }
    Operation.Update update = update();
    assertThat(update.mode()).isEqualTo(Operation.UpdateMode.REWRITE_COLUMNS);
    assertThat(update.fieldsModified()).containsExactly(1);
    List<FragmentMetadata> fragments = table().latest().manifest().fragments();
    assertThat(fields(fragments.get(0))).containsExactly(List.of(0, 1, 2));
    assertThat(fields(fragments.get(1)))
        .containsExactly(List.of(0, DataFile.TOMBSTONE, 2), List.of(1));
    assertThat(fields(fragments.get(2))).containsExactly(List.of(0, 1));
    assertThat(fragments.get(1).deletionFile()).isEmpty();
    // The key is the same, so that its index stays right; the real library writes it anew.
    assertThat(covered("k")).isEqualTo(RoaringBitmap.bitmapOf(0, 1));
    assertThat(covered("v")).isEqualTo(RoaringBitmap.bitmapOf(0));
    assertThat(covered("s")).isEqualTo(RoaringBitmap.bitmapOf(0, 1));
  }

  private static List<List<Integer>> fields(FragmentMetadata fragment) {
    return fragment.files().stream().map(DataFile::fieldIds).toList();
  }

  @Test
  void rowsThatAreWrittenAnewAreCoveredByNoIndex() {
    for (boolean stable : new boolean[] {false, true}) {
      create(stable).close();
      createIndices();
      try (Dataset dataset = open()) {
        merge(upsert(dataset), "k,v,s", "5:2:E 7:2:G");
      }
      for (String index : List.of("k", "v", "s")) {
        assertThat(covered(index)).isEqualTo(RoaringBitmap.bitmapOf(0, 1));
      }
      assertThat(update().fieldsWithNewValues()).containsExactly(0, 1, 2);
      folder = folder.resolve("x");
    }
  }

  /** Which is not always the one after the version that was read (F23). */
  @Test
  void rowsThatAreUpdatedInPlaceChangeInTheVersionThatIsCommitted() {
    try (Dataset before = create(true);
        VectorSchemaRoot more = rows("k,v,s", "9:9:z", allocator)) {
      before.append(more).close();
      MergeResult result =
          merge(upsert(before).form(Form.REWRITE_COLUMNS).conflictRetries(0), "k,v", "2:7 5:7");
      assertThat(result.attempts()).isOne();
    }
    try (Dataset dataset = open()) {
      assertThat(dataset.version()).isEqualTo(3);
      assertThat(
              text(
                  dataset
                      .scan()
                      .select("k", "v", "_rowid", "_row_last_updated_at_version")
                      .where("k IN (1, 2, 5, 6)")
                      .open()))
          .containsExactly("1:1:0:1", "2:7:1:3", "5:7:4:3", "6:1:5:1");
    }
  }

  @Test
  void aKeyThatWasDeletedIsInsertedAgainByAMergeOfSomeColumns() {
    create(false).close();
    try (Dataset dataset = open()) {
      assertThat(merge(upsert(dataset), "k,v", "2:2 5:2").rowsUpdated()).isEqualTo(2);
    }
    try (Dataset dataset = open()) {
      dataset.delete("k = 5").dataset().close();
    }
    try (Dataset dataset = open()) {
      MergeResult result = merge(upsert(dataset), "k,v", "2:3 5:3");
      assertThat(result.rowsUpdated()).isOne();
      assertThat(result.rowsInserted()).isOne();
    }
    try (Dataset dataset = open()) {
      assertThat(text(dataset.scan().where("v = 3").open()))
          .containsExactlyInAnyOrder("2:3:b", "5:3:-");
    }
  }

  @Test
  void aPatchedFragmentKeepsItsDeletedRows() {
    create(true).close();
    try (Dataset dataset = open()) {
      dataset.delete("k = 2 OR k = 6").dataset().close();
    }
    try (Dataset dataset = open()) {
      merge(upsert(dataset).form(Form.REWRITE_COLUMNS), "k,v", "1:2 3:2 4:2 6:2");
    }
    try (Dataset dataset = open()) {
      assertThat(text(dataset.scan().open()))
          .containsExactlyInAnyOrder("1:2:a", "3:2:c", "4:2:d", "5:1:e", "6:2:-");
    }
  }

  @Test
  void anUncommittedMergeIsCommittedOrDiscardedByTheCaller() {
    try (Dataset dataset = create(false);
        VectorSchemaRoot source = rows("k,v,s", "5:2:E 7:2:G", allocator)) {
      MergeInsert.Uncommitted merge = upsert(dataset).uncommitted(BatchSource.of(source, null));
      assertThat(merge.counts().rowsInserted()).isOne();
      assertThat(merge.counts().rowsUpdated()).isOne();
      assertThat(folder.resolve("t/data").toFile().list()).hasSize(3);
      assertThat(table().latest().version()).isEqualTo(1);
      merge.change().discard();
      assertThat(folder.resolve("t/data").toFile().list()).hasSize(2);
      assertThat(folder.resolve("t/_deletions").toFile().list()).isNullOrEmpty();

      MergeInsert.Uncommitted again = upsert(dataset).uncommitted(BatchSource.of(source, null));
      assertThat(again.change().affectedRows()).isPresent();
      assertThat(again.change().commit().version()).isEqualTo(2);
    }
    try (Dataset dataset = open()) {
      assertThat(text(dataset.scan().where("v = 2").open()))
          .containsExactlyInAnyOrder("5:2:E", "7:2:G");
    }
  }

  @Test
  void theFilesOfAMergeWhoseSourceFailsAreRemoved() {
    try (Dataset dataset = create(true);
        VectorSchemaRoot first = rows("k,v,s", "5:2:E 7:2:G", allocator)) {
      BatchSource failing =
          BatchSource.of(
              first.getSchema(),
              new java.util.Iterator<VectorSchemaRoot>() {
                private int given;

                @Override
                public boolean hasNext() {
                  return true;
                }

                @Override
                public VectorSchemaRoot next() {
                  if (given++ == 2) {
                    throw new IllegalStateException("the source ended");
                  }
                  return first;
                }
              },
              null);
      Path spill = folder.resolve("spill");
      assertThatThrownBy(
              () ->
                  upsert(dataset).memoryBudget(1).spillDirectory(spill.toString()).execute(failing))
          .hasMessage("the source ended");
      assertThat(spill.toFile().list()).isNullOrEmpty();
      assertThat(folder.resolve("t/data").toFile().list()).hasSize(2);
    }
  }

  @Test
  void temporaryFilesAreRemoved() {
    Path spill = folder.resolve("spill");
    try (Dataset dataset = create(true)) {
      MergeResult result =
          merge(
              upsert(dataset).memoryBudget(200).spillDirectory(spill.toString()),
              "k,v,s",
              "5:2:E 7:2:G 8:2:H 1:2:A");
      assertThat(result.rowsUpdated()).isEqualTo(2);
      assertThat(spill).exists();
      assertThat(spill.toFile().list()).isEmpty();
    }
  }
}
