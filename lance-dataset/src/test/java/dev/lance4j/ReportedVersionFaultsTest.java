package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.StoreLocation;
import dev.lance4j.format.testing.UnconditionalObjectStore;
import dev.lance4j.format.testing.UnconditionalObjectStore.Manner;
import dev.lance4j.table.CleanupPolicy;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.Transaction;
import dev.lance4j.table.VersionSummary;
import dev.lance4j.write.ColumnChange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
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
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that users of such libraries reported, as far as they concern commits and versions. */
class ReportedVersionFaultsTest {
  private static final String PATH = "tables/songs.lance";

  private final BufferAllocator allocator = new RootAllocator();
  private final ObjectStore store = new MemoryObjectStore();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private WriteBuilder write(WriteMode mode) {
    return Dataset.write(PATH).mode(mode).store(store).allocator(allocator);
  }

  private Dataset open(ObjectStore through) {
    return Dataset.open(PATH, OpenOptions.builder().store(through).allocator(allocator).build());
  }

  private void create(int start, int end) {
    try (VectorSchemaRoot rows = Songs.rows(start, end, allocator)) {
      write(WriteMode.CREATE).from(rows).close();
    }
  }

  private void overwrite(int start, int end) {
    try (VectorSchemaRoot rows = Songs.rows(start, end, allocator)) {
      write(WriteMode.OVERWRITE).from(rows).close();
    }
  }

  private Dataset append(Dataset dataset, int start, int end) {
    try (VectorSchemaRoot rows = Songs.rows(start, end, allocator)) {
      return dataset.append(rows);
    }
  }

  private Set<String> files(String directory) {
    Set<String> files = new TreeSet<>();
    store.walk(PATH + directory, object -> files.add(object.path()));
    return files;
  }

  private static List<Object> keys(Dataset dataset) throws Exception {
    return Songs.column(dataset.scan().open(), "k");
  }

  private Operation index() {
    IndexMetadata index =
        new IndexMetadata(
            new UUID(1, 2),
            List.of(0),
            "k_idx",
            1,
            ByteString.EMPTY,
            Optional.empty(),
            OptionalInt.of(0),
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(),
            UnknownFieldSet.getDefaultInstance());
    return new Operation.CreateIndex(List.of(index), List.of());
  }

  /** An index is built while somebody else replaces the rows. */
  @Test
  void anIndexOverRowsThatWereOverwrittenIsNotCommitted() {
    create(0, 10);
    overwrite(100, 110);

    assertThatThrownBy(
            () -> Dataset.commit(PATH).store(store).allocator(allocator).execute(index(), 1))
        .isInstanceOfSatisfying(
            CommitConflictException.class, e -> assertThat(e.isRetryable()).isFalse())
        .hasMessageContaining("incompatible");

    Table table = Table.at(new StoreLocation(store, PATH, PATH));
    assertThat(table.latest().version()).isEqualTo(2);
    assertThat(table.latest().indices()).isEmpty();
  }

  /** The store has no put-if-absent: one of two writers would undo what the other commits. */
  @ParameterizedTest
  @EnumSource(names = {"DECLINES", "DECLINES_LATE"})
  void nothingIsWrittenWhereItCannotBeCommitted(Manner manner) throws Exception {
    ObjectStore unfit = new UnconditionalObjectStore(store, manner);
    try (VectorSchemaRoot rows = Songs.rows(0, 10, allocator)) {
      assertRefused(() -> Dataset.write(PATH).store(unfit).allocator(allocator).from(rows).close());
      assertThat(files("")).isEmpty();
      create(0, 10);
      Set<String> before = files("");
      try (Dataset dataset = open(unfit)) {
        assertRefused(() -> dataset.append(rows).close());
        assertRefused(() -> dataset.delete("k = 1").dataset().close());
        assertRefused(() -> dataset.update().set("k", "k + 1").execute().dataset().close());
        assertRefused(() -> dataset.mergeInsert("k").execute(rows).dataset().close());
        assertRefused(() -> dataset.addColumns(Map.of("twice", "2 * k")).close());
        assertRefused(
            () -> dataset.alterColumns(ColumnChange.cast("k", new ArrowType.Int(32, true))));
        assertRefused(() -> dataset.updateConfig(Map.of("a", "b")).close());
        assertRefused(dataset::restore);
        assertRefused(() -> dataset.shallowClone("elsewhere"));
        assertThat(keys(dataset)).hasSize(10);
      }
      assertThat(files("")).isEqualTo(before);
    }
  }

  private static void assertRefused(ThrowingCallable change) {
    assertThatThrownBy(change).isInstanceOf(UnsupportedFormatException.class);
  }

  /** The handle stays at the old number after a restore, and cannot be written to. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsRestoredGoesOnAsTheNewestVersion(boolean stableRowIds) throws Exception {
    try (VectorSchemaRoot rows = Songs.rows(0, 3, allocator)) {
      write(WriteMode.CREATE).stableRowIds(stableRowIds).from(rows).close();
    }
    try (Dataset first = open(store);
        Dataset second = append(first, 3, 5);
        Dataset old = second.checkout(1);
        Dataset third = old.restore();
        Dataset fourth = append(third, 5, 6)) {
      assertThat(third.version()).isEqualTo(3);
      assertThat(keys(third)).containsExactly(0L, 1L, 2L);
      assertThat(fourth.version()).isEqualTo(4);
      assertThat(keys(fourth)).containsExactly(0L, 1L, 2L, 5L);
      try (Dataset again = fourth.checkout(2)) {
        assertThat(keys(again)).containsExactly(0L, 1L, 2L, 3L, 4L);
      }
      assertThat(fourth.fragments()).extracting(FragmentMetadata::id).containsExactly(0L, 2L);
      List<Object> ids = Songs.column(fourth.scan().withRowId().open(), "_rowid");
      assertThat(ids).doesNotContainAnyElementsOf(idsAfterThird(second));
    }
  }

  private static List<Object> idsAfterThird(Dataset second) throws Exception {
    return Songs.column(second.scan().where("k >= 3").withRowId().open(), "_rowid");
  }

  /** A branch is deleted although a tag points into it. */
  @Test
  void aBranchThatATagPointsIntoIsNotDeleted() throws Exception {
    create(0, 3);
    try (Dataset main = open(store)) {
      main.branches().create("dev", 1);
      try (Dataset dev = main.checkout("dev");
          Dataset more = append(dev, 3, 5)) {
        more.tags().create("keep", more.version());
      }

      assertThatThrownBy(() -> main.branches().delete("dev"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("keep");
      assertThat(main.tags().list()).hasSize(1);
      try (Dataset kept = main.checkout("keep")) {
        assertThat(keys(kept)).containsExactly(0L, 1L, 2L, 3L, 4L);
      }

      main.tags().delete("keep");
      main.branches().delete("dev");
      assertThat(main.branches().list()).isEmpty();
      assertThat(files("/tree")).isEmpty();
    }
  }

  /** A tag on an old version keeps later garbage from being found. */
  @Test
  void anOldTagHidesNoGarbage() throws Exception {
    create(0, 3);
    try (Dataset first = open(store)) {
      first.tags().create("t", 1);
    }
    for (int i = 1; i <= 3; i++) {
      overwrite(10 * i, 10 * i + 4);
    }
    try (Dataset newest = open(store)) {
      newest.cleanup(
          CleanupPolicy.builder().deleteUnverified(true).errorIfTaggedOldVersions(false).build());

      assertThat(newest.versions()).extracting(VersionSummary::id).containsExactly(1L, 4L);
      assertThat(keys(newest)).containsExactly(30L, 31L, 32L, 33L);
      assertThat(files("/_transactions")).hasSize(2);
      try (Dataset tagged = newest.checkout("t")) {
        assertThat(keys(tagged)).containsExactly(0L, 1L, 2L);
        Set<String> needed = new TreeSet<>();
        for (Dataset dataset : List.of(tagged, newest)) {
          needed.add(PATH + "/data/" + dataset.fragments().get(0).files().get(0).path());
        }
        assertThat(files("/data")).isEqualTo(needed);
      }
    }
  }

  /** Deletion files stay referred to, or on disk, after their rows were written anew. */
  @Test
  void noDeletionFileOutlivesTheRowsThatItIsFor() throws Exception {
    try (VectorSchemaRoot rows = Songs.rows(0, 20, allocator)) {
      write(WriteMode.CREATE).maxRowsPerFile(5).from(rows).close();
    }
    try (Dataset dataset = open(store);
        Dataset deleted = dataset.delete("k % 5 = 2").dataset();
        VectorSchemaRoot left = left(deleted)) {
      assertThat(files("/_deletions")).hasSize(4);
      List<FragmentMetadata> anew =
          FragmentWriter.to(PATH, Songs.SCHEMA).store(store).allocator(allocator).write(left);
      Operation rewrite =
          new Operation.Rewrite(
              List.of(new Operation.RewriteGroup(deleted.fragments(), anew)), List.of());
      try (Dataset next =
          Dataset.commit(PATH).store(store).allocator(allocator).execute(rewrite, 2)) {
        next.cleanup(CleanupPolicy.builder().build());

        assertThat(files("/_deletions")).isEmpty();
        assertThat(next.fragments()).allMatch(f -> f.deletionFile().isEmpty());
        assertThat(keys(next)).hasSize(16).doesNotContain(2L, 7L, 12L, 17L);
      }
    }
  }

  private VectorSchemaRoot left(Dataset dataset) throws Exception {
    List<Object> keys = keys(dataset);
    VectorSchemaRoot root = Songs.rows(0, keys.size(), allocator);
    for (int i = 0; i < keys.size(); i++) {
      ((BigIntVector) root.getVector("k")).set(i, (Long) keys.get(i));
    }
    return root;
  }

  /** What is shipped to workers grows with the table: a plan of 8,354 tasks has 13 GB. */
  @Test
  void whatIsShippedDoesNotGrowWithTheTable() throws Exception {
    int fragments = 2_000;
    try (VectorSchemaRoot rows = Songs.rows(0, fragments, allocator)) {
      write(WriteMode.CREATE).maxRowsPerFile(1).from(rows).close();
    }
    try (Dataset dataset = open(store);
        Dataset deleted = dataset.delete("k = 7").dataset()) {
      assertThat(deleted.fragments()).hasSize(fragments - 1);
      for (FragmentMetadata fragment : deleted.fragments()) {
        assertThat(bytes(fragment)).isLessThan(4_000);
        assertThat(fragment.toJson()).hasSizeLessThan(1_000);
      }
      Transaction append =
          Transaction.of(2, Operation.append(List.of(deleted.fragments().get(fragments - 2))));
      assertThat(bytes(append)).isLessThan(6_000);
      assertThat(append.toJson()).hasSizeLessThan(2_000);
    }
  }

  private static int bytes(Object shipped) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
      objects.writeObject(shipped);
    }
    return bytes.size();
  }
}
