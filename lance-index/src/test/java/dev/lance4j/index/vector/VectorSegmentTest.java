package dev.lance4j.index.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.internal.segment.RowTranslation;
import dev.lance4j.rowid.RowIdSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.table.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Segments that are built and searched, against the exact neighbours. */
class VectorSegmentTest {
  // The order in which vector instructions add the lanes of a sum is not defined.
  private static final Offset<Float> SUM_ORDER = Offset.offset(1e-3f);

  private static final int ROWS = 3_000;
  private static final int DIMENSION = 32;
  private static final int K = 10;

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final Session session = Session.create();

  @AfterEach
  void nothingIsLeaked() {
    session.close();
    allocator.close();
  }

  private static VectorIndexSpec spec(VectorIndexType type) {
    VectorIndexSpec spec = VectorIndexSpec.of(type).partitions(8).maxIterations(15);
    return type.quantization() == VectorIndexType.Quantization.PRODUCT ? spec.subVectors(16) : spec;
  }

  private VectorFixtures.Source source(float[][] vectors) {
    return new VectorFixtures.Source(VectorElement.FLOAT32, vectors, 256, allocator);
  }

  private BuiltSegment build(VectorIndexSpec spec, VectorSource source, String directory) {
    return VectorSegmentBuilder.of(spec)
        .build(source, store, directory, FileVersion.V2_1, allocator);
  }

  private VectorSegment open(String directory) {
    return VectorSegment.open(store, directory, session, allocator);
  }

  /** The ids of the nearest rows that are selected, the nearest first. */
  private static List<Long> truth(
      Metric metric, float[][] vectors, float[] query, RowMask<?> mask) {
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < vectors.length; i++) {
      if (vectors[i] != null && (mask == null || mask.selects(VectorFixtures.FIRST_ROW_ID + i))) {
        rows.add(i);
      }
    }
    rows.sort(Comparator.comparingDouble(i -> VectorFixtures.distance(metric, query, vectors[i])));
    return rows.stream().limit(K).map(i -> VectorFixtures.FIRST_ROW_ID + i).toList();
  }

  private static double recall(
      VectorSegment segment, float[][] vectors, VectorSearch search, RowMask<?> mask) {
    int queries = 40;
    int found = 0;
    int expected = 0;
    for (int q = 0; q < queries; q++) {
      float[] query = vectors[q * 31].clone();
      for (int d = 0; d < query.length; d++) {
        query[d] += 0.3f * (d % 3 - 1);
      }
      Neighbors neighbors = segment.search(QueryVector.of(query), search, mask);
      Set<Long> ids = new HashSet<>();
      for (long id : neighbors.rowIds()) {
        ids.add(id);
      }
      List<Long> truth = truth(segment.metric(), vectors, query, mask);
      expected += truth.size();
      ids.retainAll(truth);
      found += ids.size();
    }
    return (double) found / expected;
  }

  @ParameterizedTest
  @CsvSource({
    "IVF_FLAT, L2, 1.0",
    "IVF_FLAT, COSINE, 1.0",
    "IVF_FLAT, DOT, 1.0",
    "IVF_SQ, L2, 0.95",
    "IVF_SQ, COSINE, 0.95",
    "IVF_SQ, DOT, 0.95",
    "IVF_PQ, L2, 0.7",
    "IVF_PQ, COSINE, 0.7",
    "IVF_PQ, DOT, 0.6",
    "IVF_RQ, L2, 0.3",
    "IVF_RQ, COSINE, 0.3",
    "IVF_RQ, DOT, 0.3",
    "IVF_HNSW_FLAT, L2, 0.98",
    "IVF_HNSW_FLAT, COSINE, 0.98",
    "IVF_HNSW_FLAT, DOT, 0.9",
    "IVF_HNSW_SQ, L2, 0.93",
    "IVF_HNSW_SQ, DOT, 0.85",
    "IVF_HNSW_PQ, L2, 0.68",
    "IVF_HNSW_PQ, COSINE, 0.68"
  })
  void theNearestRowsAreFound(VectorIndexType type, Metric metric, double recall) {
    float[][] vectors = VectorFixtures.clustered(ROWS, DIMENSION, 20, 1);
    BuiltSegment built = build(spec(type).metric(metric), source(vectors), "a");
    assertThat(built.rows()).isEqualTo(ROWS);
    try (VectorSegment segment = open("a")) {
      assertThat(segment.type()).isEqualTo(type);
      assertThat(segment.partitionCount()).isEqualTo(8);
      VectorSearch search = VectorSearch.of(K).probes(8);
      assertThat(recall(segment, vectors, search, null)).isGreaterThanOrEqualTo(recall);
      RowIdSet.Builder some = RowIdSet.builder();
      for (int i = 0; i < ROWS; i += 3) {
        some.add(VectorFixtures.FIRST_ROW_ID + i);
      }
      RowIdSet rows = some.build();
      assertThat(recall(segment, vectors, search, RowMask.allow(rows)))
          .isGreaterThanOrEqualTo(recall - 0.02);
      assertThat(recall(segment, vectors, search, RowMask.block(rows)))
          .isGreaterThanOrEqualTo(recall - 0.02);
    }
  }

  @Test
  void distancesOfFlatIndicesAreExact() {
    float[][] vectors = VectorFixtures.clustered(500, 24, 5, 2);
    for (Metric metric : List.of(Metric.L2, Metric.COSINE, Metric.DOT)) {
      build(spec(VectorIndexType.IVF_FLAT).metric(metric), source(vectors), metric.name());
      try (VectorSegment segment = open(metric.name())) {
        Neighbors found =
            segment.search(QueryVector.of(vectors[3]), VectorSearch.of(500).probes(8), null);
        assertThat(found.size()).isEqualTo(500);
        for (int i = 0; i < found.size(); i++) {
          int row = (int) (found.rowIds()[i] - VectorFixtures.FIRST_ROW_ID);
          double exact = VectorFixtures.distance(metric, vectors[3], vectors[row]);
          assertThat((double) found.distances()[i])
              .isCloseTo(exact, within(1e-4 * Math.max(1, Math.abs(exact))));
        }
      }
    }
  }

  @Test
  void bitsAreFoundByTheirDifferences() {
    float[][] vectors = new float[700][8];
    SplittableRandom random = new SplittableRandom(4);
    for (float[] vector : vectors) {
      for (int d = 0; d < 8; d++) {
        vector[d] = random.nextInt(256);
      }
    }
    VectorFixtures.Source source =
        new VectorFixtures.Source(VectorElement.UINT8, vectors, 100, allocator);
    build(spec(VectorIndexType.IVF_FLAT).metric(Metric.HAMMING), source, "b");
    try (VectorSegment segment = open("b")) {
      byte[] query = new byte[8];
      for (int d = 0; d < 8; d++) {
        query[d] = (byte) (int) vectors[9][d];
      }
      Neighbors found =
          segment.search(QueryVector.ofBits(query), VectorSearch.of(20).probes(8), null);
      double[] exact = new double[vectors.length];
      for (int i = 0; i < exact.length; i++) {
        exact[i] = VectorFixtures.distance(Metric.HAMMING, vectors[9], vectors[i]);
      }
      for (int i = 0; i < found.size(); i++) {
        int row = (int) (found.rowIds()[i] - VectorFixtures.FIRST_ROW_ID);
        assertThat((double) found.distances()[i]).isEqualTo(exact[row]);
      }
      Arrays.sort(exact);
      assertThat((double) found.distances()[19]).isEqualTo(exact[19]);
      assertThatThrownBy(
              () -> segment.search(QueryVector.of(new float[8]), VectorSearch.of(1), null))
          .isInstanceOf(InvalidInputException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(VectorIndexType.class)
  void rowsWithoutAPlaceAreLeftOut(VectorIndexType type) {
    float[][] vectors = VectorFixtures.clustered(600, 16, 5, 3);
    vectors[0] = null;
    vectors[7][3] = Float.NaN;
    vectors[9][0] = Float.NEGATIVE_INFINITY;
    vectors[11] = new float[16];
    int left = 596;
    VectorIndexSpec spec = spec(type).partitions(3);
    assertThat(build(spec.metric(Metric.COSINE), source(vectors), "c").rows()).isEqualTo(left);
    assertThat(build(spec.metric(Metric.L2), source(vectors), "l").rows()).isEqualTo(left + 1);
    try (VectorSegment segment = open("l")) {
      Neighbors all =
          segment.search(QueryVector.of(vectors[1]), VectorSearch.of(700).probes(3).ef(700), null);
      assertThat(all.rowIds())
          .hasSize(597)
          .doesNotHaveDuplicates()
          .doesNotContain(1000, 1007, 1009);
    }
  }

  @Test
  void moreProbesAreMadeWhileTooFewRowsAreFound() {
    float[][] vectors = VectorFixtures.clustered(ROWS, DIMENSION, 20, 5);
    build(spec(VectorIndexType.IVF_FLAT).partitions(20), source(vectors), "p");
    RowMask<?> few = RowMask.allow(RowIdSet.of(1000, 1500, 2000, 2500, 3000, 3999));
    try (VectorSegment segment = open("p")) {
      QueryVector query = QueryVector.of(vectors[0]);
      assertThat(segment.search(query, VectorSearch.of(K), few).size()).isEqualTo(6);
      assertThat(segment.search(query, VectorSearch.of(K).probes(1), few).size())
          .isLessThanOrEqualTo(5);
      assertThat(segment.search(query, VectorSearch.of(K).probes(1), null).size()).isEqualTo(K);
    }
  }

  @Test
  void distancesAreBounded() {
    float[][] vectors = VectorFixtures.clustered(900, 16, 4, 6);
    for (VectorIndexType type : List.of(VectorIndexType.IVF_FLAT, VectorIndexType.IVF_HNSW_FLAT)) {
      build(spec(type).partitions(2), source(vectors), type.name());
      try (VectorSegment segment = open(type.name())) {
        QueryVector query = QueryVector.of(vectors[5]);
        VectorSearch search = VectorSearch.of(900).probes(2).ef(1_000);
        Neighbors all = segment.search(query, search, null);
        float lower = all.distances()[10];
        float upper = all.distances()[30];
        Neighbors some = segment.search(query, search.distanceRange(lower, upper), null);
        assertThat(some.rowIds()).isEqualTo(Arrays.copyOfRange(all.rowIds(), 10, 30));
      }
    }
  }

  @Test
  void segmentsWithASharedModelFindWhatOneDoes() {
    float[][] vectors = VectorFixtures.clustered(2_000, DIMENSION, 20, 7);
    VectorIndexSpec shared =
        VectorSegmentBuilder.of(spec(VectorIndexType.IVF_PQ)).train(source(vectors));
    build(shared, source(vectors), "whole");
    float[][] first = vectors.clone();
    float[][] second = vectors.clone();
    Arrays.fill(first, 800, 2_000, null);
    Arrays.fill(second, 0, 800, null);
    build(shared, source(first), "first");
    build(shared, source(second), "second");
    List<RowMask<?>> masks = new ArrayList<>(Arrays.asList(null, null));
    try (VectorSegment whole = open("whole");
        VectorSegment one = open("first");
        VectorSegment other = open("second")) {
      VectorSearch search = VectorSearch.of(K).probes(8);
      for (int q = 0; q < 20; q++) {
        QueryVector query = QueryVector.of(vectors[q * 50]);
        Neighbors expected = whole.search(query, search, null);
        Neighbors actual = VectorSegment.search(List.of(one, other), masks, query, search);
        assertThat(actual.rowIds()).isEqualTo(expected.rowIds());
        assertThat(actual.distances()).containsExactly(expected.distances(), SUM_ORDER);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"IVF_FLAT", "IVF_SQ", "IVF_PQ", "IVF_RQ"})
  void neitherThreadsNorMemoryChangeTheFiles(VectorIndexType type) {
    float[][] vectors = VectorFixtures.clustered(ROWS, DIMENSION, 20, 8);
    build(spec(type), source(vectors), "alone");
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      VectorSegmentBuilder.of(spec(type))
          .parallel(3, executor)
          .memory(20_000)
          .build(source(vectors), store, "together", FileVersion.V2_1, allocator);
    } finally {
      executor.shutdown();
    }
    for (String file : List.of("/index.idx", "/auxiliary.idx")) {
      try (ObjectReader expected = store.open("alone" + file);
          ObjectReader actual = store.open("together" + file)) {
        assertThat(actual.size()).isEqualTo(expected.size());
      }
    }
    try (VectorSegment expected = open("alone");
        VectorSegment actual = open("together")) {
      VectorSearch search = VectorSearch.of(100).probes(8);
      for (int q = 0; q < 5; q++) {
        QueryVector query = QueryVector.of(vectors[q]);
        Neighbors one = expected.search(query, search, null);
        Neighbors other = actual.search(query, search, null);
        assertThat(other.rowIds()).isEqualTo(one.rowIds());
        assertThat(other.distances()).containsExactly(one.distances(), SUM_ORDER);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(VectorIndexType.class)
  void mergedSegmentsFindWhatOneDoes(VectorIndexType type) {
    float[][] vectors = VectorFixtures.clustered(1_500, DIMENSION, 10, 12);
    VectorIndexSpec spec = spec(type).partitions(4);
    build(spec, source(vectors), "whole");
    float[][] late = vectors.clone();
    Arrays.fill(late, 0, 1_200, null);
    try (VectorSegment whole = open("whole")) {
      // The last rows are gone from the old segment, and come again with their vectors.
      RowTranslation moved =
          row -> row >= VectorFixtures.FIRST_ROW_ID + 1_200 ? RowTranslation.GONE : row;
      BuiltSegment merged =
          VectorSegmentBuilder.of(spec)
              .merge(
                  List.of(whole),
                  List.of(moved),
                  source(late),
                  store,
                  "merged",
                  FileVersion.V2_1,
                  allocator);
      assertThat(merged.rows()).isEqualTo(1_500);
      try (VectorSegment segment = open("merged")) {
        VectorSearch search = VectorSearch.of(K).probes(4).ef(1_500);
        for (int q = 0; q < 20; q++) {
          QueryVector query = QueryVector.of(vectors[q * 70]);
          Neighbors expected = whole.search(query, search, null);
          Neighbors actual = segment.search(query, search, null);
          assertThat(actual.distances()).containsExactly(expected.distances(), SUM_ORDER);
          assertThat(actual.rowIds()).isEqualTo(expected.rowIds());
        }
      }
    }
  }

  @Test
  void segmentsOfDifferentModelsAreNotMerged() {
    float[][] vectors = VectorFixtures.clustered(600, 16, 10, 13);
    VectorIndexSpec spec = spec(VectorIndexType.IVF_RQ).partitions(2);
    VectorIndexSpec given = VectorSegmentBuilder.of(spec).train(source(vectors));
    build(given.seed(1), source(vectors), "x");
    build(given.seed(2), source(vectors), "y");
    try (VectorSegment x = open("x");
        VectorSegment y = open("y")) {
      List<RowTranslation> kept = List.of(RowTranslation.KEEP, RowTranslation.KEEP);
      VectorSegmentBuilder builder = VectorSegmentBuilder.of(spec);
      assertThatThrownBy(
              () ->
                  builder.merge(List.of(x, y), kept, null, store, "z", FileVersion.V2_1, allocator))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("trained apart");
    }
  }

  @Test
  void graphsAreBuiltByManyThreads() {
    float[][] vectors = VectorFixtures.clustered(ROWS, DIMENSION, 20, 9);
    ExecutorService executor = Executors.newFixedThreadPool(3);
    try {
      VectorSegmentBuilder.of(spec(VectorIndexType.IVF_HNSW_FLAT).partitions(1))
          .parallel(4, executor)
          .build(source(vectors), store, "h", FileVersion.V2_1, allocator);
    } finally {
      executor.shutdown();
    }
    try (VectorSegment segment = open("h")) {
      assertThat(recall(segment, vectors, VectorSearch.of(K).probes(1), null))
          .isGreaterThanOrEqualTo(0.98);
    }
  }

  @Test
  void aFailedBuildLeavesNoFile() {
    float[][] vectors = VectorFixtures.clustered(600, 16, 5, 10);
    IndexProgress failing =
        (step, done, total) -> {
          if (step.equals("building graphs") && done == 1) {
            throw new IllegalStateException("stopped");
          }
        };
    VectorSegmentBuilder builder =
        VectorSegmentBuilder.of(spec(VectorIndexType.IVF_HNSW_SQ)).progress(failing);
    assertThatThrownBy(
            () -> builder.build(source(vectors), store, "f", FileVersion.V2_1, allocator))
        .hasMessage("stopped");
    List<String> left = new ArrayList<>();
    store.walk("f", object -> left.add(object.path()));
    assertThat(left).isEmpty();
  }

  @Test
  void queriesThatDoNotFitAreRefused() {
    float[][] vectors = VectorFixtures.clustered(100, 8, 5, 11);
    build(spec(VectorIndexType.IVF_FLAT).partitions(2), source(vectors), "q");
    try (VectorSegment segment = open("q")) {
      assertThatThrownBy(
              () -> segment.search(QueryVector.of(new float[2]), VectorSearch.of(1), null))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("query dim(2) doesn't match");
      assertThatThrownBy(
              () -> segment.search(QueryVector.of(new float[0]), VectorSearch.of(1), null))
          .hasMessageContaining("non-zero length");
    }
    assertThatThrownBy(() -> VectorSearch.of(0)).hasMessageContaining("K must be greater than 0");
    assertThatThrownBy(() -> VectorSearch.of(10).ef(9)).hasMessageContaining("ef must be");
    assertThatThrownBy(() -> VectorSearch.of(10).refine(0)).hasMessageContaining("Refine factor");
    assertThatThrownBy(() -> VectorSearch.of(10).probes(3, 2))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void specificationsThatDoNotFitTheColumnAreRefused() {
    VectorColumn floats = new VectorColumn(VectorElement.FLOAT32, 12, false);
    VectorColumn bits = new VectorColumn(VectorElement.UINT8, 8, false);
    VectorColumn bytes = new VectorColumn(VectorElement.INT8, 16, false);
    VectorColumn multi = new VectorColumn(VectorElement.FLOAT32, 16, true);
    assertRefused(VectorIndexSpec.ivfFlat().metric(Metric.HAMMING), floats, "hamming");
    assertRefused(VectorIndexSpec.ivfFlat(), bits, "UINT8 with distance type l2");
    assertRefused(VectorIndexSpec.ivfSq().metric(Metric.HAMMING), bits, "IVF_FLAT only");
    assertRefused(VectorIndexSpec.ivfFlat(), bytes, "IVF_PQ");
    assertRefused(VectorIndexSpec.ivfFlat(), multi, "multivector type supports only cosine");
    assertRefused(VectorIndexSpec.ivfRq(), floats, "divisible by 8");
    assertRefused(VectorIndexSpec.ivfPq().subVectors(5), floats, "must divide");
    assertRefused(VectorIndexSpec.ivfSq().bits(4), floats, "8 bits");
    VectorIndexSpec.ivfPq().subVectors(4).check(bytes);
  }

  private static void assertRefused(VectorIndexSpec spec, VectorColumn column, String message) {
    assertThatThrownBy(() -> spec.check(column))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }
}
