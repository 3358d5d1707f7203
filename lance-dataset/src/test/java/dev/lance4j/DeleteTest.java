package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.ObjectStores;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.Table;
import dev.lance4j.table.Transaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class DeleteTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("t").toString();
  }

  private Dataset open() {
    return Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
  }

  private static long delete(Dataset dataset, String predicate) {
    DeleteResult result = dataset.delete(predicate);
    result.dataset().close();
    return result.rowsDeleted();
  }

  @Test
  void leavesTheOtherRowsAndTheVersionBefore() throws Exception {
    try (Dataset before = Songs.create(uri(), 20, 10, allocator)) {
      DeleteResult result = before.delete("k IN (2, 3, 11) OR k > 90");
      try (Dataset after = result.dataset()) {
        assertThat(result.rowsDeleted()).isEqualTo(3);
        assertThat(after.version()).isEqualTo(2);
        assertThat(after.countRows()).isEqualTo(17);
        assertThat(Songs.column(after.scan().where("k < 13").open(), "k"))
            .containsExactly(0L, 1L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 12L);
        assertThat(before.countRows()).isEqualTo(20);
      }
    }
  }

  @Test
  void dropsFragmentsThatKeepNoRow() throws Exception {
    try (Dataset before = Songs.create(uri(), 20, 5, allocator)) {
      assertThat(delete(before, "k = 6")).isEqualTo(1);
      try (Dataset second = before.latest()) {
        assertThat(delete(second, "k >= 5 AND k < 12")).isEqualTo(6);
        try (Dataset third = second.latest()) {
          assertThat(third.fragments()).hasSize(3);
          assertThat(third.countRows()).isEqualTo(13);
          assertThat(Songs.count(third.scan().open())).isEqualTo(13);
        }
      }
    }
  }

  @Test
  void makesNoVersionWhenNothingMatches() {
    try (Dataset dataset = Songs.create(uri(), 3, 5, allocator)) {
      assertThat(delete(dataset, "k > 100")).isZero();
      assertThat(dataset.versions()).hasSize(1);
      assertThatThrownBy(() -> dataset.delete("nothing = 1"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("nothing");
    }
  }

  private static Operation.Delete operation(Dataset dataset) {
    Table table = Table.at(ObjectStores.resolve(dataset.uri()));
    return (Operation.Delete)
        table.version(dataset.version()).transaction().orElseThrow().operation();
  }

  private static List<String> deletionFiles(Path table) throws IOException {
    Path directory = table.resolve("_deletions");
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Cases D3 and M51: fragment ids do not start again. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "1 = 1", "k = k OR true"})
  void dropsAllFragmentsUnseenWhenAllRowsMatch(String predicate) throws Exception {
    try (Dataset before = Songs.create(uri(), 10, 5, allocator);
        Dataset holed = before.delete("k = 3").dataset();
        VectorSchemaRoot rows = Songs.rows(0, 2, allocator)) {
      DeleteResult result = holed.delete(predicate);
      try (Dataset empty = result.dataset();
          Dataset filled = empty.append(rows)) {
        assertThat(result.rowsDeleted()).isEqualTo(9);
        assertThat(empty.countRows()).isZero();
        assertThat(empty.fragments()).isEmpty();
        assertThat(empty.schema()).isEqualTo(Songs.SCHEMA);
        assertThat(operation(empty).deletedFragmentIds()).containsExactly(0L, 1L);
        assertThat(operation(empty).predicate()).isEqualTo(predicate);
        assertThat(filled.fragments().get(0).id()).isEqualTo(2);
        assertThat(deletionFiles(folder.resolve("t"))).hasSize(1);
      }
    }
  }

  @Test
  void truncatesATable() {
    try (Dataset before = Songs.create(uri(), 10, 5, allocator);
        Dataset after = before.truncate().dataset();
        Dataset again = after.truncate().dataset()) {
      assertThat(after.countRows()).isZero();
      assertThat(after.version()).isEqualTo(2);
      assertThat(again.version()).isEqualTo(2);
    }
  }

  /** Cases D1, D2 and D9: the real library makes a version each time. */
  @ParameterizedTest
  @ValueSource(strings = {"false", "1 = 2", "k > 100", "k = null", "s IS NULL"})
  void makesNoVersionForAConditionThatIsNeverTrue(String predicate) {
    try (Dataset dataset = Songs.create(uri(), 3, 5, allocator)) {
      assertThat(delete(dataset, predicate)).isZero();
      assertThat(dataset.versions()).hasSize(1);
    }
  }

  /** Case D5. */
  @Test
  void replacesTheDeletionFileUntilTheFragmentGoes() throws Exception {
    try (Dataset first = Songs.create(uri(), 6, 3, allocator)) {
      assertThat(delete(first, "k = 4")).isEqualTo(1);
      assertThat(deletionFiles(folder.resolve("t"))).hasSize(1);
      assertThat(deletionFiles(folder.resolve("t")).get(0)).startsWith("1-1-").endsWith(".arrow");
      try (Dataset second = first.latest()) {
        assertThat(second.fragments().get(1).deletedRows()).isEqualTo(1);
        assertThat(delete(second, "k = 3")).isEqualTo(1);
      }
      assertThat(deletionFiles(folder.resolve("t")).get(1)).startsWith("1-2-");
      try (Dataset third = first.latest()) {
        assertThat(third.fragments().get(1).deletedRows()).isEqualTo(2);
        assertThat(delete(third, "k = 5")).isEqualTo(1);
      }
      try (Dataset fourth = first.latest()) {
        assertThat(fourth.fragments()).hasSize(1);
        assertThat(fourth.fragments().get(0)).isEqualTo(first.fragments().get(0));
        assertThat(operation(fourth).deletedFragmentIds()).containsExactly(1L);
        assertThat(operation(fourth).updatedFragments()).isEmpty();
      }
    }
  }

  /** Cases D6 and D7. */
  @ParameterizedTest
  @CsvSource({"null,not a condition", "k + 1,not a condition", "nothing = 1,nothing", "k =,k ="})
  void refusesWhatIsNoCondition(String predicate, String message) {
    try (Dataset dataset = Songs.create(uri(), 3, 5, allocator)) {
      assertThatThrownBy(() -> dataset.delete(predicate))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(message);
      assertThat(dataset.versions()).hasSize(1);
    }
  }

  /** Case D8. */
  @Test
  void findsRowsByTheirPlaces() throws Exception {
    try (Dataset dataset = Songs.create(uri(), 6, 3, allocator)) {
      assertThat(delete(dataset, "_rowid = 1")).isEqualTo(1);
      try (Dataset second = dataset.latest()) {
        assertThat(delete(second, "_rowaddr = 4294967297")).isEqualTo(1);
      }
      try (Dataset third = dataset.latest()) {
        assertThat(Songs.column(third.scan().open(), "k")).containsExactly(0L, 2L, 3L, 5L);
      }
    }
  }

  /** Cases D11, D12 and D14: from one version, the rows of both are gone. */
  @Test
  void goesWithOtherDeletesThatReadTheSameVersion() throws Exception {
    try (Dataset first = Songs.create(uri(), 12, 4, allocator)) {
      assertThat(delete(first, "k = 4")).isEqualTo(1);
      assertThat(delete(first, "k = 5")).isEqualTo(1);
      assertThat(delete(first, "k IN (4, 6)")).isEqualTo(1);
      assertThat(delete(first, "k = 7")).isEqualTo(1);
      assertThat(delete(first, "k = 7")).isZero();
      try (Dataset last = first.latest()) {
        assertThat(last.version()).isEqualTo(5);
        assertThat(last.fragments()).extracting(FragmentMetadata::id).containsExactly(0L, 2L);
        assertThat(last.countRows()).isEqualTo(8);
      }
    }
    // One for each version that has the fragment with deleted rows, none of those that lost.
    assertThat(deletionFiles(folder.resolve("t"))).hasSize(3);
  }

  /** Case D15. */
  @Test
  void everythingGoesAlsoWhenOthersDeletedSomeOfItMeanwhile() {
    try (Dataset first = Songs.create(uri(), 12, 4, allocator)) {
      assertThat(delete(first, "k = 4")).isEqualTo(1);
      DeleteResult result = first.truncate();
      try (Dataset after = result.dataset()) {
        assertThat(result.rowsDeleted()).isEqualTo(11);
        assertThat(after.countRows()).isZero();
      }
    }
  }

  @Test
  void rowsThatAreAppendedMeanwhileStay() {
    try (Dataset first = Songs.create(uri(), 4, 4, allocator);
        VectorSchemaRoot rows = Songs.rows(0, 2, allocator)) {
      first.append(rows).close();
      try (Dataset after = first.truncate().dataset()) {
        assertThat(after.countRows()).isEqualTo(2);
      }
    }
  }

  /** Case D16. */
  @Test
  void doesNotFollowAnOverwrite() throws Exception {
    try (Dataset first = Songs.create(uri(), 4, 4, allocator);
        VectorSchemaRoot rows = Songs.rows(0, 2, allocator)) {
      Dataset.write(uri()).allocator(allocator).mode(WriteMode.OVERWRITE).from(rows).close();

      assertThatThrownBy(() -> first.delete("k = 1"))
          .isInstanceOfSatisfying(
              CommitConflictException.class, e -> assertThat(e.isRetryable()).isFalse())
          .hasMessageContaining(
              "This Delete transaction is incompatible with concurrent transaction Overwrite at"
                  + " version 2");
    }
    assertThat(deletionFiles(folder.resolve("t"))).isEmpty();
  }

  /** Case D13, with entries of indices that have no files. */
  @Test
  void anIndexOfAllDeletedRowsStaysOnlyIfItIsScalar() {
    try (Dataset first = Songs.create(uri(), 4, 2, allocator)) {
      Table table = Table.at(ObjectStores.resolve(first.uri()));
      new Committer(table, CommitOptions.DEFAULT)
          .commit(
              table.latest(),
              Transaction.of(
                  1,
                  new Operation.CreateIndex(
                      List.of(index("b", "BTreeIndexDetails"), index("v", "VectorIndexDetails")),
                      List.of())));
      try (Dataset second = first.latest();
          Dataset third = second.truncate().dataset()) {
        List<IndexMetadata> left = table.version(third.version()).indices();
        assertThat(left).extracting(IndexMetadata::name).containsExactly("b");
        assertThat(left.get(0).fragments().orElseThrow().toArray()).containsExactly(0, 1);
      }
    }
  }

  private static IndexMetadata index(String name, String details) {
    return new IndexMetadata(
            UUID.randomUUID(),
            List.of(0),
            name,
            1,
            ByteString.EMPTY,
            Optional.of(new IndexDetails("/lance.table." + details, ByteString.EMPTY)),
            OptionalInt.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            List.of(),
            UnknownFieldSet.getDefaultInstance())
        .withFragments(RoaringBitmap.bitmapOf(0, 1));
  }

  @Test
  void startsOverWhenOthersDeleteFromTheSameFragment() throws Exception {
    int writers = 4;
    Songs.create(uri(), 200, 200, allocator).close();
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        String predicate = "k % 10 = " + w;
        tasks.add(
            () -> {
              try (Dataset dataset = open()) {
                return delete(dataset, predicate);
              }
            });
      }
      for (Future<Long> rows : executor.invokeAll(tasks)) {
        assertThat(rows.get()).isEqualTo(20);
      }
    } finally {
      executor.shutdownNow();
    }
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows()).isEqualTo(200 - 20L * writers);
      assertThat(dataset.countRows("k % 10 < 4")).isZero();
    }
  }
}
