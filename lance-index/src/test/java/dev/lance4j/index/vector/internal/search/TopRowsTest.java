package dev.lance4j.index.vector.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class TopRowsTest {
  private record Row(float distance, long id) {}

  @Property(tries = 300)
  void theNearestRowsAreKeptInOrder(
      @ForAll @IntRange(min = 1, max = 200) int capacity,
      @ForAll @IntRange(min = 0, max = 400) int count,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TopRows top = new TopRows(capacity);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // Few different distances, so that ids decide; some ids are negative as signed numbers.
      float distance = random.nextInt(10) == 0 ? Float.NaN : random.nextInt(20) - 3;
      long id = random.nextInt(1000) - (random.nextBoolean() ? Long.MIN_VALUE : 0);
      top.offer(distance, id);
      if (!Float.isNaN(distance)) {
        rows.add(new Row(distance, id));
      }
    }
    rows.sort(
        Comparator.comparingDouble((Row row) -> row.distance)
            .thenComparing(row -> row.id, Long::compareUnsigned));
    List<Row> expected = rows.subList(0, Math.min(capacity, rows.size()));
    assertThat(top.size()).isEqualTo(expected.size());
    float[] distances = new float[top.size()];
    long[] ids = new long[top.size()];
    top.drain(distances, ids);
    List<Row> actual = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      actual.add(new Row(distances[i], ids[i]));
    }
    assertThat(actual).isEqualTo(expected);
  }
}
