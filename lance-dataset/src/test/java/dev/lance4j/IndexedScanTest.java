package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.scan.Ordering;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.ScanListener;
import dev.lance4j.scan.ScanMetrics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How scans of consecutive numbers {@code k} with texts {@code s} use an index on the numbers. */
class IndexedScanTest {
  private static final String PATH = "songs";
  private static final int ROWS = 400;
  private static final int ROWS_PER_FRAGMENT = 100;

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();

  @BeforeEach
  void create() {
    try (VectorSchemaRoot rows = Songs.rows(0, ROWS, allocator)) {
      Dataset.write(PATH)
          .store(store)
          .allocator(allocator)
          .maxRowsPerFile(ROWS_PER_FRAGMENT)
          .from(rows)
          .createIndex("k", ScalarIndexSpec.btree())
          .close();
    }
    append(ROWS, ROWS + 50);
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private void append(int from, int to) {
    try (VectorSchemaRoot rows = Songs.rows(from, to, allocator);
        Dataset dataset = open()) {
      dataset.append(rows).close();
    }
  }

  private Dataset open() {
    return Dataset.open(PATH, OpenOptions.builder().store(store).allocator(allocator).build());
  }

  private static List<Object> numbers(Scan scan) throws Exception {
    return Songs.column(scan.select("k").open(), "k");
  }

  @Test
  void thePlanTellsWhatIsAskedOfWhichIndexAndWhereRowsAreRead() {
    try (Dataset dataset = open()) {
      assertThat(dataset.scan().where("k = 7 AND s LIKE '%7'").explain())
          .contains("Look up k = 7 by BTree k_idx, exact in 4 of 5 fragments")
          .contains("Filter s LIKE '%7'")
          .contains("Filter (k = 7) AND (s LIKE '%7')");
      assertThat(dataset.scan().where("k = 7").fragments(1, 2).explain())
          .contains("exact in 2 of 2 fragments")
          .doesNotContain("Filter");
      assertThat(dataset.scan().where("k = 7").useScalarIndex(false).explain())
          .doesNotContain("Look up");
      assertThat(dataset.scan().where("s = 'x'").explain()).doesNotContain("Look up");
      assertThat(dataset.scan().explain()).doesNotContain("Look up");
      assertThat(dataset.scan().fragments(4).where("k = 7").explain())
          .doesNotContain("Look up")
          .contains("Note: BTree k_idx covers none of the fragments");
    }
  }

  @Test
  void rowsThatAreIndexedAndRowsThatAreNotComeInTheOrderOfTheTable() throws Exception {
    try (Dataset dataset = open()) {
      Scan scan = dataset.scan().where("k IN (420, 399, 3, 250, 400, 999)");
      assertThat(numbers(scan)).containsExactly(3L, 250L, 399L, 400L, 420L);
      assertThat(numbers(scan.orderBy(Ordering.desc("k")).limit(2))).containsExactly(420L, 400L);
      assertThat(numbers(scan.offset(1).limit(3))).containsExactly(250L, 399L, 400L);
      assertThat(numbers(scan.fragments(4, 0))).containsExactly(400L, 420L, 3L);
      assertThat(scan.count()).isEqualTo(5);
      assertThat(scan.offset(4).count()).isEqualTo(1);
    }
  }

  @Test
  void batchesHaveNoMoreRowsThanAsked() throws Exception {
    try (Dataset dataset = open()) {
      int[] most = new int[1];
      dataset
          .scan()
          .where("k >= 50")
          .batchSize(7)
          .forEachBatch(batch -> most[0] = Math.max(most[0], batch.getRowCount()));
      assertThat(most[0]).isEqualTo(7);
    }
  }

  @Test
  void deletedRowsAreLeftOutUnlessTheyAreIncludedAndThenTheIndexIsNotUsed() throws Exception {
    try (Dataset dataset = open()) {
      dataset.delete("k = 7 OR s = 'song 8'").dataset().close();
    }
    try (Dataset dataset = open()) {
      Scan scan = dataset.scan().where("k BETWEEN 6 AND 9");
      assertThat(numbers(scan)).containsExactly(6L, 9L);
      assertThat(scan.count()).isEqualTo(2);
      Scan all = scan.includeDeletedRows().withRowId();
      assertThat(all.explain()).doesNotContain("Look up");
      assertThat(Songs.column(all.open(), "k")).containsExactly(6L, 7L, 8L, 9L);
      assertThat(all.count()).isEqualTo(4);
    }
  }

  @Test
  void onlyTheRowsThatAreFoundAreRead() throws Exception {
    try (Dataset dataset = open()) {
      Scan scan = dataset.scan().fragments(0, 1, 2, 3).where("k = 7");
      ScanMetrics metrics = scan.select("s").analyze();
      assertThat(metrics.rows()).isEqualTo(1);
      assertThat(step(metrics, "Look up").rows()).isEqualTo(1);
      assertThat(step(metrics, "Read of rows left").rows()).isEqualTo(1);
    }
  }

  private static ScanMetrics.Step step(ScanMetrics metrics, String start) {
    return metrics.steps().stream()
        .filter(step -> step.description().startsWith(start))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void rowsAreCountedWithoutReadingThem() {
    try (Dataset dataset = open()) {
      dataset.delete("k = 20").dataset().close();
    }
    try (Dataset dataset = open()) {
      Scan scan = dataset.scan().fragments(0, 1, 2, 3).where("k >= 10 AND k < 210 OR k = 399");
      files("data").forEach(store::delete);
      assertThat(scan.count()).isEqualTo(200);
      assertThat(scan.limit(50).count()).isEqualTo(50);
      assertThat(scan.offset(190).count()).isEqualTo(10);
    }
  }

  @Test
  void aDamagedIndexIsAnErrorThatNamesItUnlessScansGoOnWithoutIt() throws Exception {
    List<String> files = indexFiles();
    for (String file : files) {
      store.delete(file);
      store.putIfAbsent(file, ByteBuffer.wrap("no index".getBytes(UTF_8)));
    }
    try (Dataset dataset = open()) {
      Scan scan = dataset.scan().where("k IN (3, 420)");
      assertThatThrownBy(() -> numbers(scan))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("index 'k_idx' is damaged")
          .hasMessageContaining("replace");
      assertThatThrownBy(scan::count).isInstanceOf(CorruptFileException.class);

      String[] told = new String[1];
      Scan lenient =
          scan.skipDamagedIndices(true)
              .listener(
                  new ScanListener() {
                    @Override
                    public void onEnd(ScanMetrics total) {
                      told[0] = total.toString();
                    }
                  });
      assertThat(numbers(lenient)).containsExactly(3L, 420L);
      assertThat(told[0]).contains("index 'k_idx' is damaged");
      assertThat(lenient.explain()).contains("index 'k_idx' is damaged");
      assertThat(lenient.count()).isEqualTo(2);
      assertThat(numbers(scan.useScalarIndex(false))).containsExactly(3L, 420L);

      dataset
          .createIndex("k", ScalarIndexSpec.btree(), IndexOptions.builder().replace(true).build())
          .close();
    }
    try (Dataset dataset = open()) {
      assertThat(numbers(dataset.scan().where("k IN (3, 420)"))).containsExactly(3L, 420L);
    }
  }

  @Test
  void anIndexThatTurnsOutToBeDamagedWhenItIsAskedIsPassedOverToo() throws Exception {
    String pages =
        indexFiles().stream().filter(file -> file.contains("page_data")).findFirst().orElseThrow();
    try (Dataset dataset = open()) {
      Scan scan = dataset.scan().where("k IN (3, 420)");
      assertThat(scan.explain()).contains("Look up");
      store.delete(pages);
    }
    try (Dataset dataset = open()) {
      Scan scan = dataset.scan().where("k IN (3, 420)");
      assertThatThrownBy(() -> numbers(scan))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("index 'k_idx' is damaged");
      Scan lenient = scan.skipDamagedIndices(true);
      assertThat(numbers(lenient)).containsExactly(3L, 420L);
      assertThat(lenient.count()).isEqualTo(2);
      assertThat(lenient.analyze().toString()).contains("index 'k_idx' is damaged");
    }
  }

  private List<String> indexFiles() {
    return files("_indices");
  }

  private List<String> files(String directory) {
    List<String> files = new ArrayList<>();
    store.walk(PATH + "/" + directory, object -> files.add(object.path()));
    assertThat(files).isNotEmpty();
    return files;
  }
}
