package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.rowid.RowAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the files of indices hold after a compaction: the rows that there are, where they are now,
 * and nothing of those that were deleted. Earlier releases of the real library took the address 0
 * for that of a row that is gone, so that entries of the last rows were left there.
 */
class CompactedEntriesTest {
  private static final String PATH = "table";

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final List<MaintainedRow> rows = new ArrayList<>();

  /** Three fragments of ten rows. */
  @BeforeEach
  void create() {
    Random random = new Random(5);
    for (int k = 0; k < 30; k++) {
      rows.add(MaintainedRow.random(k, random));
    }
    try (VectorSchemaRoot root = MaintainedRow.batch(rows, allocator);
        Dataset created =
            Dataset.write(PATH).store(store).allocator(allocator).maxRowsPerFile(10).from(root);
        Dataset byKey = created.createIndex("k", new ScalarIndexSpec.BTree(7))) {
      byKey.createIndex("p", VectorIndexSpec.ivfFlat().partitions(3)).close();
    }
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset open() {
    return TableStates.open(store, PATH, allocator);
  }

  @ParameterizedTest
  @CsvSource({
    "k >= 18, false",
    "k >= 18, true",
    "k < 3, false",
    "k < 10, true",
    "k BETWEEN 10 AND 19, false",
    "k BETWEEN 5 AND 24, true",
    "k IN (0; 9; 10; 29), false",
    "k IN (0; 9; 10; 29), true"
  })
  void nothingIsLeftOfDeletedRows(String deleted, boolean deferred) {
    String filter = deleted.replace(';', ',');
    CompactionOptions options = CompactionOptions.builder().deferIndexRemap(deferred).build();
    List<Object> gone;
    try (Dataset dataset = open()) {
      gone = column(dataset, "k", filter);
      dataset.delete(filter).dataset().close();
    }
    rows.removeIf(row -> gone.contains(row.k()));
    try (Dataset dataset = open();
        Dataset compacted = dataset.compact(options).dataset()) {
      compacted.remapIndices().close();
    }

    long[] all = LongStream.range(0, rows.size()).map(this::address).toArray();
    long[] withVectors =
        LongStream.range(0, rows.size())
            .filter(row -> rows.get((int) row).p() != null)
            .map(this::address)
            .toArray();
    assertThat(entries("k_idx", "page_data.lance", "ids")).containsExactlyInAnyOrder(all);
    assertThat(entries("p_idx", "auxiliary.idx", "_rowid")).containsExactlyInAnyOrder(withVectors);
  }

  private List<Object> column(Dataset dataset, String name, String filter) {
    return Rows.drain(dataset.scan().select(name).where(filter).open(), allocator).stream()
        .map(row -> row.get(name))
        .toList();
  }

  /** All rows are in one fragment now. */
  private long address(long row) {
    try (Dataset dataset = open()) {
      return RowAddress.pack(dataset.fragments().get(0).id(), row);
    }
  }

  /** The addresses in a file of an index; none if there is no such index any more. */
  private long[] entries(String index, String file, String column) {
    try (Dataset dataset = open()) {
      for (IndexDescription each : dataset.describeIndices()) {
        if (each.name().equals(index)) {
          String path = PATH + "/_indices/" + each.segments().get(0).uuid() + '/' + file;
          return entries(path, column);
        }
      }
    }
    return new long[0];
  }

  private long[] entries(String path, String column) {
    try (LanceFileReader reader = LanceFileReader.open(store, path)) {
      return Rows.drain(reader.scan().select(column).open(allocator), allocator).stream()
          .mapToLong(row -> (Long) row.get(column))
          .toArray();
    }
  }
}
