package dev.lance4j.interop.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lance4j.Dataset;
import dev.lance4j.compaction.OptimizeOptions;
import dev.lance4j.interop.oracle.Oracle;
import dev.lance4j.interop.oracle.OracleError;
import dev.lance4j.interop.oracle.WithOracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each of the two libraries searches the bitmaps, label lists, zones and filters of the other. */
@WithOracle
class ScalarKindsInteropTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BufferAllocator allocator = new RootAllocator();
  private final Oracle oracle = Oracle.shared();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private static Stream<ScalarKind> kinds() {
    return Stream.of(
        ScalarKind.BITMAP, ScalarKind.LABEL_LIST, ScalarKind.ZONE_MAP, ScalarKind.BLOOM_FILTER);
  }

  private static Stream<Arguments> kindsAndIds() {
    return kinds().flatMap(kind -> Stream.of(true, false).map(ids -> Arguments.of(kind, ids)));
  }

  private String uri(String name) {
    return folder.resolve(name + ".lance").toString();
  }

  @ParameterizedTest
  @MethodSource("kindsAndIds")
  void ourIndicesAreSearchedByBoth(ScalarKind kind, boolean stable) {
    String uri = uri("ours");
    IndexedTables.create(uri, stable, allocator);
    kind.indexOurs(uri, allocator);
    assertEqualStatistics(uri, kind);
    IndexedTables.change(uri, allocator);

    assertSameRows(uri, kind, stable);
    assertEqualStatistics(uri, kind);
  }

  @ParameterizedTest
  @MethodSource("kindsAndIds")
  void theirIndicesAreSearchedByBoth(ScalarKind kind, boolean stable) {
    String uri = uri("theirs");
    IndexedTables.create(uri, stable, allocator);
    kind.indexTheirs(uri);
    assertEqualStatistics(uri, kind);
    IndexedTables.change(uri, allocator);

    assertSameRows(uri, kind, stable);
    assertEqualStatistics(uri, kind);
  }

  @ParameterizedTest
  @MethodSource("kindsAndIds")
  void theirIndicesAreBroughtUpToDateByUs(ScalarKind kind, boolean stable) {
    String uri = uri("updated");
    IndexedTables.create(uri, stable, allocator);
    kind.indexTheirs(uri);
    IndexedTables.change(uri, allocator);
    try (Dataset dataset = IndexedTables.open(uri, allocator)) {
      dataset.optimizeIndices(OptimizeOptions.defaults()).close();
    }

    assertSameRows(uri, kind, stable);
    assertEqualStatistics(uri, kind);
    assertNothingIsUncovered(uri, kind);
  }

  @ParameterizedTest
  @MethodSource("kindsAndIds")
  void ourIndicesAreBroughtUpToDateByThem(ScalarKind kind, boolean stable) {
    String uri = uri("updated");
    IndexedTables.create(uri, stable, allocator);
    kind.indexOurs(uri, allocator);
    IndexedTables.change(uri, allocator);
    oracle.call("optimizeIndices", Oracle.args(uri));

    assertSameRows(uri, kind, stable);
    assertEqualStatistics(uri, kind);
    assertNothingIsUncovered(uri, kind);
  }

  @ParameterizedTest
  @MethodSource("kindsAndIds")
  void indicesOfSeveralSegmentsAreSearchedByBoth(ScalarKind kind, boolean stable) {
    String uri = uri("segments");
    IndexedTables.create(uri, stable, allocator);
    kind.indexOurs(uri, allocator);
    IndexedTables.change(uri, allocator);
    try (Dataset dataset = IndexedTables.open(uri, allocator)) {
      dataset.optimizeIndices(OptimizeOptions.append()).close();
    }

    assertSameRows(uri, kind, stable);
    assertNothingIsUncovered(uri, kind);
  }

  @ParameterizedTest
  @MethodSource("kindsAndIds")
  void indicesFollowACompaction(ScalarKind kind, boolean stable) {
    String uri = uri("compacted");
    IndexedTables.create(uri, stable, allocator);
    kind.indexOurs(uri, allocator);
    try (Dataset dataset = IndexedTables.open(uri, allocator)) {
      dataset.compact().dataset().close();
    }

    assertSameRows(uri, kind, stable);
    IndexedTables.change(uri, allocator);
    try (Dataset dataset = IndexedTables.open(uri, allocator)) {
      dataset.optimizeIndices(OptimizeOptions.defaults()).close();
    }
    assertSameRows(uri, kind, stable);
    assertNothingIsUncovered(uri, kind);
  }

  private void assertNothingIsUncovered(String uri, ScalarKind kind) {
    for (String column : kind.columns()) {
      try (Dataset dataset = IndexedTables.open(uri, allocator)) {
        JsonNode statistics = JSON.readTree(dataset.indexStatistics(column + "_idx"));
        assertThat(statistics.get("num_unindexed_rows").asLong()).isZero();
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void assertSameRows(String uri, ScalarKind kind, boolean stable) {
    for (String condition : ScalarKind.conditions()) {
      List<String> rows = IndexedTables.ours(uri, condition, false, allocator);
      assertThat(IndexedTables.theirs(uri, condition, false, allocator))
          .as("theirs without index: " + condition)
          .isEqualTo(rows);
      assertThat(IndexedTables.ours(uri, condition, true, allocator))
          .as("ours with index: " + condition)
          .isEqualTo(rows);
      // The real library takes addresses of zones for stable row ids.
      if (!(stable && kind.hasZones())) {
        assertThat(IndexedTables.theirs(uri, condition, true, allocator))
            .as("theirs with index: " + condition)
            .isEqualTo(rows);
      }
    }
    for (String condition : IndexedTables.prefixConditions()) {
      assertThat(IndexedTables.ours(uri, condition, true, allocator))
          .as(condition)
          .isEqualTo(IndexedTables.theirs(uri, condition, false, allocator));
    }
  }

  private void assertEqualStatistics(String uri, ScalarKind kind) {
    for (String column : kind.columns()) {
      String name = column + "_idx";
      try (Dataset dataset = IndexedTables.open(uri, allocator)) {
        JsonNode theirs = oracle.call("indexStatistics", Oracle.args(uri).put("name", name));
        assertThat(JSON.readTree(dataset.indexStatistics(name)))
            .isEqualTo(JSON.readTree(theirs.toString()));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theirPlansUseOurIndices(ScalarKind kind) throws IOException {
    String uri = uri("damaged");
    IndexedTables.create(uri, false, allocator);
    kind.indexOurs(uri, allocator);
    damage(Path.of(uri, "_indices"));
    String condition = kind.condition();

    assertThat(IndexedTables.theirs(uri, condition, false, allocator)).isNotEmpty();
    assertThatThrownBy(() -> IndexedTables.theirs(uri, condition, true, allocator))
        .isInstanceOf(OracleError.class);
  }

  private static void damage(Path indices) throws IOException {
    try (Stream<Path> files = Files.walk(indices)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.writeString(file, "damaged");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void ourPlansUseTheirIndices(ScalarKind kind) {
    String uri = uri("explained");
    IndexedTables.create(uri, false, allocator);
    kind.indexTheirs(uri);
    String condition = kind.condition();
    try (Dataset dataset = IndexedTables.open(uri, allocator)) {
      assertThat(dataset.scan().where(condition).explain())
          .contains(kind.columns().get(0) + "_idx");
    }
  }
}
