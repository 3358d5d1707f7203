package dev.lance4j;

import static dev.lance4j.Cells.INT32;
import static dev.lance4j.Cells.UTF8;
import static dev.lance4j.Cells.nullable;
import static dev.lance4j.Cells.row;
import static dev.lance4j.Cells.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.write.MergeOptions;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Merges of few rows into large tables, which find their rows by an index on the key. */
class MergeByIndexTest {
  private static final String PATH = "table";
  private static final int ROWS = 6_000;
  private static final int ROWS_PER_FRAGMENT = 1_000;
  private static final Schema SCHEMA =
      schema(nullable("a", INT32), nullable("b", UTF8), nullable("v", INT32));

  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private MemoryObjectStore table(boolean stableRowIds) {
    MemoryObjectStore store = new MemoryObjectStore();
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(row(i % 97 == 0 ? null : i, "b" + i / 2, i));
    }
    try (VectorSchemaRoot batch = Cells.batch(allocator, SCHEMA, rows)) {
      Dataset.write(PATH)
          .store(store)
          .allocator(allocator)
          .stableRowIds(stableRowIds)
          .maxRowsPerFile(ROWS_PER_FRAGMENT)
          .from(batch)
          .close();
    }
    return store;
  }

  private Dataset open(MemoryObjectStore store) {
    return Dataset.open(PATH, OpenOptions.builder().store(store).allocator(allocator).build());
  }

  private void index(MemoryObjectStore store, String column) {
    try (Dataset dataset = open(store)) {
      dataset.createIndex(column, ScalarIndexSpec.btree()).close();
    }
  }

  private MergeResult merge(
      Dataset dataset, MergeOptions.Form form, List<List<Object>> rows, String... keys) {
    try (VectorSchemaRoot source = Cells.batch(allocator, SCHEMA, rows)) {
      return dataset
          .mergeInsert(keys)
          .form(form)
          .whenMatched(WhenMatched.updateAll())
          .whenNotMatched(WhenNotMatched.insertAll())
          .execute(source);
    }
  }

  @Test
  void fragmentsWithoutAKeyOfTheSourceAreNotRead() {
    MemoryObjectStore store = table(false);
    index(store, "a");
    try (Dataset dataset = open(store)) {
      List<String> files = new ArrayList<>();
      dataset.fragments().forEach(each -> files.add(each.files().get(0).path()));
      files.subList(1, files.size()).forEach(file -> store.delete(PATH + "/data/" + file));
      MergeResult result =
          merge(
              dataset,
              MergeOptions.Form.REWRITE_ROWS,
              List.of(row(5, "x", -1), row(70_000, "y", -2), row(null, "z", -3)),
              "a");
      result.dataset().close();
      assertThat(result.rowsUpdated()).isEqualTo(1);
      assertThat(result.rowsInserted()).isEqualTo(2);
    }
  }

  @Test
  void aDamagedIndexIsAnError() {
    MemoryObjectStore store = table(false);
    index(store, "a");
    List<String> files = new ArrayList<>();
    store.walk(PATH + "/_indices", object -> files.add(object.path()));
    files.forEach(store::delete);
    try (Dataset dataset = open(store)) {
      assertThatThrownBy(
              () -> merge(dataset, MergeOptions.Form.REWRITE_ROWS, List.of(row(5, "x", -1)), "a"))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("index 'a_idx' is damaged");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void mergesDoTheSameWithAnIndexAndWithout(long seed) {
    boolean stable = seed % 2 == 0;
    MemoryObjectStore plain = table(stable);
    MemoryObjectStore indexed = table(stable);
    index(indexed, "a");
    index(indexed, "b");
    Random random = new Random(seed);
    for (int i = 0; i < 6; i++) {
      List<List<Object>> rows = new ArrayList<>();
      for (int n = random.nextInt(5); n >= 0; n--) {
        int key = random.nextInt(ROWS + 200);
        rows.add(row(n == 3 ? null : key + n * 1000, "b" + key / 2, -1 - random.nextInt(99)));
      }
      MergeOptions.Form form =
          random.nextBoolean() ? MergeOptions.Form.REWRITE_ROWS : MergeOptions.Form.REWRITE_COLUMNS;
      String[] keys = random.nextBoolean() ? new String[] {"a"} : new String[] {"a", "b"};
      assertThat(counts(indexed, form, rows, keys)).isEqualTo(counts(plain, form, rows, keys));
      int deleted = random.nextInt(ROWS);
      try (Dataset one = open(indexed);
          Dataset other = open(plain)) {
        one.delete("a = " + deleted).dataset().close();
        other.delete("a = " + deleted).dataset().close();
      }
    }
    try (Dataset one = open(indexed);
        Dataset other = open(plain)) {
      assertThat(Cells.rows(one)).isEqualTo(Cells.rows(other));
    }
  }

  private List<Long> counts(
      MemoryObjectStore store, MergeOptions.Form form, List<List<Object>> rows, String... keys) {
    try (Dataset dataset = open(store)) {
      MergeResult result = merge(dataset, form, rows, keys);
      result.dataset().close();
      return List.of(result.rowsUpdated(), result.rowsInserted(), result.rowsDeleted());
    }
  }
}
