package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.table.IndexMetadata;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Segments that cannot be read, or not be written anew, are left as they are when rows move; those
 * of other indices follow the rows, and all rows are found.
 */
class UnreadableSegmentsTest {
  private static final String PATH = "table";
  private static final int ROWS = 40;

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final List<MaintainedRow> rows = new ArrayList<>();

  /** Two fragments and an index that everybody can read. */
  @BeforeEach
  void create() {
    Random random = new Random(3);
    for (int k = 0; k < ROWS; k++) {
      rows.add(MaintainedRow.random(k, random));
    }
    try (VectorSchemaRoot root = MaintainedRow.batch(rows, allocator);
        Dataset created =
            Dataset.write(PATH)
                .store(store)
                .allocator(allocator)
                .maxRowsPerFile(ROWS / 2)
                .from(root)) {
      created.createIndex("k", ScalarIndexSpec.btree()).close();
    }
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset open() {
    return TableStates.open(store, PATH, allocator);
  }

  private UUID segment(String index) {
    try (Dataset dataset = open()) {
      for (IndexDescription each : dataset.describeIndices()) {
        if (each.name().equals(index)) {
          return each.segments().get(0).uuid();
        }
      }
    }
    throw new AssertionError("There is no index " + index);
  }

  private List<Integer> keys(Scan scan) {
    return Rows.drain(scan.select("k").open(), allocator).stream()
        .map(row -> (Integer) row.get("k"))
        .sorted()
        .toList();
  }

  private void compact(boolean deferred) {
    try (Dataset dataset = open()) {
      CompactionOptions options = CompactionOptions.builder().deferIndexRemap(deferred).build();
      dataset.compact(options).dataset().close();
    }
  }

  private void checkThatKeysAreFoundByTheirIndex() {
    try (Dataset dataset = open()) {
      for (int k = 0; k < ROWS; k++) {
        Scan scan = dataset.scan().where("k = " + k);
        assertThat(scan.explain()).contains("k_idx");
        assertThat(keys(scan)).containsExactly(k);
      }
    }
  }

  /** Says that an index file is of a version that no release has written. */
  private void spoil(UUID segment) {
    String path = PATH + "/_indices/" + segment + "/index.idx";
    try (ObjectReader reader = store.open(path)) {
      ByteBuffer file = reader.read(0, (int) reader.size());
      ByteBuffer spoilt = ByteBuffer.allocate(file.remaining()).put(file.duplicate()).flip();
      spoilt.put(spoilt.limit() - 8, (byte) 77);
      store.put(path, spoilt);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aVectorSegmentOfAnUnknownLayoutIsLeftBehind(boolean deferred) {
    try (Dataset dataset = open()) {
      dataset.createIndex("p", VectorIndexSpec.ivfFlat().partitions(2)).close();
    }
    UUID vectors = segment("p_idx");
    UUID keys = segment("k_idx");
    spoil(vectors);

    compact(deferred);
    if (deferred) {
      try (Dataset dataset = open()) {
        dataset.remapIndices().close();
      }
    }

    assertThat(segment("p_idx")).isEqualTo(vectors);
    assertThat(segment("k_idx")).isNotEqualTo(keys);
    checkThatKeysAreFoundByTheirIndex();
    checkNearest();
    try (Dataset dataset = open();
        Dataset same = dataset.optimizeIndices(OptimizeOptions.merge(2))) {
      assertThat(same.version()).isEqualTo(dataset.version());
    }
  }

  private void checkNearest() {
    List<Integer> point = rows.get(0).p();
    float[] query = new float[point.size()];
    for (int i = 0; i < query.length; i++) {
      query[i] = point.get(i);
    }
    List<Float> expected =
        rows.stream()
            .filter(row -> row.p() != null)
            .map(row -> MaintainedRow.distance(row.p(), point))
            .sorted()
            .limit(5)
            .toList();
    try (Dataset dataset = open()) {
      Scan scan = dataset.scan().select("k").nearest(VectorQuery.of("p", query).k(5));
      List<Map<String, Object>> found = Rows.drain(scan.open(), allocator);
      assertThat(found.stream().map(row -> (Float) row.get("_distance")).toList())
          .isEqualTo(expected);
    }
  }

  /** The first form of these segments does not say which lists are null. */
  @Test
  void aLabelListOfTheFirstFormIsLeftBehind() {
    try (Dataset dataset = open()) {
      IndexMetadata built =
          dataset.buildIndexSegment("l", ScalarIndexSpec.labelList(), List.of(0L, 1L)).metadata();
      IndexMetadata first =
          new IndexMetadata(
              built.uuid(),
              built.fieldIds(),
              "l_idx",
              built.datasetVersion(),
              built.fragmentBytes(),
              built.details(),
              OptionalInt.of(0),
              built.createdAtMillis(),
              built.baseId(),
              built.files(),
              built.unknown());
      dataset.commitIndexSegments("l_idx", "l", List.of(new IndexSegment(first))).close();
    }
    UUID labels = segment("l_idx");

    compact(false);

    assertThat(segment("l_idx")).isEqualTo(labels);
    checkThatKeysAreFoundByTheirIndex();
    checkLabels();
    try (Dataset dataset = open()) {
      dataset.optimizeIndices(OptimizeOptions.defaults()).close();
    }
    assertThat(segment("l_idx")).isNotEqualTo(labels);
    checkLabels();
  }

  private void checkLabels() {
    try (Dataset dataset = open()) {
      for (int value = 0; value < MaintainedRow.VALUES; value++) {
        int label = value;
        List<Integer> expected =
            rows.stream()
                .filter(row -> row.l() != null && row.l().contains(label))
                .map(MaintainedRow::k)
                .toList();
        assertThat(keys(dataset.scan().where("array_has(l, " + label + ")"))).isEqualTo(expected);
      }
    }
  }
}
