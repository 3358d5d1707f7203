package dev.lance4j.index.internal.scalar.zone;

/** How large a {@link SplitBlockFilter} must be for few false hits. */
final class FilterSize {
  private static final int MIN_LOG = 5;
  private static final int MAX_LOG = 27;
  private static final int HIGHEST_LOG = 64;
  private static final int TERMS = 750;
  private static final int WORDS = 8;
  private static final double BLOCK_BITS = 256;
  private static final double WORD_BITS = 32;

  private FilterSize() {}

  /**
   * The number of bytes of a filter: a power of two.
   *
   * @param values that go into it
   * @param probability of a false hit that must not be exceeded, as far as sizes allow
   */
  static int bytes(int values, double probability) {
    int low = 0;
    int high = HIGHEST_LOG;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (probability(values, Math.scalb(1.0, middle)) <= probability) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return 1 << Math.max(MIN_LOG, Math.min(MAX_LOG, low));
  }

  /** The probability of a false hit of a filter of some bytes. */
  static double probability(double values, double bytes) {
    double bits = 8 * bytes;
    if (values == 0) {
      return 0;
    }
    if (values / bits > 2) {
      return 1;
    }
    // The number of values of a block is spread as Poisson says, with this mean.
    double mean = BLOCK_BITS / (bits / values);
    double logOfFactorial = 0;
    double[] terms = new double[TERMS];
    for (int i = 0; i < TERMS; i++) {
      logOfFactorial += i == 0 ? 0 : Math.log(i);
      double bitIsSet = 1 - Math.pow(1 - 1 / WORD_BITS, i);
      terms[i] = Math.exp(i * Math.log(mean) - mean - logOfFactorial + WORDS * Math.log(bitIsSet));
    }
    double sum = 0;
    for (int i = TERMS - 1; i >= 0; i--) {
      sum += terms[i];
    }
    return Math.min(1, sum);
  }
}
