package dev.lance4j;

import static dev.lance4j.MergeTables.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.write.WhenMatched;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Deletes and merges that users of the real library and its connectors reported as wrong. Those
 * that concern writers at the same time are in {@link MergeConflictTest}, columns that are joined
 * with misses in {@link JoinedTypesTest}.
 */
class ChangeFaultsTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("t").toString();
  }

  private Dataset create(Preparation preparation, String columns, String rows) {
    try (VectorSchemaRoot batch = MergeTables.rows(columns, rows, allocator)) {
      return preparation.create(uri(), batch, allocator, columns.split(",", -1));
    }
  }

  private MergeResult merge(Dataset dataset, String columns, String rows) {
    try (VectorSchemaRoot source = MergeTables.rows(columns, rows, allocator)) {
      return dataset.mergeInsert("k").whenMatched(WhenMatched.updateAll()).execute(source);
    }
  }

  private static String hundred() {
    return IntStream.range(0, 100)
        .mapToObj(i -> i + ":" + i + ":" + i)
        .collect(Collectors.joining(" "));
  }

  /** Fault M44. */
  @ParameterizedTest
  @EnumSource
  void theNewValueIsFoundAndTheOldOneNot(Preparation preparation) {
    try (Dataset dataset = create(preparation, "k,x,y", hundred());
        Dataset some = merge(dataset, "k,x", "0:1000").dataset();
        Dataset whole = merge(some, "k,x,y", "1:1001:1").dataset()) {
      for (Dataset after : List.of(some, whole)) {
        assertThat(text(after.scan().where("x = 1000").open())).containsExactly("0:1000:0");
        assertThat(after.countRows("x = 0")).isZero();
        assertThat(after.countRows()).isEqualTo(100);
      }
      assertThat(text(whole.scan().where("x = 1001").open())).containsExactly("1:1001:1");
      assertThat(whole.countRows("x = 1")).isZero();
    }
  }

  /** Fault M46. */
  @ParameterizedTest
  @EnumSource
  void asManyRowsChangeAsAreReported(Preparation preparation) {
    try (Dataset dataset = create(preparation, "k,v,s", "1:1:a 2:1:b 3:1:c 4:1:d");
        Dataset first = merged(dataset, "k,v", "2:2 3:2 4:2", 3, 0);
        Dataset holed = first.delete("k = 3").dataset();
        Dataset second = merged(holed, "k,v", "2:5 3:5 4:5", 2, 1)) {
      assertThat(first.countRows("v = 2")).isEqualTo(3);
      assertThat(text(second.scan().where("v = 5").open()))
          .containsExactlyInAnyOrder("2:5:b", "3:5:-", "4:5:d");
      assertThat(second.countRows()).isEqualTo(4);
    }
  }

  private Dataset merged(
      Dataset dataset, String columns, String rows, long updated, long inserted) {
    MergeResult result = merge(dataset, columns, rows);
    assertThat(result.rowsUpdated()).isEqualTo(updated);
    assertThat(result.rowsInserted()).isEqualTo(inserted);
    return result.dataset();
  }

  /** Fault M51. */
  @ParameterizedTest
  @EnumSource
  void rowsThatFollowADeletionOfAllAreNotTakenForTheOldOnes(Preparation preparation)
      throws Exception {
    try (VectorSchemaRoot old = Songs.rows(0, 10, allocator);
        VectorSchemaRoot others = Songs.rows(100, 120, allocator);
        Dataset dataset = preparation.create(uri(), old, allocator, "k");
        Dataset empty = dataset.delete("true").dataset();
        Dataset filled = empty.append(others)) {
      long last = dataset.fragments().stream().mapToLong(FragmentMetadata::id).max().orElseThrow();
      assertThat(empty.fragments()).isEmpty();
      assertThat(filled.fragments()).extracting(FragmentMetadata::id).allMatch(id -> id > last);
      for (int k = 0; k < 20; k++) {
        assertThat(filled.countRows("k = " + k)).isZero();
        assertThat(Songs.column(filled.scan().where("k = " + (100 + k)).open(), "s"))
            .containsExactly("song " + (100 + k));
      }
      long[] ids =
          Songs.column(dataset.scan().select().withRowId().open(), "_rowid").stream()
              .mapToLong(id -> (long) id)
              .toArray();
      assertThat(Songs.count(filled.takeRows(ids))).isZero();
    }
  }

  /** Fault M52. */
  @ParameterizedTest
  @EnumSource
  void oneDeletionFollowsAnother(Preparation preparation) throws Exception {
    try (VectorSchemaRoot songs = Songs.rows(0, 20, allocator);
        Dataset all = preparation.create(uri(), songs, allocator, "k");
        Dataset first = all.delete("k = 3").dataset();
        Dataset second = first.delete("k IN (4, 13)").dataset();
        Dataset third = second.delete("k >= 15").dataset()) {
      assertThat(all.countRows()).isEqualTo(20);
      assertThat(first.countRows()).isEqualTo(19);
      assertThat(second.countRows()).isEqualTo(17);
      assertThat(Songs.column(third.scan().open(), "k"))
          .containsExactly(0L, 1L, 2L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 14L);
    }
  }

  /** Fault M53. */
  @ParameterizedTest
  @CsvSource({"10", "3 11", "-1"})
  void placesThatAFragmentDoesNotHaveAreNotDeleted(String offsets) throws Exception {
    int[] places = List.of(offsets.split(" ")).stream().mapToInt(Integer::parseInt).toArray();
    try (Dataset dataset = Songs.create(uri(), 10, 10, allocator)) {
      assertThatThrownBy(() -> Deletions.delete(uri(), 0, places))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("10");
      try (Dataset latest = dataset.latest()) {
        assertThat(latest.version()).isEqualTo(1);
        assertThat(Songs.count(latest.scan().open())).isEqualTo(10);
      }
    }
  }

  /** Fault M53: there is no deletion file that deletes nothing. */
  @Test
  void deletingNoPlacesChangesNothing() throws Exception {
    try (Dataset dataset = Songs.create(uri(), 10, 10, allocator)) {
      assertThatThrownBy(() -> Deletions.delete(uri(), 0))
          .isInstanceOf(InvalidInputException.class);
      try (Dataset latest = dataset.latest()) {
        assertThat(latest.version()).isEqualTo(1);
        assertThat(Songs.count(latest.scan().open())).isEqualTo(10);
      }
    }
  }
}
