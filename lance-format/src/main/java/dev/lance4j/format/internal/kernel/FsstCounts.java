package dev.lance4j.format.internal.kernel;

import java.util.Arrays;

/**
 * How often tokens and pairs of adjacent tokens occur when a sample is coded. A token is either a
 * literal byte (0 to 255) or {@link #FIRST_SYMBOL} + the code of a symbol.
 */
final class FsstCounts {
  /** Tokens from here on are symbols, those below are literal bytes. */
  static final int FIRST_SYMBOL = 256;

  static final int TOKENS = FIRST_SYMBOL + FsstTable.MAX_SYMBOLS;

  private static final int TOKEN_BITS = 9;

  private final int[] tokens = new int[TOKENS];
  private final int[] pairs = new int[1 << (2 * TOKEN_BITS)];

  /** The pairs that occur, so that neither reading nor clearing has to visit all the others. */
  private final int[] seenPairs;

  private int seenCount;

  /**
   * @param maxPairs the most pairs that are added before they are cleared
   */
  FsstCounts(int maxPairs) {
    seenPairs = new int[Math.min(maxPairs, pairs.length)];
  }

  void clear() {
    Arrays.fill(tokens, 0);
    for (int i = 0; i < seenCount; i++) {
      pairs[seenPairs[i]] = 0;
    }
    seenCount = 0;
  }

  void add(int token) {
    tokens[token]++;
  }

  void addPair(int first, int second) {
    int pair = first << TOKEN_BITS | second;
    if (pairs[pair]++ == 0) {
      seenPairs[seenCount++] = pair;
    }
  }

  int count(int token) {
    return tokens[token];
  }

  /** The number of different pairs that occur. */
  int pairCount() {
    return seenCount;
  }

  int pairFirst(int index) {
    return seenPairs[index] >> TOKEN_BITS;
  }

  int pairSecond(int index) {
    return seenPairs[index] & ((1 << TOKEN_BITS) - 1);
  }

  int pairOccurrences(int index) {
    return pairs[seenPairs[index]];
  }
}
