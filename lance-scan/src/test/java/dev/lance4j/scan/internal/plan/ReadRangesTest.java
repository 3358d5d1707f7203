package dev.lance4j.scan.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.internal.page.RowRanges;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ReadRangesTest {
  @Property
  void coveringRangesHoldTheRowsAndCostNoMoreThanTheBetterOfTwoWays(@ForAll Random random) {
    int count = 1 + random.nextInt(500);
    double share = random.nextDouble();
    double width = 0.125 + random.nextInt(2_000);
    long[] rows = random.longs(count, 0, (long) (count / share) + 1).sorted().distinct().toArray();
    RowRanges wanted = RowRanges.ofSortedRows(rows);
    RowRanges covering = ReadRanges.covering(wanted, width);
    int[] positions = ReadRanges.positions(wanted, covering);
    assertThat(positions).hasSize(rows.length);
    for (int i = 0; i < rows.length; i++) {
      assertThat(row(covering, positions[i])).isEqualTo(rows[i]);
    }
    RowRanges all = RowRanges.of(rows[0], rows[rows.length - 1] + 1);
    assertThat(cost(covering, width))
        .isLessThanOrEqualTo(Math.min(cost(wanted, width), cost(all, width)) + 1e-6);
  }

  /** Picking rows out of more than the wanted ones copies them once more. */
  @Property
  void cheapestIsNeitherDearerThanTheWantedNorThanPickingFromMore(
      @ForAll @IntRange(min = 1, max = 2_000) int count, @ForAll Random random) {
    double width = 0.125 + random.nextInt(2_000);
    long[] rows = random.longs(count, 0, 2L * count).sorted().distinct().toArray();
    RowRanges wanted = RowRanges.ofSortedRows(rows);
    RowRanges chosen = ReadRanges.cheapest(wanted, width);
    double picking = rows.length * width;
    double covering = cost(ReadRanges.covering(wanted, width), width) + picking;
    assertThat(cost(chosen, width) + (chosen == wanted ? 0 : picking))
        .isEqualTo(Math.min(cost(wanted, width), covering));
  }

  private static double cost(RowRanges ranges, double width) {
    return ranges.rows() * width + (double) ranges.size() * ReadRanges.RESTART_BYTES;
  }

  private static long row(RowRanges ranges, long position) {
    long left = position;
    for (int i = 0; i < ranges.size(); i++) {
      long size = ranges.end(i) - ranges.start(i);
      if (left < size) {
        return ranges.start(i) + left;
      }
      left -= size;
    }
    throw new AssertionError("no row at " + position);
  }
}
