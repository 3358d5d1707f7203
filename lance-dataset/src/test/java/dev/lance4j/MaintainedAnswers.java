package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.MaintainedTable.Known;
import dev.lance4j.scan.Scan;
import dev.lance4j.scan.VectorQuery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Compares what a {@link MaintainedTable} answers, with indices and without, with what it must
 * answer.
 */
final class MaintainedAnswers {
  private static final int NEAREST = 5;

  private final Random random;
  private final BufferAllocator allocator;
  private final boolean stable;
  private final List<String> steps;
  private int indexed;
  private int nearestWanted;
  private int nearestFound;

  /**
   * @param stable whether row ids are
   * @param steps what has been done to the table, for messages
   */
  MaintainedAnswers(Random random, BufferAllocator allocator, boolean stable, List<String> steps) {
    this.random = random;
    this.allocator = allocator;
    this.stable = stable;
    this.steps = steps;
  }

  /** Compares a version of the table with the rows that it must have. */
  void check(Dataset dataset, Map<Integer, Known> expected) {
    assertThat(dataset.countRows()).as("%s", steps).isEqualTo(expected.size());
    checkContent(dataset, expected);
    for (int i = 0; i < 10; i++) {
      check(dataset, expected, MaintainedCondition.random(random, MaintainedTable.KEYS));
    }
    for (String column : List.of("p", "q")) {
      VectorQuery query = query(column, MaintainedRow.point(random));
      checkNearest(dataset, expected, query, new MaintainedCondition("", row -> true));
      MaintainedCondition condition = MaintainedCondition.random(random, MaintainedTable.KEYS);
      checkNearest(dataset, expected, query, condition);
    }
  }

  private void checkContent(Dataset dataset, Map<Integer, Known> expected) {
    List<String> columns = new ArrayList<>(MaintainedTable.COLUMNS);
    if (stable) {
      columns.addAll(List.of("_row_created_at_version", "_row_last_updated_at_version"));
    }
    List<Map<String, Object>> rows =
        Rows.drain(dataset.scan().select(columns.toArray(String[]::new)).open(), allocator);
    assertThat(rows).as("rows after %s", steps).hasSameSizeAs(expected.keySet());
    for (Map<String, Object> row : rows) {
      Known known = expected.get((Integer) row.get("k"));
      assertThat(known).as("%s after %s", row, steps).isNotNull();
      MaintainedRow wanted = known.row();
      assertThat(row.get("m")).isEqualTo(wanted.m());
      assertThat(row.get("z")).isEqualTo(wanted.z());
      assertThat(row.get("f")).isEqualTo(wanted.f());
      assertThat(row.get("l")).isEqualTo(wanted.l());
      assertThat(row.get("p")).isEqualTo(floats(wanted.p()));
      assertThat(row.get("q")).isEqualTo(floats(wanted.q()));
      if (stable) {
        assertThat(row.get("_row_created_at_version"))
            .as("%s after %s", row, steps)
            .isEqualTo(known.created());
        assertThat(row.get("_row_last_updated_at_version"))
            .as("%s after %s", row, steps)
            .isEqualTo(known.updated());
      }
    }
  }

  private static List<Float> floats(List<Integer> vector) {
    return vector == null ? null : vector.stream().map(Integer::floatValue).toList();
  }

  private void check(Dataset dataset, Map<Integer, Known> expected, MaintainedCondition condition) {
    List<Integer> keys =
        expected.values().stream()
            .filter(known -> condition.holds().test(known.row()))
            .map(known -> known.row().k())
            .toList();
    Scan scan = dataset.scan().where(condition.text());
    String plan = scan.explain();
    indexed += plan.contains("_idx") ? 1 : 0;
    assertThat(keys(scan.useScalarIndex(false)))
        .as("%s without indices after %s", condition.text(), steps)
        .isEqualTo(keys);
    assertThat(keys(scan)).as("%s after %s by %s", condition.text(), steps, plan).isEqualTo(keys);
    assertThat(scan.count()).as("count of %s", plan).isEqualTo(keys.size());
  }

  private List<Integer> keys(Scan scan) {
    return Rows.drain(scan.select("k").open(), allocator).stream()
        .map(row -> (Integer) row.get("k"))
        .sorted()
        .toList();
  }

  private static VectorQuery query(String column, List<Integer> point) {
    float[] vector = new float[point.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = point.get(i);
    }
    // All partitions, and all rows measured exactly.
    return VectorQuery.of(column, vector)
        .k(NEAREST)
        .probes(64)
        .ef(10 * MaintainedTable.KEYS)
        .refine(10 * MaintainedTable.KEYS);
  }

  private void checkNearest(
      Dataset dataset,
      Map<Integer, Known> expected,
      VectorQuery query,
      MaintainedCondition condition) {
    List<Integer> point =
        Arrays.stream(query.numbers().get(0)).mapToObj(number -> (int) number).toList();
    Map<Integer, Float> distances = new HashMap<>();
    for (Known known : expected.values()) {
      MaintainedRow row = known.row();
      List<Integer> vector = query.column().equals("p") ? row.p() : row.q();
      if (vector != null && condition.holds().test(row)) {
        distances.put(row.k(), MaintainedRow.distance(vector, point));
      }
    }
    List<Float> nearest = distances.values().stream().sorted().limit(NEAREST).toList();
    Scan scan = dataset.scan().select("k");
    Scan filtered =
        condition.text().isEmpty() ? scan : scan.where(condition.text()).prefilter(true);
    List<Map<String, Object>> exact =
        Rows.drain(filtered.nearest(query.useIndex(false)).open(), allocator);
    checkDistances(exact, distances);
    assertThat(distances(exact)).as("nearest after %s", steps).isEqualTo(nearest);
    String plan = filtered.nearest(query).explain();
    List<Map<String, Object>> found = Rows.drain(filtered.nearest(query).open(), allocator);
    checkDistances(found, distances);
    if (plan.contains("HNSW")) {
      // A graph may leave some rows out of sight.
      nearestWanted += nearest.size();
      nearestFound += (int) distances(found).stream().filter(nearest::contains).count();
    } else {
      assertThat(distances(found)).as("nearest by %s after %s", plan, steps).isEqualTo(nearest);
    }
  }

  private void checkDistances(List<Map<String, Object>> found, Map<Integer, Float> distances) {
    for (Map<String, Object> row : found) {
      assertThat(row.get("_distance"))
          .as("%s after %s", row, steps)
          .isEqualTo(distances.get((Integer) row.get("k")));
    }
    assertThat(found.stream().map(row -> row.get("k")).collect(Collectors.toSet()))
        .as("nearest after %s", steps)
        .hasSameSizeAs(found);
  }

  private static List<Float> distances(List<Map<String, Object>> found) {
    return found.stream().map(row -> (Float) row.get("_distance")).toList();
  }

  /** How many conditions were answered by indices so far. */
  int indexed() {
    return indexed;
  }

  /** Which part of the nearest rows graphs found so far. */
  double recallOfGraphs() {
    return nearestWanted == 0 ? 1 : (double) nearestFound / nearestWanted;
  }
}
