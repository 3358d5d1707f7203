package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.VectorStates.Kind;
import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.CommitConflictException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.ScalarIndexSpec;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType.Quantization;
import dev.lance4j.scan.VectorQuery;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts of vector indices are built on several machines and committed by one. */
class DistributedVectorIndexTest {
  private static final int ROWS = 400;
  private static final int PARTITIONS = VectorStates.PARTITIONS;

  private final SplittableRandom random = new SplittableRandom(8);

  static List<Kind> kinds() {
    return VectorStates.kinds();
  }

  /** Four fragments. */
  private VectorTwin table(boolean stable) {
    Map<Long, double[][]> rows = VectorTwin.random(0, ROWS, random);
    // The components of vectors have other bounds in each fragment.
    for (int fragment = 0; fragment < 4; fragment++) {
      rows.get(fragment * (ROWS / 4L))[0][0] = 3 + fragment;
    }
    return VectorTwin.ofVectors(rows, stable, ROWS / 4);
  }

  /** What another machine gets of something. */
  private static <T> T sent(T object, Class<T> type) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return type.cast(in.readObject());
    }
  }

  private static IndexSegment build(VectorTwin twin, VectorIndexSpec spec, long... fragments)
      throws Exception {
    List<Long> ids = new ArrayList<>();
    for (long fragment : fragments) {
      ids.add(fragment);
    }
    VectorIndexSpec there = sent(spec, VectorIndexSpec.class);
    IndexSegment built = twin.dataset().buildIndexSegment("v", there, ids);
    assertThat(built.fragmentIds()).isEqualTo(ids);
    return sent(built, IndexSegment.class);
  }

  private void check(VectorTwin twin, String when) throws Exception {
    double[][] place = {VectorTwin.vector(random)};
    VectorQuery query = VectorQuery.of("v", place[0]).k(9).probes(PARTITIONS).refine(60);
    assertThat(twin.dataset().scan().nearest(query).explain()).contains("Search index by_v");
    twin.check(query, place, Metric.L2, when);
  }

  private static int segments(VectorTwin twin) {
    return twin.dataset().describeIndices().get(0).segments().size();
  }

  private static void commit(VectorTwin twin, IndexSegment... segments) {
    twin.maintain(dataset -> dataset.commitIndexSegments("by_v", "v", List.of(segments)));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void partsThatShareAModelAreSearchedAndMerged(Kind kind) throws Exception {
    try (VectorTwin twin = table(kind.stable())) {
      VectorIndexSpec shared = twin.dataset().prepareVectorIndex("v", kind.spec(Metric.L2));
      IndexSegment first = build(twin, shared, 0, 1);
      IndexSegment second = build(twin, shared, 2);
      assertThat(twin.dataset().latest().describeIndices()).isEmpty();
      twin.append(VectorTwin.random(ROWS, 40, random));
      commit(twin, first, second);
      assertThat(segments(twin)).isEqualTo(2);
      assertThat(twin.dataset().describeIndices().get(0).rowsIndexed()).isEqualTo(300);
      check(twin, "parts");
      twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.merge(2)));
      // Each part has bounds of its own, by which codes of bytes are made.
      boolean ownBounds = kind.type().quantization() == Quantization.SCALAR;
      assertThat(segments(twin)).isEqualTo(ownBounds ? 2 : 1);
      check(twin, "merged parts");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void partsAreMergedBeforeTheyAreCommitted(Kind kind) throws Exception {
    try (VectorTwin twin = table(kind.stable())) {
      VectorIndexSpec shared = twin.dataset().prepareVectorIndex("v", kind.spec(Metric.L2));
      List<IndexSegment> parts = List.of(build(twin, shared, 0, 3), build(twin, shared, 1));
      if (kind.type().quantization() == Quantization.SCALAR) {
        assertThatThrownBy(() -> twin.dataset().mergeIndexSegments(parts))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("trained apart");
        return;
      }
      IndexSegment merged = twin.dataset().mergeIndexSegments(parts);
      assertThat(merged.fragmentIds()).containsExactly(0L, 1L, 3L);
      commit(twin, merged, build(twin, shared, 2));
      assertThat(segments(twin)).isEqualTo(2);
      check(twin, "merged parts");
      twin.delete(3, 1);
      twin.maintain(dataset -> dataset.compact().dataset());
      check(twin, "compaction");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void partsWithModelsOfTheirOwnAreSearchedButNotMerged(Kind kind) throws Exception {
    try (VectorTwin twin = table(kind.stable())) {
      VectorIndexSpec spec = kind.spec(Metric.L2);
      List<IndexSegment> parts =
          List.of(build(twin, spec.seed(1), 0), build(twin, spec.seed(2), 1, 2, 3));
      assertThatThrownBy(() -> twin.dataset().mergeIndexSegments(parts))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("trained apart");
      commit(twin, parts.get(0), parts.get(1));
      check(twin, "parts");
      long version = twin.dataset().version();
      twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.merge(2)));
      assertThat(twin.dataset().version()).isEqualTo(version);
      twin.append(VectorTwin.random(ROWS, 40, random));
      twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.merge(9)));
      assertThat(segments(twin)).isEqualTo(2);
      check(twin, "new rows in the newest part");
      twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.retrain()));
      assertThat(segments(twin)).isEqualTo(1);
      check(twin, "retrained");
    }
  }

  @Test
  void partsMustCoverDifferentFragmentsOfTheVersionTheyWereBuiltFrom() throws Exception {
    VectorIndexSpec spec = VectorIndexSpec.ivfFlat().partitions(PARTITIONS);
    try (VectorTwin twin = table(false);
        VectorTwin longer =
            VectorTwin.ofVectors(VectorTwin.random(0, ROWS, random), false, ROWS / 8)) {
      IndexSegment first = build(twin, spec, 0, 1);
      IndexSegment second = build(twin, spec, 1, 2);
      assertThatThrownBy(() -> commit(twin, first, second))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("cover fragment 1");
      assertThatThrownBy(() -> commit(twin, first, first))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("cover fragment 0");
      assertThatThrownBy(() -> twin.dataset().mergeIndexSegments(List.of(first, second)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("covers fragment 1, which another one covers too");
      assertThatThrownBy(() -> build(twin, spec, 1, 9))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("no fragment 9");
      IndexSegment foreign = build(longer, spec, 6);
      assertThatThrownBy(() -> commit(twin, first, foreign))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("covers fragment 6")
          .hasMessageContaining("another table");
      longer.append(VectorTwin.random(ROWS, 10, random));
      IndexSegment later = build(longer, spec, 2);
      assertThatThrownBy(() -> commit(twin, later))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("is later than");
      assertThat(twin.dataset().latest().describeIndices()).isEmpty();
    }
  }

  @Test
  void partsMustBeOfOneKindColumnAndVersion() throws Exception {
    VectorIndexSpec spec = VectorIndexSpec.ivfFlat().partitions(PARTITIONS);
    try (VectorTwin twin = table(false)) {
      IndexSegment first = build(twin, spec, 0);
      List<IndexSegment> others =
          List.of(
              build(twin, spec.metric(Metric.COSINE), 1),
              build(twin, VectorIndexSpec.ivfSq().partitions(PARTITIONS), 1));
      for (IndexSegment other : others) {
        assertThatThrownBy(() -> commit(twin, first, other))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("kinds IVF_FLAT by l2 and");
        assertThatThrownBy(() -> twin.dataset().mergeIndexSegments(List.of(first, other)))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("not of the same kind");
      }
      assertThatThrownBy(() -> twin.dataset().commitIndexSegments("by_v", "k", List.of(first)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("not one of column 'k'");
      assertThatThrownBy(() -> twin.dataset().commitIndexSegments("by_v", "v", List.of()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("at least one segment");
      assertThatThrownBy(() -> twin.dataset().mergeIndexSegments(List.of()))
          .isInstanceOf(InvalidInputException.class);
      twin.append(VectorTwin.random(ROWS, 40, random));
      IndexSegment next = build(twin, spec, 4);
      assertThatThrownBy(() -> commit(twin, first, next))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("built from versions");
      assertThatThrownBy(() -> twin.dataset().mergeIndexSegments(List.of(first)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("built from version");
    }
  }

  /** Rows that changed since the parts were built are found as they are. */
  @ParameterizedTest
  @MethodSource("kinds")
  void rowsMayBeDeletedBeforePartsAreCommittedButNotRewritten(Kind kind) throws Exception {
    try (VectorTwin twin = table(kind.stable())) {
      IndexSegment part = build(twin, kind.spec(Metric.L2), 0, 1, 2, 3);
      IndexSegment late = build(twin, kind.spec(Metric.L2), 0, 1, 2, 3);
      twin.delete(6, 5);
      commit(twin, part);
      check(twin, "delete");
      CompactionOptions all =
          CompactionOptions.builder()
              .targetRowsPerFragment(10_000)
              .materializeDeletionsThreshold(0)
              .build();
      twin.maintain(dataset -> dataset.compact(all).dataset());
      check(twin, "compaction");
      assertThatThrownBy(() -> commit(twin, late)).isInstanceOf(CommitConflictException.class);
      check(twin, "conflict");
    }
  }

  @Test
  void partsOfScalarIndicesAreMergedToo() throws Exception {
    try (VectorTwin twin = table(false)) {
      for (ScalarIndexSpec spec : IndexKindsUnderTest.ofValues()) {
        List<IndexSegment> parts =
            List.of(
                twin.dataset().buildIndexSegment("k", spec, List.of(0L, 2L)),
                twin.dataset().buildIndexSegment("k", spec, List.of(1L)));
        IndexSegment merged = twin.dataset().mergeIndexSegments(parts);
        assertThat(merged.fragmentIds()).containsExactly(0L, 1L, 2L);
        twin.maintain(dataset -> dataset.commitIndexSegments("by_k", "k", List.of(merged)));
        assertThat(VectorTwin.keys(twin.dataset().scan().where("k IN (3, 150, 399)")))
            .containsExactly(3L, 150L, 399L);
        twin.maintain(dataset -> dataset.dropIndex("by_k"));
      }
    }
  }
}
