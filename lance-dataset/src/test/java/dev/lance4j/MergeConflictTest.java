package dev.lance4j;

import static dev.lance4j.MergeTables.rows;
import static dev.lance4j.MergeTables.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.TooMuchContentionException;
import dev.lance4j.write.MergeOptions.Form;
import dev.lance4j.write.WhenMatched;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Merges of a version that is not the newest any more. */
class MergeConflictTest {
  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final Schema KEYED =
      new Schema(
          List.of(
              new Field(
                  "k",
                  new FieldType(
                      false, INT32, null, Map.of("lance-schema:unenforced-primary-key", "true")),
                  null),
              Field.nullable("v", INT32)));

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;
  private Dataset keyed;
  private Dataset plain;

  @BeforeEach
  void create() {
    try (VectorSchemaRoot with = rows(KEYED, "1:1 2:1 3:1", allocator);
        VectorSchemaRoot without = rows("k,v", "1:1 2:1 3:1", allocator)) {
      keyed = Dataset.write(uri("keyed")).allocator(allocator).from(with);
      plain = Dataset.write(uri("plain")).allocator(allocator).from(without);
    }
  }

  @AfterEach
  void nothingIsLeaked() {
    keyed.close();
    plain.close();
    allocator.close();
  }

  private String uri(String name) {
    return folder.resolve(name).toString();
  }

  private MergeResult merge(MergeInsertBuilder merge, String rows) {
    try (VectorSchemaRoot source = rows("k,v", rows, allocator)) {
      MergeResult result = merge.whenMatched(WhenMatched.updateAll()).execute(source);
      result.dataset().close();
      return result;
    }
  }

  private static List<String> content(Dataset dataset) {
    try (Dataset latest = dataset.latest()) {
      return text(latest.scan().open());
    }
  }

  /** Reported fault M50: two writers insert the same key. */
  @Test
  void aPrimaryKeyIsNotInsertedTwice() {
    assertThat(merge(keyed.mergeInsert(), "100:1").attempts()).isOne();

    MergeResult second = merge(keyed.mergeInsert("k"), "100:2");

    assertThat(second.attempts()).isEqualTo(2);
    assertThat(second.rowsUpdated()).isOne();
    assertThat(second.rowsInserted()).isZero();
    assertThat(content(keyed)).containsExactlyInAnyOrder("1:1", "2:1", "3:1", "100:2");
  }

  @Test
  void rowsThatWereAppendedMeanwhileMayHaveThePrimaryKey() {
    try (VectorSchemaRoot more = rows(KEYED, "100:1", allocator)) {
      keyed.append(more).close();
    }
    assertThatThrownBy(() -> merge(keyed.mergeInsert("k").conflictRetries(0), "100:2"))
        .isInstanceOf(TooMuchContentionException.class)
        .hasMessageContaining("Attempted 0 retries");
    MergeResult result = merge(keyed.mergeInsert("k"), "100:2");
    assertThat(result.attempts()).isEqualTo(2);
    assertThat(content(keyed)).containsExactlyInAnyOrder("1:1", "2:1", "3:1", "100:2");
  }

  @Test
  void aDeletionOfAnotherRowIsNoConflictForAPrimaryKey() {
    keyed.delete("k = 1").dataset().close();
    assertThat(merge(keyed.mergeInsert("k").conflictRetries(0), "2:2 100:2").attempts()).isOne();
    assertThat(content(keyed)).containsExactlyInAnyOrder("2:2", "3:1", "100:2");
  }

  /** Reported fault M50. */
  @Test
  void withoutAPrimaryKeyTheSameKeyIsInsertedTwiceUnlessInsertsAreGuarded() {
    merge(plain.mergeInsert("k"), "100:1");
    assertThat(merge(plain.mergeInsert("k"), "100:2").attempts()).isOne();
    assertThat(content(plain)).contains("100:1", "100:2");

    MergeResult guarded = merge(plain.mergeInsert("k").guardInserts(true), "100:3");
    assertThat(guarded.attempts()).isEqualTo(2);
    assertThat(guarded.rowsUpdated()).isEqualTo(2);
  }

  @Test
  void updatesOfTheSameRowAreAConflict() {
    merge(plain.mergeInsert("k"), "2:2");
    assertThatThrownBy(() -> merge(plain.mergeInsert("k").conflictRetries(0), "2:3"))
        .isInstanceOf(TooMuchContentionException.class)
        .hasMessageContaining("Attempted 0 retries");
    assertThat(folder.resolve("plain/data").toFile().list()).hasSize(2);
    assertThat(merge(plain.mergeInsert("k"), "2:3").attempts()).isEqualTo(2);
    assertThat(content(plain)).containsExactlyInAnyOrder("1:1", "2:3", "3:1");
  }

  @Test
  void updatesOfDifferentRowsOfAFragmentAreNoConflict() {
    merge(plain.mergeInsert("k"), "2:2");
    assertThat(merge(plain.mergeInsert("k").conflictRetries(0), "3:3").attempts()).isOne();
    assertThat(content(plain)).containsExactlyInAnyOrder("1:1", "2:2", "3:3");
  }

  @Test
  void anUpdateInPlaceIsInConflictWithAnyChangeOfTheFragment() {
    Field extra = Field.nullable("w", INT32);
    Schema schema = new Schema(List.of(MergeTables.field("k"), MergeTables.field("v"), extra));
    try (VectorSchemaRoot root = rows(schema, "1:1:1 2:1:1 3:1:1", allocator);
        Dataset wide = Dataset.write(uri("wide")).allocator(allocator).from(root)) {
      wide.delete("k = 1").dataset().close();
      assertThatThrownBy(
              () ->
                  merge(wide.mergeInsert("k").form(Form.REWRITE_COLUMNS).conflictRetries(0), "2:2"))
          .isInstanceOf(TooMuchContentionException.class);
      assertThat(folder.resolve("wide/data").toFile().list()).hasSize(1);
      assertThat(merge(wide.mergeInsert("k").form(Form.REWRITE_COLUMNS), "2:2").attempts())
          .isEqualTo(2);
      assertThat(content(wide)).containsExactlyInAnyOrder("2:2:1", "3:1:1");
    }
  }

  @Test
  void aRowThatWasDeletedMeanwhileIsInsertedAgain() {
    plain.delete("k = 2").dataset().close();
    MergeResult result = merge(plain.mergeInsert("k"), "2:2");
    assertThat(result.attempts()).isEqualTo(2);
    assertThat(result.rowsInserted()).isOne();
    assertThat(result.rowsUpdated()).isZero();
  }

  @Test
  void anOverwriteIsAConflictThatIsNotTriedAgain() {
    try (VectorSchemaRoot other = rows("k,v", "7:7", allocator)) {
      Dataset.write(uri("plain"))
          .allocator(allocator)
          .mode(WriteMode.OVERWRITE)
          .from(other)
          .close();
    }
    assertThatThrownBy(() -> merge(plain.mergeInsert("k"), "2:2"))
        .isInstanceOf(CommitConflictException.class)
        .hasMessageContaining("Overwrite");
    assertThat(content(plain)).containsExactly("7:7");
  }

  @Test
  void manyWritersMergeTheSameKeysAndNoneIsLostOrDoubled() throws Exception {
    int writers = 4;
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        String rows = "2:" + (10 + w) + " 50:" + w + " " + (60 + w) + ":" + w;
        tasks.add(
            () -> {
              MergeResult result = merge(keyed.mergeInsert("k").conflictRetries(50), rows);
              return result.rowsInserted();
            });
      }
      long inserted = 0;
      for (Future<Long> result : executor.invokeAll(tasks)) {
        inserted += result.get();
      }
      assertThat(inserted).isEqualTo(writers + 1);
    } finally {
      executor.shutdownNow();
    }
    assertThat(content(keyed)).hasSize(3 + 1 + writers);
    try (Dataset latest = keyed.latest()) {
      assertThat(latest.countRows("k = 50")).isOne();
      assertThat(latest.countRows("k = 2 AND v >= 10")).isOne();
    }
  }
}
