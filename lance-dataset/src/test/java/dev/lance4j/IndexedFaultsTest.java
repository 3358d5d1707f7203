package dev.lance4j;

import static dev.lance4j.Cells.INT32;
import static dev.lance4j.Cells.nullable;
import static dev.lance4j.Cells.row;
import static dev.lance4j.Cells.schema;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults that were reported of indices, by each kind of index. */
class IndexedFaultsTest {
  private static final Schema DAYS =
      schema(nullable("n", INT32), nullable("day", new ArrowType.Date(DateUnit.DAY)));

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  static List<ScalarIndexSpec> kinds() {
    return IndexKindsUnderTest.ofValues();
  }

  private Dataset append(Dataset dataset, int day) {
    try (Dataset before = dataset;
        VectorSchemaRoot rows =
            Cells.batch(allocator, DAYS, row(day, LocalDate.of(2026, 2, day)))) {
      return before.append(rows);
    }
  }

  private long count(Dataset dataset, String filter) {
    return IndexedScans.requireSameRows(dataset, filter, allocator);
  }

  /** Fault M65. */
  @ParameterizedTest
  @MethodSource("kinds")
  void fragmentsThatAnIndexDoesNotCoverAreNotTakenForEmpty(ScalarIndexSpec kind) {
    Dataset dataset;
    try (VectorSchemaRoot rows = Cells.batch(allocator, DAYS, row(14, LocalDate.of(2026, 2, 14)))) {
      dataset = Dataset.write(folder.resolve("t.lance").toString()).allocator(allocator).from(rows);
    }
    dataset = append(append(dataset, 15), 16);
    try (Dataset before = dataset) {
      dataset = before.createIndex("day", kind);
    }
    dataset = append(append(dataset, 17), 18);
    try (Dataset all = dataset;
        Dataset fewer = all.delete("day = date '2026-02-18'").dataset()) {
      assertThat(count(all, "day = date '2026-02-17'")).isEqualTo(1);
      assertThat(count(all, "day >= date '2026-02-16'")).isEqualTo(3);
      assertThat(fewer.countRows()).isEqualTo(4);
      assertThat(count(fewer, "day >= date '2026-02-16'")).isEqualTo(2);
    }
  }

  static Stream<Arguments> orders() {
    return kinds().stream()
        .flatMap(
            kind ->
                Stream.of("mco", "moc", "cmo", "com", "omc", "ocm", "mcomco")
                    .flatMap(
                        order ->
                            Stream.of(
                                Arguments.of(kind, order, true),
                                Arguments.of(kind, order, false))));
  }

  /** Look-ups that found nothing after a merge, a compaction and an optimisation. */
  @ParameterizedTest
  @MethodSource("orders")
  void everyRowIsFoundWhateverTheOrderOfMergesCompactionsAndOptimisations(
      ScalarIndexSpec kind, String order, boolean stableRowIds) {
    Dataset dataset;
    try (VectorSchemaRoot rows = Songs.rows(0, 60, allocator);
        Dataset plain =
            Dataset.write(folder.resolve("t.lance").toString())
                .allocator(allocator)
                .stableRowIds(stableRowIds)
                .maxRowsPerFile(12)
                .from(rows)) {
      dataset = plain.createIndex("k", kind);
    }
    int rows = 60;
    for (int i = 0; i < order.length(); i++) {
      char step = order.charAt(i);
      int newRows = rows + 10;
      UnaryOperator<Dataset> change =
          switch (step) {
            case 'm' -> before -> merge(before, newRows - 25, newRows);
            case 'c' -> before -> before.compact(CompactionOptions.defaults()).dataset();
            default -> before -> before.optimizeIndices(OptimizeOptions.defaults());
          };
      rows = step == 'm' ? newRows : rows;
      try (Dataset before = dataset) {
        dataset = change.apply(before);
      }
      assertThat(count(dataset, "k >= 0")).isEqualTo(rows);
      for (int k = 0; k < rows; k += 3) {
        assertThat(count(dataset, "k = " + k)).as("k = %s", k).isEqualTo(1);
      }
      assertThat(count(dataset, "k = " + rows)).isZero();
    }
    dataset.close();
  }

  private Dataset merge(Dataset dataset, int from, int to) {
    try (VectorSchemaRoot source = Songs.rows(from, to, allocator)) {
      return dataset
          .mergeInsert("k")
          .whenMatched(WhenMatched.updateAll())
          .whenNotMatched(WhenNotMatched.insertAll())
          .execute(source)
          .dataset();
    }
  }
}
