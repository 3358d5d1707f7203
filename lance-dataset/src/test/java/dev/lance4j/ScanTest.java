package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.CountingObjectStore;
import dev.lance4j.format.testing.NullPattern;
import dev.lance4j.format.testing.RandomData;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.StoreCall;
import dev.lance4j.scan.DataStatistics;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.ScanListener;
import dev.lance4j.scan.ScanMetrics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private String uri() {
    return folder.resolve("t.lance").toString();
  }

  private Dataset songs(int rows, int perFile) {
    return Songs.create(uri(), rows, perFile, allocator);
  }

  private Dataset open() {
    return Dataset.open(uri(), OpenOptions.builder().allocator(allocator).build());
  }

  private Dataset nested() {
    List<Field> fields =
        List.of(
            SampleFields.struct(
                "st", SampleFields.int32("x"), SampleFields.struct("in", SampleFields.utf8("z"))),
            SampleFields.list("li", SampleFields.int32("item")),
            SampleFields.utf8("with space"),
            SampleFields.utf8("tick`ed"));
    try (ArrowTable data = RandomData.table(fields, NullPattern.SOME, 50, 1, allocator)) {
      return Dataset.write(uri()).allocator(allocator).from(data.root());
    }
  }

  private static List<String> names(Scan scan) {
    return scan.schema().getFields().stream().map(Field::getName).toList();
  }

  @Test
  void aSecondSelectionAddsColumnsAndExpressionsHaveNames() {
    try (Dataset dataset = songs(5, 5)) {
      Scan scan = dataset.scan().select("s").select("half", "k / 2").selectAs("key", "k");
      assertThat(names(scan)).containsExactly("s", "half", "key");
      assertThat(Rows.drain(scan.where("k = 3").open(), allocator))
          .containsExactly(Map.of("s", "song 3", "half", 1L, "key", 3L));
      assertThat(names(dataset.scan().select("s", "k"))).containsExactly("s", "k");
      assertThat(names(dataset.scan().select("_rowid", "*"))).containsExactly("_rowid", "k", "s");
    }
  }

  @Test
  void virtualColumnsThatAreAskedForByFlagGoToTheEnd() {
    try (Dataset dataset = songs(5, 5)) {
      Scan scan = dataset.scan().select("_rowaddr", "_rowid", "k").withRowAddress().withRowId();
      assertThat(names(scan)).containsExactly("k", "_rowid", "_rowaddr");
      assertThat(names(dataset.scan().select("_rowid", "k", "_rowoffset")))
          .containsExactly("_rowid", "k", "_rowoffset");
    }
  }

  @Test
  void nestedColumnsAreFlatUnderTheNameThatWasAskedForAndStructsInTakes() throws Exception {
    try (Dataset dataset = nested()) {
      assertThat(names(dataset.scan().select("st.in.z", "`st`.x", "`with space`", "tick`ed")))
          .containsExactly("st.in.z", "`st`.x", "`with space`", "tick`ed");
      try (var reader = dataset.take(new long[] {0}, "st.x")) {
        Field struct = reader.getVectorSchemaRoot().getSchema().getFields().get(0);
        assertThat(struct.getName()).isEqualTo("st");
        assertThat(struct.getChildren()).extracting(Field::getName).containsExactly("x");
      }
    }
  }

  @Test
  void refusesColumnsThatAreNotThere() {
    try (Dataset dataset = nested()) {
      for (String name : List.of("ST", "st.nosuch", "nosuch.x", "", "st.", "li.item", "i32 + 1")) {
        assertThatThrownBy(() -> dataset.scan().select(name))
            .as(name)
            .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> dataset.scan().orderBy(Ordering.asc(name)))
            .as(name)
            .isInstanceOf(InvalidInputException.class);
      }
      assertThatThrownBy(() -> dataset.scan().select("st.y"))
          .hasMessageContaining("st.y")
          .hasMessageContaining("[x, in]");
      assertThatThrownBy(() -> dataset.scan().select("li.item"))
          .hasMessageContaining("'li' is a List");
      assertThatThrownBy(() -> dataset.scan().select("st", "st"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'st'");
      assertThatThrownBy(() -> dataset.scan().select("li").selectAs("li", "st.x"))
          .isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> dataset.scan().selectAs("a", "nosuch + 1"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("nosuch");
      assertThatThrownBy(() -> dataset.take(new long[] {0}, "nosuch"))
          .isInstanceOf(InvalidInputException.class);
    }
  }

  @Test
  void refusesNumbersThatMakeNoSense() {
    try (Dataset dataset = songs(5, 5)) {
      Scan scan = dataset.scan();
      List<Runnable> wrong =
          List.of(
              () -> scan.limit(-1),
              () -> scan.offset(-1),
              () -> scan.batchSize(0),
              () -> scan.batchBytes(0),
              () -> scan.readAhead(-1),
              () -> scan.sortMemory(0, null),
              () -> scan.includeDeletedRows().open(),
              () -> dataset.sample(0),
              () -> dataset.sample(1, new long[] {99}));
      for (Runnable each : wrong) {
        assertThatThrownBy(each::run).isInstanceOf(InvalidInputException.class);
      }
    }
  }

  /** Reported faults M39: limits counted per file, offsets applied twice, counts without limit. */
  @Test
  void limitAndOffsetAreOfTheWholeTable() throws Exception {
    try (Dataset dataset = songs(1_700, 100)) {
      long[][] windows = {{10, 0, 10}, {0, 0, 0}, {100, 100, 100}, {10, 1_695, 5}, {5, 9_999, 0}};
      for (long[] window : windows) {
        Scan scan = dataset.scan().limit(window[0]).offset(window[1]);
        List<Object> expected = new ArrayList<>();
        LongStream.range(window[1], window[1] + window[2]).forEach(expected::add);
        for (Scan each : List.of(scan, scan.where("k >= 0"), scan.orderBy(Ordering.asc("k")))) {
          assertThat(Songs.column(each.open(), "k")).isEqualTo(expected);
          assertThat(each.count()).isEqualTo(window[2]);
        }
      }
    }
  }

  /** Reported faults M40 and M41: counts and row ids of fragments with deleted rows. */
  @Test
  void countsAndRowIdsLeaveDeletedRowsOut() throws Exception {
    songs(10, 5).close();
    Deletions.delete(uri(), 0, 0, 4);
    Deletions.delete(uri(), 1, 2);
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows("k >= 5")).isEqualTo(4);
      assertThat(Songs.column(dataset.scan().select().withRowId().open(), "_rowid")).hasSize(7);
      assertThat(Songs.column(dataset.scan().select().withRowAddress().open(), "_rowaddr"))
          .hasSize(7);
      assertThat(Songs.count(dataset.scan().select().open())).isEqualTo(7);
    }
  }

  @Test
  void deletedRowsHaveNoRowId() throws Exception {
    songs(10, 5).close();
    Deletions.delete(uri(), 0, 0, 4);
    try (Dataset dataset = open()) {
      Scan scan = dataset.scan().select("k").includeDeletedRows().withRowId().withRowAddress();
      assertThat(Songs.column(scan.open(), "k")).hasSize(10);
      assertThat(Songs.column(scan.fragments(0).open(), "_rowid"))
          .containsExactly(null, 1L, 2L, 3L, null);
      assertThat(Songs.column(scan.fragments(0).open(), "_rowaddr"))
          .containsExactly(0L, 1L, 2L, 3L, 4L);
      assertThat(scan.count()).isEqualTo(10);
      assertThat(scan.where("k = 4").count()).isEqualTo(1);
      assertThat(scan.where("_rowid IS NULL").count()).isEqualTo(2);
    }
  }

  @Test
  void countingWithoutAConditionReadsNothing() {
    CountingObjectStore store = new CountingObjectStore(new MemoryObjectStore());
    try (VectorSchemaRoot rows = Songs.rows(0, 1_000, allocator);
        Dataset dataset =
            Dataset.write("t").store(store).allocator(allocator).maxRowsPerFile(100).from(rows)) {
      store.reset();
      assertThat(dataset.scan().offset(10).limit(500).count()).isEqualTo(500);
      assertThat(dataset.scan().fragments(3, 4).count()).isEqualTo(200);
      assertThat(store.calls()).isZero();
    }
  }

  @Test
  void saysHowItReadsAndWhatThatCost() {
    CountingObjectStore store = new CountingObjectStore(new MemoryObjectStore());
    try (VectorSchemaRoot rows = Songs.rows(0, 20_000, allocator);
        Dataset dataset =
            Dataset.write("t").store(store).allocator(allocator).maxRowsPerFile(5_000).from(rows)) {
      Scan scan = dataset.scan().where("k % 10 = 0").orderBy(Ordering.desc("k")).limit(20);
      assertThat(scan.explain())
          .contains("Take k, s", "Limit to 20 rows", "Find the first 20 rows by k descending")
          .contains("Scan 4 fragments", "Filter", "Read k");
      assertThat(scan.analyze().rows()).isEqualTo(20);
      store.reset();
      ScanMetrics metrics = dataset.scan().where("k < 100").analyze();
      assertThat(metrics.rows()).isEqualTo(100);
      assertThat(metrics.bytes()).isEqualTo(store.bytes(StoreCall.READ));
      assertThat(metrics.requests()).isEqualTo(store.calls(StoreCall.READ));
      assertThat(metrics.steps())
          .anySatisfy(
              step -> {
                assertThat(step.description()).isEqualTo("Read k");
                assertThat(step.rows()).isEqualTo(20_000);
              })
          .anySatisfy(
              step -> {
                assertThat(step.description()).isEqualTo("Read of rows left s");
                assertThat(step.rows()).isEqualTo(100);
                assertThat(step.nanos()).isPositive();
              });
      assertThat(metrics.toString()).contains("Read of rows left s [rows=100", "requests=");
    }
  }

  @Test
  void tellsItsListenerAfterEachBatchAndAtTheEnd() {
    List<Long> rows = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    ScanListener listener =
        new ScanListener() {
          @Override
          public void onBatch(ScanMetrics soFar) {
            rows.add(soFar.rows());
          }

          @Override
          public void onEnd(ScanMetrics total) {
            ends.add(total.rows());
          }
        };
    try (Dataset dataset = songs(250, 100)) {
      dataset.scan().listener(listener).forEachBatch(batch -> assertThat(ends).isEmpty());
      assertThat(rows).containsExactly(100L, 200L, 250L);
      assertThat(ends).containsExactly(250L);
      ScanListener failing =
          new ScanListener() {
            @Override
            public void onBatch(ScanMetrics soFar) {
              throw new IllegalStateException("enough");
            }
          };
      assertThatThrownBy(() -> dataset.scan().listener(failing).analyze())
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("enough");
    }
  }

  @Test
  void samplesAreDifferentLiveRowsInOrder() throws Exception {
    songs(100, 30).close();
    Deletions.delete(uri(), 1, 0, 1, 2, 3);
    try (Dataset dataset = open()) {
      Set<Object> seen = new HashSet<>();
      for (int i = 0; i < 60; i++) {
        List<Object> sample = Songs.column(dataset.sample(10, "k"), "k");
        assertThat(sample).hasSize(10).doesNotHaveDuplicates().isSorted();
        assertThat(sample).doesNotContain(30L, 31L, 32L, 33L);
        seen.addAll(sample);
      }
      assertThat(seen).as("every row comes up sooner or later").hasSizeGreaterThan(90);
      assertThat(Songs.column(dataset.sample(1_000, "k"), "k"))
          .isEqualTo(Songs.column(dataset.scan().open(), "k"));
      assertThat(Songs.column(dataset.sample(1_000, new long[] {3, 1}, "k"), "k"))
          .isEqualTo(Songs.column(dataset.scan().fragments(1, 3).open(), "k"));
    }
  }

  /** Reported fault M42: takes with deletions or unsorted keys fail or shift. */
  @Test
  void takesRowsByAddressAndLeavesOutThoseThatAreNotThere() throws Exception {
    songs(20, 10).close();
    Deletions.delete(uri(), 0, 2, 3);
    Deletions.delete(uri(), 1, 1);
    try (Dataset dataset = open()) {
      assertThat(Songs.column(dataset.take(new long[] {16, 0, 16, 8}, "k"), "k"))
          .containsExactly(19L, 0L, 19L, 10L);
      assertThat(Songs.column(dataset.take(new long[] {0, 2, 7}, "k"), "k"))
          .containsExactly(0L, 4L, 9L);
      assertThatThrownBy(() -> dataset.take(new long[] {17}, "k"))
          .isInstanceOf(InvalidInputException.class);
      long second = 1L << 32;
      long[] addresses = {second + 2, 1, second + 1, 3, 5, second + 10, 7L << 32, second + 2};
      assertThat(Songs.column(dataset.takeAddresses(addresses, "k"), "k"))
          .containsExactly(12L, 1L, 5L, 12L);
    }
  }

  @Test
  void takesReadNeighboursTogether() throws Exception {
    CountingObjectStore store = new CountingObjectStore(new MemoryObjectStore());
    try (VectorSchemaRoot rows = Songs.rows(0, 20_000, allocator);
        Dataset dataset = Dataset.write("t").store(store).allocator(allocator).from(rows)) {
      Songs.count(dataset.take(new long[] {7}, "k"));
      store.reset();
      assertThat(Songs.count(dataset.take(new long[] {7}, "k"))).isEqualTo(1);
      long one = store.calls(StoreCall.READ);
      store.reset();
      long[] many = LongStream.range(5_000, 6_000).map(i -> 10_999 - i).toArray();
      assertThat(Songs.count(dataset.take(many, "k"))).isEqualTo(1_000);
      assertThat(store.calls(StoreCall.READ)).isEqualTo(one);
    }
  }

  /** A column that is given as it is keeps its dictionary; one that is computed has none. */
  @Test
  void aCopyOfADictionaryColumnHasItsValues() {
    Field words = SampleFields.dictionary("d", 7, 16, true);
    try (ArrowTable data = RandomData.table(List.of(words), NullPattern.SOME, 50, 1, allocator);
        Dataset made =
            Dataset.write(uri()).allocator(allocator).from(data.root(), data.dictionaries());
        Dataset copied = made.addColumns(Map.of("copy", "d"))) {
      List<Map<String, Object>> rows = Rows.drain(copied.scan().open(), allocator);
      assertThat(rows).hasSize(50);
      assertThat(rows).allSatisfy(row -> assertThat(row.get("copy")).isEqualTo(row.get("d")));
      assertThat(rows).anySatisfy(row -> assertThat(row.get("copy")).isNotNull());
    }
  }

  @Test
  void statisticsAddUpToTheFilesWithoutTheirMetadata() throws Exception {
    try (Dataset dataset = songs(50_000, 20_000)) {
      DataStatistics statistics = dataset.dataStatistics();
      assertThat(statistics.fields()).extracting(field -> field.id()).containsExactly(0, 1);
      assertThat(statistics.fields()).allSatisfy(field -> assertThat(field.bytes()).isPositive());
      long files =
          dataset.fragments().stream()
              .flatMap(fragment -> fragment.files().stream())
              .mapToLong(file -> file.sizeBytes())
              .sum();
      assertThat(statistics.bytes()).isLessThan(files).isGreaterThan(files * 9 / 10);
    }
  }
}
