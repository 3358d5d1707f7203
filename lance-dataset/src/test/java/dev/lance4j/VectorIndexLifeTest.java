package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.compaction.CompactionOptions;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.index.IndexDescription;
import dev.lance4j.index.IndexOptions;
import dev.lance4j.index.IndexSegment;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.index.vector.VectorIndexType;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.table.IndexMetadata;
import dev.lance4j.write.WhenMatched;
import dev.lance4j.write.WhenNotMatched;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * With all partitions searched and enough candidates measured exactly, an index finds what is found
 * without it, whatever happens to the table.
 */
class VectorIndexLifeTest {
  private static final String PATH = "vectors";
  private static final int DIMENSION = 16;
  private static final int K = 10;

  private static final ArrowType FLOAT = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("k", new ArrowType.Int(64, true)),
              new Field(
                  "v",
                  FieldType.nullable(new ArrowType.FixedSizeList(DIMENSION)),
                  List.of(Field.nullable("item", FLOAT)))));

  private final BufferAllocator allocator = new RootAllocator();
  private final MemoryObjectStore store = new MemoryObjectStore();
  private final SplittableRandom random = new SplittableRandom(11);
  private final List<Dataset> open = new ArrayList<>();

  @AfterEach
  void nothingIsLeaked() {
    open.forEach(Dataset::close);
    allocator.close();
  }

  private Dataset kept(Dataset dataset) {
    open.add(dataset);
    return dataset;
  }

  private float[] vector() {
    float[] vector = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] = (float) random.nextDouble(-1, 1);
    }
    return vector;
  }

  /** Rows with numbers from {@code start} on and random vectors; every tenth has none. */
  private VectorSchemaRoot rows(int start, int count) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    FixedSizeListVector lists = (FixedSizeListVector) root.getVector("v");
    Float4Vector items = (Float4Vector) lists.getDataVector();
    lists.allocateNew();
    for (int row = 0; row < count; row++) {
      ((BigIntVector) root.getVector("k")).setSafe(row, start + row);
      if (row % 10 == 9) {
        lists.setNull(row);
        continue;
      }
      lists.startNewValue(row);
      float[] vector = vector();
      for (int i = 0; i < DIMENSION; i++) {
        items.setSafe(row * DIMENSION + i, vector[i]);
      }
    }
    root.setRowCount(count);
    return root;
  }

  private Dataset table(boolean stable) {
    try (VectorSchemaRoot root = rows(0, 600)) {
      return kept(
          Dataset.write(PATH)
              .store(store)
              .allocator(allocator)
              .stableRowIds(stable)
              .maxRowsPerFile(200)
              .from(root));
    }
  }

  private Dataset appended(Dataset dataset, int start, int count) {
    try (VectorSchemaRoot root = rows(start, count)) {
      return kept(dataset.append(root));
    }
  }

  record Life(VectorIndexType type, Metric metric, boolean stable) {}

  static List<Life> lives() {
    List<Life> lives = new ArrayList<>();
    for (VectorIndexType type : VectorIndexType.values()) {
      for (boolean stable : new boolean[] {false, true}) {
        lives.add(new Life(type, Metric.L2, stable));
      }
      lives.add(new Life(type, Metric.COSINE, false));
    }
    return lives;
  }

  private static VectorIndexSpec spec(VectorIndexType type, Metric metric) {
    VectorIndexSpec spec = VectorIndexSpec.of(type).metric(metric).partitions(3).sampleRate(60);
    return type.name().contains("PQ") ? spec.subVectors(4) : spec;
  }

  @ParameterizedTest
  @MethodSource("lives")
  void findsTheTruthThroughAllThatHappensToATable(Life life) throws Exception {
    Dataset dataset = kept(table(life.stable()).createIndex("v", spec(life.type(), life.metric())));
    assertThat(dataset.describeIndices().get(0).type()).isEqualTo(life.type().name());
    check(dataset, life, "create");

    dataset = appended(dataset, 600, 100);
    check(dataset, life, "append");
    dataset = kept(dataset.delete("k % 7 = 3").dataset());
    check(dataset, life, "delete");
    try (VectorSchemaRoot root = rows(20, 60)) {
      dataset =
          kept(
              dataset
                  .mergeInsert("k")
                  .whenMatched(WhenMatched.updateAll())
                  .whenNotMatched(WhenNotMatched.insertAll())
                  .execute(root)
                  .dataset());
    }
    check(dataset, life, "merge");
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.append()));
    assertThat(segments(dataset)).hasSize(2);
    check(dataset, life, "delta");
    dataset = kept(dataset.compact(CompactionOptions.defaults()).dataset());
    check(dataset, life, "compact");
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.merge(2)));
    check(dataset, life, "merge of segments");
    dataset = appended(dataset, 700, 30);
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.retrain()));
    assertThat(segments(dataset)).hasSize(1);
    check(dataset, life, "retrain");
    dataset = kept(dataset.dropIndex("v_idx"));
    check(dataset, life, "drop");
  }

  /** The steps that the format's description goes through. */
  @Test
  void newRowsBecomeDeltasAndDeltasAreMerged() throws Exception {
    Life life = new Life(VectorIndexType.IVF_FLAT, Metric.L2, false);
    Dataset dataset = kept(table(false).createIndex("v", spec(life.type(), life.metric())));
    dataset = appended(dataset, 600, 10);
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.append()));
    assertThat(coverage(dataset)).containsExactly(List.of(0L, 1L, 2L), List.of(3L));
    assertThat(kept(dataset.optimizeIndices(OptimizeOptions.append())).version())
        .isEqualTo(dataset.version());
    assertThat(kept(dataset.optimizeIndices(OptimizeOptions.defaults())).version())
        .isEqualTo(dataset.version());
    dataset = appended(dataset, 610, 10);
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.append()));
    dataset = appended(dataset, 620, 10);
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.merge(1)));
    assertThat(coverage(dataset))
        .containsExactly(List.of(0L, 1L, 2L), List.of(3L), List.of(4L, 5L));
    check(dataset, life, "delta");
    dataset = appended(dataset, 630, 10);
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.merge(5)));
    assertThat(coverage(dataset)).containsExactly(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L));
    check(dataset, life, "merge");
  }

  private static List<List<Long>> coverage(Dataset dataset) {
    return segments(dataset).stream()
        .map(segment -> segment.fragmentIds().stream().sorted().toList())
        .toList();
  }

  static List<Life> livesByL2() {
    return lives().stream().filter(life -> life.metric() == Metric.L2).toList();
  }

  /** The real library may fail to where row ids are stable. */
  @ParameterizedTest
  @MethodSource("livesByL2")
  void anIndexOfAFragmentThatIsGoneIsMergedWithNewRows(Life life) throws Exception {
    Dataset dataset = kept(table(life.stable()).createIndex("v", spec(life.type(), life.metric())));
    dataset = kept(dataset.delete("k BETWEEN 200 AND 399 OR k % 5 = 0").dataset());
    dataset = appended(dataset, 600, 50);
    dataset = kept(dataset.optimizeIndices(OptimizeOptions.merge(1)));
    assertThat(coverage(dataset)).containsExactly(List.of(0L, 2L, 3L));
    check(dataset, life, "merge");
  }

  private static List<IndexSegment> segments(Dataset dataset) {
    List<IndexDescription> indices = dataset.describeIndices();
    return indices.get(0).segments();
  }

  private void check(Dataset dataset, Life life, String step) throws Exception {
    int hits = 0;
    int wanted = 0;
    for (int i = 0; i < 4; i++) {
      VectorQuery query =
          VectorQuery.of("v", vector()).k(K).metric(life.metric()).probes(64).refine(80);
      for (Scan scan : List.of(dataset.scan(), dataset.scan().where("k < 100").prefilter(true))) {
        List<Long> truth = found(scan.nearest(query.useIndex(false)));
        List<Long> found = found(scan.nearest(query));
        if (!life.type().hasGraph()) {
          assertThat(found).as(step).isEqualTo(truth);
        }
        assertThat(found).as(step).doesNotHaveDuplicates().hasSameSizeAs(truth);
        hits += (int) found.stream().filter(truth::contains).count();
        wanted += truth.size();
      }
    }
    // A graph may leave some rows out of sight.
    assertThat(hits).as(step).isGreaterThanOrEqualTo(wanted * 9 / 10);
  }

  private static List<Long> found(Scan scan) throws Exception {
    List<Long> found = new ArrayList<>();
    try (ArrowReader reader = scan.select("k").open()) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        for (int i = 0; i < root.getRowCount(); i++) {
          found.add(((BigIntVector) root.getVector("k")).get(i));
        }
      }
    }
    return found;
  }

  @Test
  void partsWithOneModelAreBuiltApartAndMerged() throws Exception {
    Life life = new Life(VectorIndexType.IVF_PQ, Metric.L2, false);
    Dataset table = table(false);
    VectorIndexSpec shared = table.prepareVectorIndex("v", spec(life.type(), life.metric()));
    IndexSegment first = table.buildIndexSegment("v", shared, List.of(0L, 1L));
    IndexSegment second = table.buildIndexSegment("v", shared, List.of(2L));
    Dataset indexed = kept(table.commitIndexSegments("by_v", "v", List.of(first, second)));
    assertThat(segments(indexed)).hasSize(2);
    check(indexed, life, "parts");
    Dataset merged = kept(indexed.optimizeIndices(OptimizeOptions.merge(2)));
    assertThat(segments(merged)).hasSize(1);
    check(merged, life, "merged parts");
  }

  @Test
  void partsWithModelsOfTheirOwnAreSearchedAndNotMerged() throws Exception {
    Life life = new Life(VectorIndexType.IVF_FLAT, Metric.L2, false);
    Dataset table = table(false);
    VectorIndexSpec spec = spec(life.type(), life.metric());
    List<IndexSegment> parts =
        List.of(
            table.buildIndexSegment("v", spec.seed(1), List.of(0L)),
            table.buildIndexSegment("v", spec.seed(2), List.of(1L, 2L)));
    Dataset indexed = kept(table.commitIndexSegments("by_v", "v", parts));
    check(indexed, life, "parts");
    Dataset optimized = kept(indexed.optimizeIndices(OptimizeOptions.merge(2)));
    assertThat(optimized.version()).isEqualTo(indexed.version());
  }

  @Test
  void segmentsOfALaterFormatAreLeftAlone() throws Exception {
    Life life = new Life(VectorIndexType.IVF_FLAT, Metric.L2, false);
    Dataset table = table(false);
    IndexMetadata built =
        table.buildIndexSegment("v", spec(life.type(), life.metric()), List.of(0L, 1L)).metadata();
    IndexMetadata later =
        new IndexMetadata(
            built.uuid(),
            built.fieldIds(),
            built.name(),
            built.datasetVersion(),
            built.fragmentBytes(),
            built.details(),
            OptionalInt.of(99),
            built.createdAtMillis(),
            built.baseId(),
            built.files(),
            built.unknown());
    Dataset indexed =
        kept(table.commitIndexSegments("by_v", "v", List.of(new IndexSegment(later))));
    String plan = indexed.scan().nearest(VectorQuery.of("v", vector()).k(K)).explain();
    assertThat(plan).contains("has version 99 of the kind vector");
    check(indexed, life, "later format");
    assertThat(kept(indexed.optimizeIndices(OptimizeOptions.merge(2))).version())
        .isEqualTo(indexed.version());
    Dataset compacted = kept(indexed.compact(CompactionOptions.defaults()).dataset());
    assertThat(segments(compacted).get(0).uuid()).isEqualTo(later.uuid());
    check(compacted, life, "compact");
  }

  @Test
  void aColumnWithoutVectorsIsRefused() {
    Dataset table = table(false);
    assertThatThrownBy(() -> table.createIndex("k", VectorIndexSpec.ivfFlat()))
        .hasMessageContaining("has no vectors");
    IndexOptions named = IndexOptions.builder().name("n").build();
    assertThatThrownBy(
            () -> table.createIndex("v", VectorIndexSpec.ivfFlat().metric(Metric.HAMMING), named))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("hamming");
  }
}
