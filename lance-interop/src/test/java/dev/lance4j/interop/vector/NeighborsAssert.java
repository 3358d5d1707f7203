package dev.lance4j.interop.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lance4j.index.vector.Neighbors;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Compares what two searches found. */
final class NeighborsAssert {
  private NeighborsAssert() {}

  /**
   * The distances are equal up to rounding, and so are the rows, except that those about as far as
   * the last one may be others.
   *
   * @param tolerance relative to distances, and absolute below 1
   */
  static void assertSame(Neighbors expected, Neighbors actual, double tolerance) {
    assertThat(actual.size()).isEqualTo(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      float distance = expected.distances()[i];
      assertThat((double) actual.distances()[i])
          .as("distance %d of %s", i, Arrays.toString(actual.distances()))
          .isCloseTo(distance, within(tolerance * Math.max(1, Math.abs(distance))));
    }
    if (expected.size() == 0) {
      return;
    }
    float last = expected.distances()[expected.size() - 1];
    double bound = last - 2 * tolerance * Math.max(1, Math.abs(last));
    assertThat(closer(actual, bound)).isSubsetOf(all(expected));
    assertThat(closer(expected, bound)).isSubsetOf(all(actual));
  }

  private static Set<Long> all(Neighbors neighbors) {
    return closer(neighbors, Double.POSITIVE_INFINITY);
  }

  private static Set<Long> closer(Neighbors neighbors, double distance) {
    Set<Long> rows = new HashSet<>();
    for (int i = 0; i < neighbors.size(); i++) {
      if (neighbors.distances()[i] < distance) {
        rows.add(neighbors.rowIds()[i]);
      }
    }
    return rows;
  }
}
