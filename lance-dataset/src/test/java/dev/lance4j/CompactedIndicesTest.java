package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.CompactionTask;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.compaction.RewriteResult;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.table.CommitOptions;
import dev.lance4j.table.Committer;
import dev.lance4j.table.FragmentReuse;
import dev.lance4j.table.IndexDetails;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.table.Operation;
import dev.lance4j.table.TableVersion;
import dev.lance4j.table.Transaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** What becomes of indices when the rows that they know are moved. */
class CompactedIndicesTest {
  private static final CompactionOptions EAGER = CompactionOptions.defaults();
  private static final CompactionOptions DEFERRED =
      CompactionOptions.builder().deferIndexRemap(true).build();

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;
  private String uri;

  @BeforeEach
  void locate() {
    uri = folder.resolve("songs.lance").toString();
  }

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** Something that makes the next version of a table. */
  private interface Change {
    Dataset of(Dataset dataset) throws Exception;
  }

  private Dataset open() {
    return Dataset.open(uri, OpenOptions.builder().allocator(allocator).build());
  }

  private void change(Change change) throws Exception {
    try (Dataset dataset = open()) {
      change.of(dataset).close();
    }
  }

  /** Rows {@code k = 0, 1, …} in fragments of one size, with an index on k. */
  private void create(int fragments, int rowsEach, boolean stable) throws Exception {
    try (VectorSchemaRoot rows = Songs.rows(0, fragments * rowsEach, allocator)) {
      Dataset.write(uri)
          .allocator(allocator)
          .maxRowsPerFile(rowsEach)
          .stableRowIds(stable)
          .from(rows)
          .close();
    }
    change(dataset -> dataset.createIndex("k", ScalarIndexSpec.btree()));
  }

  private void append(int start, int end) throws Exception {
    try (VectorSchemaRoot rows = Songs.rows(start, end, allocator)) {
      change(dataset -> dataset.append(rows));
    }
  }

  private void delete(String predicate) throws Exception {
    change(dataset -> dataset.delete(predicate).dataset());
  }

  private void compact(CompactionOptions options) throws Exception {
    change(dataset -> dataset.compact(options).dataset());
  }

  private void check(int keys, long... covered) throws Exception {
    try (Dataset dataset = open()) {
      IndexLookUps.check(dataset, keys, covered);
    }
  }

  private List<IndexMetadata> stored() {
    try (Dataset dataset = open()) {
      return dataset.source().version().indices();
    }
  }

  private IndexMetadata only() {
    List<IndexMetadata> indices = stored().stream().filter(index -> !index.isSystem()).toList();
    assertThat(indices).hasSize(1);
    return indices.get(0);
  }

  private List<FragmentReuse.Version> deferredVersions() {
    try (Dataset dataset = open()) {
      return FragmentReuse.of(dataset.source().version()).orElseThrow().versions();
    }
  }

  private long segmentsOnDisk() throws IOException {
    try (Stream<Path> directories = Files.list(Path.of(uri, "_indices"))) {
      return directories.filter(CompactedIndicesTest::hasFiles).count();
    }
  }

  private static boolean hasFiles(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RoaringBitmap ids(int... ids) {
    return RoaringBitmap.bitmapOf(ids);
  }

  /** Fragments 1 and 2, which the index covers, become 10: its bitmap {1,2} becomes {10}. */
  @Test
  void anIndexCoversTheFragmentsThatItsRowsWentTo() throws Exception {
    try (VectorSchemaRoot rows = Songs.rows(0, 12, allocator)) {
      Dataset.write(uri).allocator(allocator).maxRowsPerFile(4).from(rows).close();
    }
    change(
        dataset ->
            dataset.createIndex(
                "k",
                ScalarIndexSpec.btree(),
                IndexOptions.builder().fragmentIds(List.of(1L, 2L)).build()));
    commit(new Operation.ReserveFragments(7));
    IndexMetadata before = only();
    assertThat(before.fragments()).contains(ids(1, 2));

    compact(EAGER);

    assertThat(only().fragments()).contains(ids(10));
    assertThat(only().uuid()).isNotEqualTo(before.uuid());
    check(12, 10);
  }

  private TableVersion commit(Operation operation) {
    try (Dataset dataset = open()) {
      TableVersion version = dataset.source().version();
      return new Committer(version.table(), CommitOptions.DEFAULT)
          .commit(version, Transaction.of(version.version(), operation));
    }
  }

  @Test
  void segmentsAreWrittenAnewAndStayWhatTheyWere() throws Exception {
    create(3, 4, false);
    delete("k IN (1, 6)");
    IndexMetadata before = only();

    compact(EAGER);

    IndexMetadata after = only();
    assertThat(after.uuid()).isNotEqualTo(before.uuid());
    assertThat(after.fragments()).contains(ids(3));
    assertThat(after.files()).isNotEmpty();
    assertThat(after)
        .usingRecursiveComparison()
        .ignoringFields("uuid", "fragmentBytes", "files")
        .isEqualTo(before);
    check(14, 3);
    assertThat(stored()).hasSize(1);
  }

  @Test
  void rowsThatNoIndexCoversStayApart() throws Exception {
    create(3, 4, false);
    append(12, 16);
    append(16, 20);

    compact(EAGER);

    assertThat(only().fragments()).contains(ids(5));
    check(20, 5);
    try (Dataset dataset = open()) {
      assertThat(dataset.fragments()).hasSize(2);
    }
  }

  @Test
  void stableIdsNeedNoNewSegments() throws Exception {
    create(3, 4, true);
    delete("k IN (1, 6)");
    IndexMetadata before = only();

    compact(EAGER);

    assertThat(only()).isEqualTo(before.withFragments(ids(3)));
    check(14, 3);
  }

  static Stream<Arguments> zones() {
    return Stream.of(ScalarIndexSpec.zoneMap(), ScalarIndexSpec.bloomFilter())
        .flatMap(
            spec ->
                Stream.of(
                    Arguments.of(spec, false, EAGER),
                    Arguments.of(spec, false, DEFERRED),
                    Arguments.of(spec, true, EAGER)));
  }

  /**
   * What such an index says is about ranges of rows where they were. The real library loses rows
   * where it takes these indices along.
   */
  @ParameterizedTest
  @MethodSource("zones")
  void segmentsOfZonesAreLeftBehind(ScalarIndexSpec spec, boolean stable, CompactionOptions options)
      throws Exception {
    createWithoutIndex(stable);
    change(dataset -> dataset.createIndex("k", spec));
    IndexMetadata before = only();

    compact(options);

    assertThat(only()).isEqualTo(before);
    try (Dataset dataset = open()) {
      for (int key = 0; key < 12; key++) {
        assertThat(dataset.countRows("k = " + key)).isEqualTo(1);
      }
    }
  }

  @Test
  void segmentsOfUnknownKindsAreLeftBehind() throws Exception {
    createWithoutIndex(false);
    IndexMetadata segment =
        new IndexMetadata(
                UUID.randomUUID(),
                List.of(0),
                "k_idx",
                1,
                ByteString.EMPTY,
                Optional.of(new IndexDetails("/lance.table.OtherIndexDetails", ByteString.EMPTY)),
                OptionalInt.of(0),
                OptionalLong.of(5),
                OptionalInt.empty(),
                List.of(),
                UnknownFieldSet.getDefaultInstance())
            .withFragments(ids(0, 1, 2));
    commit(new Operation.CreateIndex(List.of(segment), List.of()));

    compact(EAGER);

    assertThat(only()).isEqualTo(segment);
    try (Dataset dataset = open()) {
      assertThat(dataset.countRows("k = 5")).isEqualTo(1);
    }
  }

  private void createWithoutIndex(boolean stable) {
    try (VectorSchemaRoot rows = Songs.rows(0, 12, allocator)) {
      Dataset.write(uri)
          .allocator(allocator)
          .maxRowsPerFile(4)
          .stableRowIds(stable)
          .from(rows)
          .close();
    }
  }

  @Test
  void readersTranslateWhatADeferredCompactionLeft() throws Exception {
    create(3, 4, false);
    delete("k IN (1, 6)");
    IndexMetadata before = only();

    compact(DEFERRED);

    assertThat(only()).isEqualTo(before);
    assertThat(deferredVersions()).hasSize(1);
    check(14, 3);
    // Whatever is committed next stores what the segment covers now; its files are as before.
    change(dataset -> dataset.updateConfig(Map.of("a", "b")));
    assertThat(only()).isEqualTo(before.withFragments(ids(3)));
    check(14, 3);
  }

  @Test
  void rowsMayMoveAgainBeforeIndicesCatchUp() throws Exception {
    create(4, 4, false);
    compact(CompactionOptions.builder().targetRowsPerFragment(8).deferIndexRemap(true).build());
    check(16, 4, 5);
    delete("k = 9");
    compact(DEFERRED);

    assertThat(deferredVersions()).hasSize(2);
    assertThat(only().fragments()).contains(ids(4, 5));
    check(16, 6);
  }

  /** The real library finds no key after this. */
  @Test
  void anEagerCompactionTranslatesWhatAnEarlierOneDeferred() throws Exception {
    create(3, 4, false);
    compact(DEFERRED);
    delete("k IN (5, 6)");

    compact(EAGER);

    check(12, 4);
    assertThat(only().fragments()).contains(ids(4));
  }

  /** The real library finds only rows that were appended. */
  @Test
  void optimizingTranslatesWhatACompactionDeferred() throws Exception {
    create(3, 4, false);
    compact(DEFERRED);
    append(12, 15);

    change(dataset -> dataset.optimizeIndices(OptimizeOptions.merge(1)));

    check(15, 3, 4);
  }

  @Test
  void indicesCatchUpAndThenTheRecordIsTrimmed() throws Exception {
    create(3, 4, false);
    delete("k = 5");
    compact(DEFERRED);
    change(Dataset::trimFragmentReuse);
    assertThat(deferredVersions()).hasSize(1);
    IndexMetadata before = only();

    change(Dataset::remapIndices);

    assertThat(only().uuid()).isNotEqualTo(before.uuid());
    assertThat(only().fragments()).contains(ids(3));
    check(12, 3);
    change(Dataset::trimFragmentReuse);
    assertThat(deferredVersions()).isEmpty();
    check(12, 3);
    try (Dataset dataset = open();
        Dataset remapped = dataset.remapIndices("k_idx");
        Dataset trimmed = remapped.trimFragmentReuse()) {
      assertThat(trimmed.version()).isEqualTo(dataset.version());
    }
  }

  /** A commit in between stores a coverage that says nothing about the segment's files. */
  @Test
  void aCoverageThatWasBroughtUpToDateIsNoSignOfCatchingUp() throws Exception {
    create(3, 4, false);
    compact(DEFERRED);
    append(12, 16);
    assertThat(only().fragments()).contains(ids(3));

    change(Dataset::trimFragmentReuse);

    assertThat(deferredVersions()).hasSize(1);
    change(Dataset::remapIndices);
    change(Dataset::trimFragmentReuse);
    assertThat(deferredVersions()).isEmpty();
    check(16, 3);
  }

  @Test
  void anIndexThatWasBuiltMeanwhileCountsAsBehind() throws Exception {
    create(3, 4, false);
    try (Dataset read = open()) {
      RewriteResult result = read.planCompaction(DEFERRED).tasks().get(0).execute(read);
      change(
          dataset ->
              dataset.createIndex(
                  "k", ScalarIndexSpec.btree(), IndexOptions.builder().replace(true).build()));
      read.commitCompaction(List.of(result), DEFERRED).dataset().close();
    }
    append(12, 13);
    check(13, 3);

    change(Dataset::trimFragmentReuse);

    assertThat(deferredVersions()).hasSize(1);
    check(13, 3);
  }

  /** The real library loses the record of the first. */
  @Test
  void twoDeferredCompactionsOfOneVersionGoTogether() throws Exception {
    create(6, 3, false);
    CompactionOptions options =
        CompactionOptions.builder().targetRowsPerFragment(6).deferIndexRemap(true).build();
    try (Dataset read = open();
        Dataset other = open()) {
      List<CompactionTask> tasks = read.planCompaction(options).tasks();
      RewriteResult first = tasks.get(0).execute(read);
      RewriteResult second = tasks.get(2).execute(other);
      read.commitCompaction(List.of(first), options).dataset().close();
      other.commitCompaction(List.of(second), options).dataset().close();
    }

    assertThat(deferredVersions()).hasSize(2);
    check(18, 2, 3, 6, 7);
  }

  @Test
  void anIndexBuiltSinceThePlanMustNotBeLostSightOf() throws Exception {
    create(3, 4, false);
    try (Dataset read = open()) {
      RewriteResult result = read.planCompaction(EAGER).tasks().get(0).execute(read);
      change(
          dataset ->
              dataset.createIndex(
                  "k", ScalarIndexSpec.btree(), IndexOptions.builder().replace(true).build()));

      assertThatThrownBy(() -> read.commitCompaction(List.of(result), EAGER))
          .isInstanceOfSatisfying(
              CommitConflictException.class, e -> assertThat(e.isRetryable()).isTrue())
          .hasMessageContaining("CreateIndex");
      // Neither the segment that was replaced nor one that was translated in vain is used.
      assertThat(segmentsOnDisk()).isEqualTo(2);
    }
    check(12, 0, 1, 2);
  }

  @Test
  void anIndexThatWasDroppedMeanwhileDoesNotComeBack() throws Exception {
    create(3, 4, false);
    try (Dataset read = open()) {
      RewriteResult result = read.planCompaction(EAGER).tasks().get(0).execute(read);
      change(dataset -> dataset.dropIndex("k_idx"));
      read.commitCompaction(List.of(result), EAGER).dataset().close();
    }
    assertThat(stored()).isEmpty();
  }

  /** Reported of a database whose second delete by an indexed column failed. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsAreDeletedByAnIndexedColumnAgainAndAgain(boolean stable) throws Exception {
    create(2, 10, stable);
    assertThat(count()).isEqualTo(20);
    delete("k = 3");
    assertThat(count()).isEqualTo(19);
    delete("k IN (4, 13)");
    assertThat(count()).isEqualTo(17);
    compact(EAGER);
    delete("k >= 15");
    assertThat(count()).isEqualTo(12);
    check(20, 2);
  }

  private long count() {
    try (Dataset dataset = open()) {
      return dataset.countRows();
    }
  }
}
