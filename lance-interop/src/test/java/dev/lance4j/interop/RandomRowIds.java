package dev.lance4j.interop;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;

/** Lists of distinct row ids, of each kind that is stored in its own way. */
final class RandomRowIds {
  private RandomRowIds() {}

  static long[] next(Random random, int number) {
    int size = random.nextInt(number % 50 == 0 ? 2 : 120);
    return switch (number % 6) {
      case 0 -> dense(random, size, 0);
      case 1 -> dense(random, size + 2, 1);
      case 2 -> within(random, size, size * (2L + random.nextInt(40)));
      case 3 -> within(random, size, 1L << (10 + random.nextInt(30)));
      case 4 -> shuffled(within(random, size, 1L << (7 + random.nextInt(40))), random);
      default -> boundary(random);
    };
  }

  /** A range without some values. */
  private static long[] dense(Random random, int size, int holes) {
    long start = random.nextLong() >>> (random.nextInt(50) + 2);
    long[] values = LongStream.range(start, start + size).toArray();
    for (int i = 0; i < holes + random.nextInt(3) && values.length > 2; i++) {
      long hole = values[1 + random.nextInt(values.length - 2)];
      values = Arrays.stream(values).filter(value -> value != hole).toArray();
    }
    return values;
  }

  private static long[] within(Random random, int size, long span) {
    long start = random.nextLong() >>> (random.nextInt(40) + 2);
    return random
        .longs(size, 0, Math.max(span, 1))
        .map(v -> start + v)
        .distinct()
        .sorted()
        .toArray();
  }

  private static long[] shuffled(long[] values, Random random) {
    for (int i = values.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      long value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
    return values;
  }

  /** At a size where one form becomes smaller than another, or an offset wider. */
  private static long[] boundary(Random random) {
    long slots = 22L + random.nextInt(32);
    long[] widths = {slots - 1, 65_535, 65_536, 4_294_967_295L, 4_294_967_296L};
    long last = widths[random.nextInt(widths.length)];
    return switch (random.nextInt(3)) {
      case 0 -> new long[] {0, last};
      case 1 -> new long[] {7, 7 + last / 2, 7 + last};
      default ->
          LongStream.range(0, slots).filter(v -> v != slots / 2).map(v -> 1_000 + v).toArray();
    };
  }
}
