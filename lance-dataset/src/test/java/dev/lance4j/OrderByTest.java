package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.Tables;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.ScanMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OrderByTest {
  private static final int ROWS = 700;

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset create(List<Field> fields, int rows) {
    try (ArrowTable data = RandomData.table(fields, NullPattern.SOME, rows, 5, allocator)) {
      return Dataset.write(folder.resolve("t.lance").toString())
          .allocator(allocator)
          .fileVersion(FileVersion.V2_2)
          .maxRowsPerFile(300)
          .from(data.root(), data.dictionaries());
    }
  }

  static List<Field> orderable() {
    return SampleFields.of(FileVersion.V2_2).stream().filter(OrderByTest::isOrderable).toList();
  }

  private static boolean isOrderable(Field field) {
    return !(field.getType() instanceof ArrowType.Map);
  }

  /** Compares the keys of neighbours, since rows with equal keys may come in any order. */
  @ParameterizedTest
  @MethodSource("orderable")
  void ordersValuesOfEachType(Field field) {
    try (Dataset dataset = create(List.of(field), ROWS)) {
      for (boolean ascending : new boolean[] {true, false}) {
        for (boolean nullsFirst : new boolean[] {true, false}) {
          Ordering ordering = new Ordering(field.getName(), ascending, nullsFirst);
          Scan scan = dataset.scan().orderBy(ordering);
          List<Object> all = keys(scan, field);
          assertThat(all).as(ordering.toString()).hasSize(ROWS);
          assertSorted(all, field, ordering);
          assertThat(keys(scan.sortMemory(1, folder), field)).isEqualTo(all);
          Scan window = scan.offset(20).limit(100);
          assertThat(keys(window, field)).isEqualTo(all.subList(20, 120));
          assertThat(keys(window.sortMemory(1, folder), field)).isEqualTo(all.subList(20, 120));
        }
      }
    }
  }

  private List<Object> keys(Scan scan, Field field) {
    List<Object> keys = new ArrayList<>();
    Rows.drain(scan.open(), allocator).forEach(row -> keys.add(row.get(field.getName())));
    return keys;
  }

  private static void assertSorted(List<Object> keys, Field field, Ordering ordering) {
    Field plain = field.getDictionary() == null ? field : SampleFields.utf8("d");
    Comparator<Object> order = NaiveOrder.of(plain, ordering);
    for (int i = 1; i < keys.size(); i++) {
      assertThat(order.compare(keys.get(i - 1), keys.get(i)))
          .as("%s: %s before %s", ordering, keys.get(i - 1), keys.get(i))
          .isLessThanOrEqualTo(0);
    }
  }

  @Test
  void mapsHaveNoOrder() {
    Field map = SampleFields.map("m", SampleFields.utf8("key"), SampleFields.int32("value"));
    try (Dataset dataset = create(List.of(map), 10)) {
      assertThatThrownBy(() -> dataset.scan().orderBy(Ordering.asc("m")))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'m'");
    }
  }

  @Test
  void ordersByColumnsThatAreNotGivenAndByVirtualOnes() throws Exception {
    try (Dataset dataset = Songs.create(folder.resolve("s").toString(), 500, 100, allocator)) {
      Scan scan = dataset.scan().select("s").orderBy(Ordering.desc("k"));
      assertThat(Songs.column(scan.limit(3).open(), "s"))
          .containsExactly("song 499", "song 498", "song 497");
      assertThat(scan.schema().getFields()).hasSize(1);
      assertThat(Songs.column(scan.open(), "s")).hasSize(500).startsWith("song 499", "song 498");
      assertThat(Songs.column(dataset.scan().orderBy(Ordering.desc("_rowid")).limit(2).open(), "k"))
          .containsExactly(499L, 498L);
    }
  }

  @Test
  void sortsMoreThanFitsIntoMemoryInFilesThatGoAway() throws IOException {
    Path spill = Files.createDirectory(folder.resolve("spill"));
    try (Dataset dataset =
            create(List.of(SampleFields.int64("n"), SampleFields.utf8("s")), 40_000);
        ArrowTable whole =
            Tables.drain(dataset.scan().orderBy(Ordering.asc("n")).open(), allocator)) {
      Scan scan = dataset.scan().orderBy(Ordering.asc("n")).sortMemory(50_000, spill);
      ScanMetrics metrics = scan.analyze();
      assertThat(metrics.steps())
          .anySatisfy(step -> assertThat(step.spilledBytes()).isGreaterThan(300_000));
      assertThat(files(spill)).isZero();
      try (ArrowReader reader = scan.open()) {
        reader.loadNextBatch();
        assertThat(files(spill)).isPositive();
      }
      assertThat(files(spill)).isZero();
      assertThat(Rows.drain(scan.select("n").open(), allocator))
          .isEqualTo(Rows.of(Tables.select(whole, "n").root()));
    }
  }

  @Test
  void theFirstRowsNeedNoMoreMemoryThanThemselves() throws IOException {
    try (Dataset dataset =
            Songs.create(folder.resolve("s").toString(), 200_000, 200_000, allocator);
        BufferAllocator small = allocator.newChildAllocator("small", 0, 4L << 20);
        Dataset opened =
            Dataset.open(dataset.uri(), OpenOptions.builder().allocator(small).build())) {
      Scan scan = opened.scan().orderBy(Ordering.desc("s")).limit(10).readAhead(0);
      List<Object> first = new ArrayList<>();
      scan.forEachBatch(batch -> first.add(batch.getVector("s").getObject(0).toString()));
      assertThat(first).containsExactly("song 99999");
      try (ArrowReader reader = scan.open()) {
        assertThat(reader.loadNextBatch()).isTrue();
      }
    }
  }

  @Test
  void firstRowsThatAreTooLargeForTheMemoryGoToFiles() {
    try (Dataset dataset =
        Songs.create(folder.resolve("s").toString(), 50_000, 50_000, allocator)) {
      Scan scan = dataset.scan().select("k").orderBy(Ordering.desc("s")).limit(40_000);
      List<Map<String, Object>> expected = Rows.drain(scan.open(), allocator);
      Scan bounded = scan.sortMemory(100_000, folder);
      assertThat(Rows.drain(bounded.open(), allocator)).isEqualTo(expected);
      assertThat(bounded.analyze().steps())
          .anySatisfy(step -> assertThat(step.spilledBytes()).isPositive());
    }
  }

  private static long files(Path folder) throws IOException {
    try (Stream<Path> found = Files.list(folder)) {
      return found.count();
    }
  }
}
