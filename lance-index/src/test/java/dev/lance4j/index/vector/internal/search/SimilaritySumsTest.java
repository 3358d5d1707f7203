package dev.lance4j.index.vector.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.index.vector.Neighbors;
import org.junit.jupiter.api.Test;

class SimilaritySumsTest {
  @Test
  void rowsThatAVectorDidNotMeetCountAsItsFarthest() {
    SimilaritySums sums = new SimilaritySums();
    // Row 1 comes twice: its nearer vector counts.
    sums.add(new Neighbors(new long[] {1, 2, 1}, new float[] {0.125f, 0.25f, 0.5f}));
    sums.add(new Neighbors(new long[] {3, 2}, new float[] {0, 0.75f}));
    TopRows top = sums.top(5);
    float[] distances = new float[3];
    long[] rows = new long[3];
    assertThat(top.size()).isEqualTo(3);
    top.drain(distances, rows);
    // Similarities: row 1 has 0.875 + 0.25, row 2 has 0.75 + 0.25, row 3 has 0.5 + 1.
    assertThat(rows).containsExactly(3, 1, 2);
    assertThat(distances).containsExactly(0.5f, 0.875f, 1);
  }
}
