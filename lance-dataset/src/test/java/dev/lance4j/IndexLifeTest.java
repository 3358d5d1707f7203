package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.IndexNotFoundException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.ScalarIndexSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexLifeTest {
  private static final ScalarIndexSpec BTREE = ScalarIndexSpec.btree();

  private final BufferAllocator allocator = new RootAllocator();
  private final List<Dataset> open = new ArrayList<>();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    open.forEach(Dataset::close);
    allocator.close();
  }

  private Dataset kept(Dataset dataset) {
    open.add(dataset);
    return dataset;
  }

  private String uri() {
    return folder.resolve("t").toString();
  }

  /** Rows k = 0 … 29 in three fragments. */
  private Dataset songs() {
    return kept(Songs.create(uri(), 30, 10, allocator));
  }

  private Dataset appended(Dataset dataset, int start, int count) {
    try (VectorSchemaRoot rows = Songs.rows(start, start + count, allocator)) {
      return kept(dataset.append(rows));
    }
  }

  private static List<IndexSegment> segments(Dataset dataset) {
    return dataset.describeIndices().get(0).segments();
  }

  private static JsonNode statistics(Dataset dataset, String name) throws IOException {
    return new ObjectMapper().readTree(dataset.indexStatistics(name));
  }

  @Test
  void anIndexIsNamedAfterItsColumnAndCoversAllFragments() throws Exception {
    Dataset indexed = kept(songs().createIndex("k", BTREE));
    assertThat(indexed.version()).isEqualTo(2);
    IndexDescription index = indexed.describeIndices().get(0);
    assertThat(index.name()).isEqualTo("k_idx");
    assertThat(index.type()).isEqualTo("BTree");
    assertThat(index.columns()).containsExactly("k");
    assertThat(index.rowsIndexed()).isEqualTo(30);
    assertThat(index.segments()).hasSize(1);
    assertThat(index.segments().get(0).fragmentIds()).containsExactly(0L, 1L, 2L);
    assertThat(index.segments().get(0).sizeBytes()).isEqualTo(bytesOf(index.segments().get(0)));
    assertThat(index.segments().get(0).metadata().datasetVersion()).isEqualTo(1);
  }

  private long bytesOf(IndexSegment segment) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(uri(), "_indices", segment.uuid().toString()))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void statisticsCountWhatIsIndexedAndWhatIsNot() throws Exception {
    Dataset indexed = kept(songs().createIndex("k", BTREE));
    appended(indexed, 30, 5);
    Dataset newest = kept(indexed.latest());
    JsonNode numbers = statistics(newest, "k_idx");
    assertThat(numbers.get("index_type").asText()).isEqualTo("BTree");
    assertThat(numbers.get("name").asText()).isEqualTo("k_idx");
    assertThat(numbers.get("num_segments").asInt()).isEqualTo(1);
    assertThat(numbers.get("num_indexed_fragments").asInt()).isEqualTo(3);
    assertThat(numbers.get("num_unindexed_fragments").asInt()).isEqualTo(1);
    assertThat(numbers.get("num_indexed_rows").asInt()).isEqualTo(30);
    assertThat(numbers.get("num_unindexed_rows").asInt()).isEqualTo(5);
    assertThat(numbers.get("num_indexed_rows_per_delta").get(0).asInt()).isEqualTo(30);
    assertThat(numbers.get("segments").get(0).get("max").asText()).isEqualTo("29");
  }

  @Test
  void anIndexIsReplacedOnlyWhenAsked() {
    Dataset first = kept(songs().createIndex("k", BTREE));
    assertThatThrownBy(() -> first.createIndex("k", BTREE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("Index name 'k_idx' already exists");
    IndexOptions replace = IndexOptions.builder().replace(true).build();
    Dataset second = kept(first.createIndex("k", BTREE, replace));
    assertThat(segments(second)).hasSize(1);
    assertThat(segments(second).get(0).uuid()).isNotEqualTo(segments(first).get(0).uuid());
    IndexOptions other = IndexOptions.builder().name("k_idx").replace(true).build();
    assertThatThrownBy(() -> second.createIndex("s", BTREE, other))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("different fields");
  }

  @Test
  void anUntrainedIndexCoversNothing() throws Exception {
    IndexOptions empty = IndexOptions.builder().train(false).build();
    Dataset indexed = kept(songs().createIndex("k", BTREE, empty));
    assertThat(segments(indexed).get(0).fragmentIds()).isEmpty();
    assertThat(statistics(indexed, "k_idx").get("num_unindexed_rows").asInt()).isEqualTo(30);
  }

  @Test
  void whatCannotBeIndexedIsRefused() {
    Dataset songs = songs();
    assertThatThrownBy(() -> songs.createIndex("tempo", BTREE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("column 'tempo' does not exist");
    IndexOptions reserved = IndexOptions.builder().name("__lance_frag_reuse").build();
    assertThatThrownBy(() -> songs.createIndex("k", BTREE, reserved))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("keeps an index named");
    IndexOptions absent = IndexOptions.builder().fragmentIds(List.of(0L, 9L)).build();
    assertThatThrownBy(() -> songs.createIndex("k", BTREE, absent))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no fragment 9");
    assertThat(Path.of(uri(), "_indices")).doesNotExist();
  }

  @Test
  void segmentsAreBuiltApartSentAndCommittedTogether() throws Exception {
    Dataset songs = songs();
    IndexSegment first = sent(songs.buildIndexSegment("k", BTREE, List.of(0L)));
    IndexSegment second = sent(songs.buildIndexSegment("k", BTREE, List.of(2L, 1L)));
    assertThat(kept(songs.latest()).describeIndices()).isEmpty();
    Dataset indexed = kept(songs.commitIndexSegments("by_k", "k", List.of(first, second)));
    assertThat(segments(indexed))
        .extracting(IndexSegment::uuid)
        .containsExactly(first.uuid(), second.uuid());
    assertThat(indexed.describeIndices().get(0).rowsIndexed()).isEqualTo(30);
    IndexSegment overlapping = songs.buildIndexSegment("k", BTREE, List.of(1L));
    assertThatThrownBy(() -> songs.commitIndexSegments("other", "k", List.of(second, overlapping)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("cover fragment 1");
  }

  private static IndexSegment sent(IndexSegment segment) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(segment);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (IndexSegment) in.readObject();
    }
  }

  @Test
  void droppingAnIndexThatThereIsNotNamesThoseThatThereAre() {
    Dataset indexed = kept(songs().createIndex("k", BTREE));
    assertThatThrownBy(() -> indexed.dropIndex("zz"))
        .isInstanceOf(IndexNotFoundException.class)
        .hasMessageContaining("k_idx");
    Dataset dropped = kept(indexed.dropIndex("k_idx"));
    assertThat(dropped.describeIndices()).isEmpty();
    assertThat(indexed.describeIndices()).hasSize(1);
  }

  @Test
  void anIndexOnAnOverwrittenTableIsAConflictAndLeavesNoFiles() {
    Dataset songs = songs();
    try (VectorSchemaRoot rows = Songs.rows(0, 5, allocator)) {
      kept(Dataset.write(uri()).allocator(allocator).mode(WriteMode.OVERWRITE).from(rows));
    }
    assertThatThrownBy(() -> songs.createIndex("k", BTREE))
        .isInstanceOf(CommitConflictException.class);
    assertThat(filesBelow(Path.of(uri(), "_indices"))).isZero();
  }

  private static long filesBelow(Path directory) {
    if (!Files.exists(directory)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void appendingGivesUncoveredRowsASegmentAndMergingMakesOneOfAll() {
    Dataset indexed = kept(songs().createIndex("k", BTREE));
    Dataset more = appended(indexed, 30, 5);
    Dataset appended = kept(more.optimizeIndices(OptimizeOptions.append()));
    assertThat(segments(appended))
        .extracting(IndexSegment::fragmentIds)
        .containsExactly(List.of(0L, 1L, 2L), List.of(3L));
    Dataset again = kept(appended.optimizeIndices(OptimizeOptions.append()));
    assertThat(again.version()).isEqualTo(appended.version());
    Dataset merged = kept(again.optimizeIndices(OptimizeOptions.defaults()));
    assertThat(segments(merged))
        .extracting(IndexSegment::fragmentIds)
        .containsExactly(List.of(0L, 1L, 2L, 3L));
    assertThat(kept(merged.optimizeIndices(OptimizeOptions.defaults())).version())
        .isEqualTo(merged.version());
  }

  @Test
  void mergingTakesTheNewestSegmentsAndThoseWithDeletedRows() {
    Dataset indexed = kept(songs().createIndex("k", BTREE));
    Dataset two = kept(appended(indexed, 30, 5).optimizeIndices(OptimizeOptions.append()));
    Dataset three = appended(two, 35, 5);
    assertThat(segments(kept(three.optimizeIndices(OptimizeOptions.merge(1)))))
        .extracting(IndexSegment::fragmentIds)
        .containsExactly(List.of(0L, 1L, 2L), List.of(3L, 4L));
    Dataset deleted = kept(kept(three.latest()).delete("k = 4").dataset());
    Dataset four = appended(deleted, 40, 5);
    assertThat(segments(kept(four.optimizeIndices(OptimizeOptions.merge(1)))))
        .extracting(IndexSegment::fragmentIds)
        .containsExactly(List.of(0L, 1L, 2L, 3L, 4L, 5L));
  }

  @Test
  void retrainingReadsTheTableAnewAndKeepsTheSettings() throws Exception {
    Dataset indexed = kept(songs().createIndex("k", ScalarIndexSpec.btree().withRowsPerPage(7)));
    Dataset retrained = kept(indexed.optimizeIndices(OptimizeOptions.retrain()));
    assertThat(retrained.version()).isEqualTo(indexed.version() + 1);
    assertThat(segments(retrained).get(0).uuid()).isNotEqualTo(segments(indexed).get(0).uuid());
    assertThat(statistics(retrained, "k_idx").get("segments"))
        .isEqualTo(statistics(indexed, "k_idx").get("segments"));
  }

  @Test
  void optimizingAnIndexThatThereIsNotIsAnError() {
    Dataset indexed = kept(songs().createIndex("k", BTREE));
    assertThatThrownBy(() -> indexed.optimizeIndices(OptimizeOptions.append().only("zz")))
        .isInstanceOf(IndexNotFoundException.class);
  }
}
