package dev.lance4j.rowid;

import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.DomainContextBase;

/** Lists of distinct row ids that need each of the forms of a segment. */
public final class RowIdLists extends DomainContextBase {
  @Provide
  Arbitrary<long[]> rowIds() {
    return Arbitraries.randomValue(RowIdLists::random);
  }

  @Provide
  Arbitrary<Random> random() {
    return Arbitraries.randoms();
  }

  /** A list of distinct ids: dense or sparse, in order or not, near one of the borders or not. */
  public static long[] random(Random random) {
    int count = random.nextInt(60);
    long[] starts = {0, 1000, 65_530, 0xFFFF_FFF0L, Long.MAX_VALUE - 20, -100};
    long start = starts[random.nextInt(starts.length)];
    int[] spreads = {1, 2, 10, 40, 3000, 500_000_000};
    long spread = start == -100 ? 1 : spreads[random.nextInt(spreads.length)];
    Set<Long> ids = random.nextBoolean() ? new TreeSet<>() : new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      ids.add(start + (long) (random.nextDouble() * count * spread));
    }
    return ids.stream().mapToLong(Long::longValue).toArray();
  }
}
