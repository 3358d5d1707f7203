package dev.lance4j;

import static dev.lance4j.Cells.INT32;
import static dev.lance4j.Cells.nullable;
import static dev.lance4j.Cells.row;
import static dev.lance4j.Cells.rows;
import static dev.lance4j.Cells.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits, counts and takes that users of the real library and its connectors reported as wrong. */
class ReadFaultsTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("t").toString();
  }

  private static List<Object> numbers(long from, long count) {
    List<Object> numbers = new ArrayList<>();
    LongStream.range(from, from + count).forEach(numbers::add);
    return numbers;
  }

  /** Fault M39. */
  @Test
  void limitsAndOffsetsAreOfTheWholeTableAndCountsObeyThem() throws Exception {
    try (Dataset dataset = Songs.create(uri(), 1_700, 100, allocator)) {
      Scan all = dataset.scan();
      for (Scan scan : List.of(all, all.where("k >= 0"), all.orderBy(Ordering.asc("k")))) {
        assertWindow(scan.limit(10), 0, 10);
        assertWindow(scan.limit(0), 0, 0);
        assertWindow(scan.offset(100).limit(100), 100, 100);
        assertWindow(scan.offset(1_695).limit(10), 1_695, 5);
        assertWindow(scan.offset(9_999), 9_999, 0);
        assertWindow(scan.offset(3).limit(0), 3, 0);
      }
    }
  }

  private static void assertWindow(Scan scan, long from, long count) throws Exception {
    assertThat(Songs.column(scan.open(), "k")).isEqualTo(numbers(from, count));
    assertThat(scan.count()).isEqualTo(count);
  }

  /** Fault M40. */
  @ParameterizedTest
  @EnumSource
  void countsAreOfTheRowsThatFulfilTheCondition(Preparation preparation) {
    try (VectorSchemaRoot ages =
            Cells.batch(
                allocator,
                schema(nullable("age", INT32)),
                row(25),
                row(30),
                row(35),
                row(40),
                row(45));
        Dataset before = preparation.create(uri(), ages, allocator, "age");
        Dataset dataset = before.delete("age = 45").dataset()) {
      assertThat(dataset.countRows("age >= 35")).isEqualTo(2);
      assertThat(dataset.scan().where("age >= 35").count()).isEqualTo(2);
      assertThat(dataset.countRows()).isEqualTo(4);
    }
  }

  /** Fault M41. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void projectionsWithoutColumnsLeaveDeletedRowsOut(boolean stable) throws Exception {
    try (VectorSchemaRoot songs = Songs.rows(0, 10, allocator);
        Dataset made =
            Dataset.write(uri())
                .allocator(allocator)
                .stableRowIds(stable)
                .maxRowsPerFile(5)
                .from(songs);
        Dataset wider = made.addColumns(schema(nullable("nothing", INT32)));
        Dataset dataset = wider.delete("k IN (0, 4, 7)").dataset()) {
      long second = stable ? 5 : 1L << 32;
      assertThat(Songs.column(dataset.scan().select().withRowId().open(), "_rowid"))
          .containsExactly(1L, 2L, 3L, second, second + 1, second + 3, second + 4);
      assertThat(Songs.column(dataset.scan().select().withRowAddress().open(), "_rowaddr"))
          .hasSize(7);
      assertThat(Songs.count(dataset.scan().select().open())).isEqualTo(7);
      assertThat(Songs.column(dataset.scan().select("nothing").open(), "nothing"))
          .hasSize(7)
          .containsOnlyNulls();
    }
  }

  /** Fault M42. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void takesKeepOrderAndRepeatsAndLeaveDeletedRowsOut(boolean stable) throws Exception {
    try (VectorSchemaRoot songs = Songs.rows(0, 20, allocator);
        Dataset made =
            Dataset.write(uri())
                .allocator(allocator)
                .stableRowIds(stable)
                .maxRowsPerFile(10)
                .from(songs);
        Dataset dataset = made.delete("k IN (2, 3, 11)").dataset()) {
      assertThat(Songs.column(dataset.take(new long[] {0, 2, 7}, "k"), "k"))
          .containsExactly(0L, 4L, 9L);
      assertThat(Songs.column(dataset.take(new long[] {16, 0, 16, 8}, "k"), "k"))
          .containsExactly(19L, 0L, 19L, 10L);
      assertThatThrownBy(() -> dataset.take(new long[] {17}))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("17");
      long[] ids =
          Songs.column(made.scan().select().withRowId().open(), "_rowid").stream()
              .mapToLong(id -> (long) id)
              .toArray();
      long[] some = {ids[19], ids[2], ids[11], ids[0], ids[19], ids[3]};
      assertThat(Songs.column(dataset.takeRows(some, "k"), "k")).containsExactly(19L, 0L, 19L);
      assertThat(rows(dataset.takeRows(ids, "k"))).hasSize(17);
    }
  }
}
