package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.VectorIndexSpec;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorEvaluation;
import dev.lance4j.scan.VectorQuery;
import dev.lance4j.scan.VectorReport;
import dev.lance4j.write.MergeOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VectorEvaluationTest {
  private static final ArrowType FLOAT = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("k", new ArrowType.Int(64, true)),
              new Field(
                  "v",
                  FieldType.nullable(new ArrowType.FixedSizeList(2)),
                  List.of(Field.nullable("item", FLOAT)))));

  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  /** Points (k, 0) for k = 0 … 99. */
  private Dataset line() {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator)) {
      FixedSizeListVector lists = (FixedSizeListVector) root.getVector("v");
      Float4Vector items = (Float4Vector) lists.getDataVector();
      lists.allocateNew();
      for (int k = 0; k < 100; k++) {
        ((BigIntVector) root.getVector("k")).setSafe(k, k);
        lists.setNotNull(k);
        items.setSafe(2 * k, k);
        items.setSafe(2 * k + 1, 0);
      }
      root.setRowCount(100);
      return Dataset.write(folder.resolve("t").toString()).allocator(allocator).from(root);
    }
  }

  private static float[][] queries(int... at) {
    return IntStream.of(at).mapToObj(k -> new float[] {k, 0}).toArray(float[][]::new);
  }

  @Test
  void recallIsThePartOfTheTrueRowsThatAConfigurationFinds() {
    try (Dataset line = line()) {
      VectorReport report =
          VectorEvaluation.of(line, "v", queries(10, 50, 80), 5)
              .configuration("all", query -> query)
              // Of the five nearest points, two are two away, where the squared distance is 4.
              .configuration("near", query -> query.distanceRange(0, 4))
              .rounds(2)
              .run();
      assertThat(report.outcomes().get(0).recall()).isEqualTo(1);
      assertThat(report.outcomes().get(1).recalls()).containsExactly(0.6, 0.6, 0.6);
      assertThat(report.queries()).isEqualTo(3);
      assertThat(report.emptyQueries()).isZero();
      assertThat(report.segments()).isZero();
      assertThat(report.rowsUnindexed()).isEqualTo(100);
      VectorReport.Percentiles warm = report.outcomes().get(0).warm();
      assertThat(warm.p50()).isPositive().isLessThanOrEqualTo(warm.p95());
      assertThat(warm.p95()).isLessThanOrEqualTo(warm.p99());
    }
  }

  @Test
  void queriesWithoutAnyRowToFindAreCountedApart() {
    try (Dataset line = line()) {
      VectorEvaluation evaluation =
          VectorEvaluation.of(line, "v", queries(3, 90), 3)
              .scan(scan -> scan.where("k < 10"))
              .configuration("all", query -> query)
              .rounds(1);
      VectorReport report = evaluation.run();
      assertThat(report.queries()).isEqualTo(1);
      assertThat(report.emptyQueries()).isEqualTo(1);
      assertThat(report.outcomes().get(0).recalls()).containsExactly(1.0);
      assertThatThrownBy(() -> evaluation.scan(scan -> scan.where("k > 1000")).run())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("No query has a row to find");
    }
  }

  @Test
  void theSameEvaluationRunsOnLaterVersions() {
    try (Dataset line = line();
        Dataset fewer = line.delete("k < 50").dataset()) {
      VectorEvaluation evaluation =
          VectorEvaluation.of(line, "v", queries(40), 4)
              .configuration("all", query -> query)
              .rounds(1);
      assertThat(evaluation.run().rowsUnindexed()).isEqualTo(100);
      VectorReport after = evaluation.on(fewer).run();
      assertThat(after.version()).isEqualTo(fewer.version());
      assertThat(after.rowsUnindexed()).isEqualTo(50);
      assertThat(after.outcomes().get(0).recall()).isEqualTo(1);
    }
  }

  /** The same queries, whatever happens to the table. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theIndexFindsAllInEveryStateOfTheTable(boolean stable) throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    float[][] queries = new float[6][VectorTwin.DIMENSION];
    for (float[] query : queries) {
      double[] vector = VectorTwin.vector(random);
      for (int i = 0; i < query.length; i++) {
        query[i] = (float) vector[i];
      }
    }
    int partitions = VectorStates.PARTITIONS;
    try (VectorTwin twin = VectorTwin.ofVectors(VectorTwin.random(0, 400, random), stable, 150)) {
      twin.maintain(
          dataset -> dataset.createIndex("v", VectorIndexSpec.ivfFlat().partitions(partitions)));
      VectorEvaluation evaluation =
          VectorEvaluation.of(twin.dataset(), "v", queries, 10)
              .configuration("all partitions", query -> query.probes(partitions))
              .configuration("one partition", query -> query.probes(1))
              .rounds(1);
      requireAllFound(evaluation.on(twin.dataset()).run(), twin, 1, 0);
      VectorStates.APPENDED.enter(twin);
      requireAllFound(evaluation.on(twin.dataset()).run(), twin, 1, twin.rows().size() - 400);
      twin.merge(VectorTwin.random(20, 30, random), MergeOptions.Form.REWRITE_ROWS);
      long unindexed = twin.rows().size() - 370L;
      requireAllFound(evaluation.on(twin.dataset()).run(), twin, 1, unindexed);
      twin.maintain(dataset -> dataset.optimizeIndices(OptimizeOptions.append()));
      requireAllFound(evaluation.on(twin.dataset()).run(), twin, 2, 0);
      VectorStates.DELETED.enter(twin);
      requireAllFound(evaluation.on(twin.dataset()).run(), twin, 2, 0);
      VectorStates.COMPACTED.enter(twin);
      requireAllFound(evaluation.on(twin.dataset()).run(), twin, 2, 0);
      VectorStates.MERGED.enter(twin);
      requireAllFound(evaluation.on(twin.dataset()).run(), twin, 1, 0);
      UnaryOperator<Scan> few = scan -> scan.where("k % 40 = 1");
      int empty = 0;
      for (float[] query : queries) {
        VectorQuery exact = VectorQuery.of("v", query).k(10).useIndex(false);
        empty += few.apply(twin.dataset().scan()).nearest(exact).count() == 0 ? 1 : 0;
      }
      assertThat(empty).isBetween(1, 5);
      VectorReport filtered = evaluation.on(twin.dataset()).scan(few).run();
      assertThat(filtered.emptyQueries()).isEqualTo(empty);
      assertThat(filtered.queries()).isEqualTo(6 - empty);
      assertThat(filtered.outcomes().get(0).recalls()).hasSize(6 - empty).containsOnly(1.0);
    }
  }

  private static void requireAllFound(
      VectorReport report, VectorTwin twin, int segments, long unindexed) {
    assertThat(report.version()).isEqualTo(twin.dataset().version());
    assertThat(report.outcomes().get(0).recalls()).hasSize(6).containsOnly(1.0);
    assertThat(report.outcomes().get(1).recall()).isLessThanOrEqualTo(1);
    assertThat(report.queries()).isEqualTo(6);
    assertThat(report.emptyQueries()).isZero();
    assertThat(report.segments()).isEqualTo(segments);
    assertThat(report.rowsUnindexed()).isEqualTo(unindexed);
    assertThat(report.indexBytes()).isPositive();
  }

  @Test
  void anEvaluationNeedsQueriesAndConfigurations() {
    try (Dataset line = line()) {
      assertThatThrownBy(() -> VectorEvaluation.of(line, "v", new float[0][], 3))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("at least one query");
      assertThatThrownBy(() -> VectorEvaluation.of(line, "v", queries(1), 3).run())
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("no configuration");
    }
  }
}
