package dev.lance4j.scan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.table.FragmentMetadata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Reads rows chosen at random, each as likely as any other and none twice. Immutable. */
public final class Sample {
  private final Scan.Source source;
  private final Set<Long> fragmentIds;
  private final RandomGenerator random;

  /** A sample of all fragments. */
  public Sample(Scan.Source source) {
    this(source, null, null);
  }

  private Sample(Scan.Source source, Set<Long> fragmentIds, RandomGenerator random) {
    this.source = source;
    this.fragmentIds = fragmentIds;
    this.random = random;
  }

  /**
   * A sample of some fragments.
   *
   * @throws InvalidInputException if there is no such fragment
   */
  public Sample of(long... ids) {
    Set<Long> chosen = new HashSet<>();
    for (long id : ids) {
      if (source.version().manifest().fragment(id).isEmpty()) {
        throw new InvalidInputException("There is no fragment " + id + " in " + source.version());
      }
      chosen.add(id);
    }
    return new Sample(source, chosen, random);
  }

  /** A sample that depends on this source of chance alone. */
  public Sample random(RandomGenerator chance) {
    return new Sample(source, fragmentIds, chance);
  }

  /** Live rows of one fragment: their positions in the table. */
  private record Part(long first, long rows) {}

  /**
   * Reads a sample, in the order of the table.
   *
   * @param rows how many; all rows if there are no more
   * @param columns to read, as a {@link Take} does; all when none are named
   * @throws InvalidInputException if the number is not positive, or there is no such column
   */
  public ArrowReader read(long rows, String... columns) {
    if (rows <= 0) {
      throw new InvalidInputException("The size of a sample must be positive, but is " + rows);
    }
    List<Part> parts = parts();
    long total = parts.stream().mapToLong(Part::rows).sum();
    long[] chosen = choose(Math.min(rows, total), total);
    return new Take(source, columns).byPosition(positions(chosen, parts));
  }

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    long first = 0;
    for (FragmentMetadata fragment : source.version().manifest().fragments()) {
      long live = RowCounts.liveRows(source, fragment);
      if (fragmentIds == null || fragmentIds.contains(fragment.id())) {
        parts.add(new Part(first, live));
      }
      first += live;
    }
    return parts;
  }

  /** Different numbers below a bound, ascending: each step chooses one more of one more number. */
  private long[] choose(long count, long bound) {
    if (count > Integer.MAX_VALUE - 8) {
      throw new InvalidInputException("A sample cannot have " + count + " rows");
    }
    RandomGenerator chance = random == null ? ThreadLocalRandom.current() : random;
    Set<Long> chosen = new HashSet<>();
    for (long last = bound - count; last < bound; last++) {
      long number = chance.nextLong(last + 1);
      if (!chosen.add(number)) {
        chosen.add(last);
      }
    }
    return chosen.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private static long[] positions(long[] chosen, List<Part> parts) {
    long[] positions = chosen.clone();
    long before = 0;
    int n = 0;
    for (Part part : parts) {
      for (; n < chosen.length && chosen[n] < before + part.rows(); n++) {
        positions[n] = part.first() + chosen[n] - before;
      }
      before += part.rows();
    }
    return Arrays.copyOf(positions, n);
  }
}
