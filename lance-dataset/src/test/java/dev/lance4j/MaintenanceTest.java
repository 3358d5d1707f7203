package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.MaintenancePolicy;
import dev.lance4j.compaction.MaintenanceReport;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.compaction.Recommendation;
import dev.lance4j.compaction.Recommendation.Action;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.ScalarIndexSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MaintenanceTest {
  /** Fragments of ten rows are as large as they should be. */
  private static final CompactionOptions TEN_ROWS =
      CompactionOptions.builder().targetRowsPerFragment(10).build();

  private static final MaintenancePolicy POLICY =
      MaintenancePolicy.builder().compaction(TEN_ROWS).build();

  private final BufferAllocator allocator = new RootAllocator();
  private final List<Dataset> open = new ArrayList<>();
  private Dataset songs;

  @TempDir private Path folder;

  /** Thirty rows in three fragments, with an index. */
  @BeforeEach
  void createTable() {
    songs = kept(Songs.create(folder.resolve("t").toString(), 30, 10, allocator));
    songs = kept(songs.createIndex("k", ScalarIndexSpec.btree()));
  }

  @AfterEach
  void nothingIsLeaked() {
    open.forEach(Dataset::close);
    allocator.close();
  }

  private Dataset kept(Dataset dataset) {
    open.add(dataset);
    return dataset;
  }

  private void append(int start, int count) {
    try (VectorSchemaRoot rows = Songs.rows(start, start + count, allocator)) {
      songs = kept(songs.append(rows));
    }
  }

  private List<Action> recommended(MaintenancePolicy policy) {
    return songs.maintenance().recommend(policy).stream().map(Recommendation::action).toList();
  }

  @Test
  void nothingIsRecommendedForATableInOrder() {
    assertThat(songs.maintenance().recommend(POLICY)).isEmpty();
    MaintenanceResult result = songs.maintenance().run(POLICY);
    assertThat(kept(result.dataset()).version()).isEqualTo(songs.version());
    assertThat(result.done()).isEmpty();
  }

  @Test
  void theReportTellsTheStateOfFragmentsAndIndices() {
    songs = kept(songs.delete("k IN (1, 2, 25)").dataset());
    append(30, 4);
    MaintenanceReport report = songs.maintenance().report();
    assertThat(report.liveRows()).isEqualTo(31);
    assertThat(report.deletedRows()).isEqualTo(3);
    assertThat(report.fragments())
        .extracting(MaintenanceReport.FragmentState::deletedRows)
        .containsExactly(2L, 0L, 1L, 0L);
    assertThat(report.smallFragments()).isEqualTo(4);
    MaintenanceReport.IndexState index = report.indices().get(0);
    assertThat(index.indexedRows()).isEqualTo(27);
    assertThat(index.unindexedRows()).isEqualTo(4);
    assertThat(index.unindexedRatio()).isEqualTo(4 / 31.0);
    assertThat(index.segments()).hasSize(1);
    assertThat(index.bytes()).isPositive();
    assertThat(report.remapBacklog()).isZero();
    assertThat(report.toString())
        .contains("31 rows in 4 fragments (4 small), 3 deleted rows")
        .contains("BTree k_idx: 1 segments")
        .contains("27 rows indexed, 4 not (12.9 %)");
  }

  @Test
  void uncoveredRowsBecomeASegmentAndManySegmentsOne() {
    append(30, 10);
    assertThat(recommended(POLICY)).containsExactly(Action.APPEND_DELTA);
    MaintenanceResult appended = songs.maintenance().run(POLICY);
    songs = kept(appended.dataset());
    assertThat(appended.done().get(0).reason()).contains("10 rows (25.0 %) are not indexed");
    assertThat(songs.describeIndices().get(0).segments()).hasSize(2);
    assertThat(recommended(POLICY)).isEmpty();

    MaintenancePolicy oneSegment =
        MaintenancePolicy.builder().compaction(TEN_ROWS).maxSegments(1).build();
    assertThat(recommended(oneSegment)).containsExactly(Action.MERGE_SEGMENTS);
    songs = kept(songs.maintenance().run(oneSegment).dataset());
    assertThat(songs.describeIndices().get(0).segments()).hasSize(1);
    assertThat(songs.describeIndices().get(0).rowsIndexed()).isEqualTo(40);
  }

  @Test
  void smallFragmentsAndDeletedRowsAreCompactedBeforeIndicesFollow() {
    songs = kept(songs.delete("k < 2").dataset());
    append(30, 4);
    append(34, 4);
    List<Recommendation> all = songs.maintenance().recommend(POLICY);
    assertThat(all)
        .extracting(Recommendation::action)
        .containsExactly(Action.COMPACT, Action.APPEND_DELTA);
    assertThat(all.get(0).reason()).contains("2 of 5 fragments are small and 1 have many deleted");
    songs = kept(songs.maintenance().run(POLICY).dataset());
    assertThat(songs.countRows()).isEqualTo(36);
    assertThat(songs.maintenance().report().deletedRows()).isZero();
    assertThat(songs.describeIndices().get(0).rowsIndexed()).isEqualTo(36);
    assertThat(recommended(POLICY)).doesNotContain(Action.APPEND_DELTA);
  }

  @Test
  void onlyAMeasuredRecallThatIsTooLowAsksForRetraining() {
    MaintenancePolicy good =
        MaintenancePolicy.builder()
            .compaction(TEN_ROWS)
            .measuredRecall(Map.of("k_idx", 0.95))
            .build();
    assertThat(recommended(good)).isEmpty();
    MaintenancePolicy bad =
        MaintenancePolicy.builder()
            .compaction(TEN_ROWS)
            .measuredRecall(Map.of("k_idx", 0.5))
            .minRecall(0.8)
            .build();
    assertThat(recommended(bad)).containsExactly(Action.RETRAIN);
    songs = kept(songs.maintenance().run(bad).dataset());
    assertThat(songs.describeIndices().get(0).segments()).hasSize(1);
  }

  @Test
  void aBacklogOfDeferredRemapsIsReportedCaughtUpWithAndForgotten() {
    CompactionOptions deferred =
        CompactionOptions.builder().targetRowsPerFragment(20).deferIndexRemap(true).build();
    songs = kept(songs.compact(deferred).dataset());
    UUID before = songs.describeIndices().get(0).segments().get(0).uuid();
    MaintenanceReport report = songs.maintenance().report();
    assertThat(report.remapBacklog()).isEqualTo(1);
    assertThat(report.remapBacklogRows()).isEqualTo(30);
    assertThat(report.toString()).contains("1 rewrites").contains("of 30 rows");
    MaintenancePolicy patient =
        MaintenancePolicy.builder().compaction(TEN_ROWS).maxRemapBacklog(1).build();
    assertThat(recommended(patient)).isEmpty();

    MaintenanceResult result = songs.maintenance().run(POLICY);

    songs = kept(result.dataset());
    assertThat(result.done()).extracting(Recommendation::action).containsExactly(Action.REMAP);
    assertThat(result.done().get(0).reason())
        .isEqualTo("1 compactions left indices as they were, more than 0");
    assertThat(result.done().get(0).expectedGain()).contains("30 addresses");
    assertThat(songs.maintenance().report().remapBacklog()).isZero();
    assertThat(songs.describeIndices().get(0).segments().get(0).uuid()).isNotEqualTo(before);
    assertThat(recommended(POLICY)).isEmpty();
    for (int k = 0; k < 30; k++) {
      assertThat(songs.countRows("k = " + k)).isEqualTo(1);
    }
  }

  @Test
  void thresholdsOutOfRangeAreNamed() {
    assertThatThrownBy(() -> MaintenancePolicy.builder().maxUnindexedRatio(1.5))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("maxUnindexedRatio must be from 0 to 1");
    assertThatThrownBy(() -> MaintenancePolicy.builder().maxSegments(0))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("maxSegments");
    assertThatThrownBy(() -> MaintenancePolicy.builder().maxRemapBacklog(-1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("maxRemapBacklog must not be negative");
    assertThatThrownBy(() -> OptimizeOptions.merge(-1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("must not be negative");
  }
}
