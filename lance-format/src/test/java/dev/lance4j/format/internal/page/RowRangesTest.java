package dev.lance4j.format.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RowRangesTest {
  @Property
  void findsTheFirstRowThatIsNotBeforeAnother(
      @ForAll @Size(max = 20) Set<@IntRange(max = 60) Integer> rows,
      @ForAll @LongRange(max = 70) long from) {
    TreeSet<Integer> sorted = new TreeSet<>(rows);
    Integer expected = sorted.ceiling((int) from);
    long[] ascending = sorted.stream().mapToLong(Integer::longValue).toArray();

    assertThat(RowRanges.ofSortedRows(ascending).firstFrom(from))
        .isEqualTo(expected == null ? -1 : expected);
  }

  @Test
  void hasNoFirstRowWhenThereIsNone() {
    assertThat(RowRanges.of(5, 5).firstFrom(0)).isEqualTo(-1);
  }
}
