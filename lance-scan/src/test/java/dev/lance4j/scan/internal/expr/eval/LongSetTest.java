package dev.lance4j.scan.internal.expr.eval;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class LongSetTest {
  @Property(tries = 200)
  void holdsItsMembersAndNothingElse(
      @ForAll @IntRange(max = 3_000) int count,
      @ForAll @IntRange(min = 1, max = 63) int bits,
      @ForAll Random random) {
    long[] members = random.longs(count).map(value -> value >> bits).toArray();
    LongSet set = new LongSet(members);
    Set<Long> expected = Arrays.stream(members).boxed().collect(Collectors.toSet());
    for (long member : members) {
      assertThat(set.contains(member)).isTrue();
      assertThat(set.contains(member + 1)).isEqualTo(expected.contains(member + 1));
      assertThat(set.contains(member ^ Long.MIN_VALUE))
          .isEqualTo(expected.contains(member ^ Long.MIN_VALUE));
    }
    assertThat(set.contains(0)).isEqualTo(expected.contains(0L));
  }
}
