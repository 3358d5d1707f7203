package dev.lance4j.format.internal.kernel;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Makes a symbol table for a set of strings. From round to round symbols grow: a sample is coded
 * with the table so far, and the symbols of the next table are those symbols, and concatenations of
 * two that were neighbours, which would have saved most.
 */
final class FsstTrainer {
  private static final int SAMPLE_BYTES = 16 * 1024;
  private static final int MAX_PIECE_BYTES = 512;

  /** The share of the sample that each round looks at, in 128ths: first tables need little. */
  private static final int[] FRACTIONS = {8, 38, 68, 98, 108, 128};

  private static final int WHOLE = 128;

  /** Spreads the pieces that a round looks at over the sample. */
  private static final int PIECE_STEP = 37;

  /** A symbol of one byte saves the escape, and without it most bytes of a new text cost two. */
  private static final int SINGLE_BYTE_BONUS = 8;

  /** Occurrences in a full sample below which a candidate is taken for chance. */
  private static final int MIN_OCCURRENCES = 5;

  private static final long SEED = 0x4C616E6365L;

  private final byte[] bytes;
  private int[] starts = new int[64];
  private int[] ends = new int[64];
  private int pieces;
  private int sampled;

  private final FsstCounts counts;

  FsstTrainer(byte[] bytes, int[] offsets, int count) {
    this.bytes = bytes;
    if (count > 0) {
      sample(offsets, count);
    }
    // Each token of the sample ends at most one pair, and one more with a byte of it.
    counts = new FsstCounts(2 * sampled);
  }

  FsstTable train() {
    FsstTable table = FsstTable.of(0, new long[0], new byte[0]);
    FsstTable best = table;
    long bestGain = 0;
    for (int fraction : FRACTIONS) {
      long gain = count(table, fraction);
      if (gain >= bestGain) {
        best = table;
        bestGain = gain;
      }
      table = candidates(table, fraction, true).best();
    }
    if (count(table, WHOLE) < bestGain) {
      table = best;
      count(table, WHOLE);
    }
    return candidates(table, WHOLE, false).best();
  }

  private void sample(int[] offsets, int count) {
    long total = (long) offsets[count] - offsets[0];
    if (total <= SAMPLE_BYTES) {
      for (int i = 0; i < count; i++) {
        addPiece(offsets[i], offsets[i + 1]);
      }
      return;
    }
    SplittableRandom random = new SplittableRandom(SEED);
    while (sampled < SAMPLE_BYTES) {
      int position = random.nextInt(offsets[0], offsets[count]);
      int string = stringAt(offsets, count, position);
      int skipped = (position - offsets[string]) / MAX_PIECE_BYTES * MAX_PIECE_BYTES;
      int start = offsets[string] + skipped;
      addPiece(start, Math.min(offsets[string + 1], start + MAX_PIECE_BYTES));
    }
  }

  /** The string that the byte at {@code position} belongs to: the last that starts by there. */
  private static int stringAt(int[] offsets, int count, int position) {
    int low = 0;
    int high = count;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (offsets[middle] <= position) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void addPiece(int start, int end) {
    if (start == end) {
      return;
    }
    if (pieces == starts.length) {
      starts = Arrays.copyOf(starts, 2 * pieces);
      ends = Arrays.copyOf(ends, 2 * pieces);
    }
    starts[pieces] = start;
    ends[pieces] = end;
    pieces++;
    sampled += end - start;
  }

  /** Codes a share of the sample and counts tokens and pairs; gives the bytes saved. */
  private long count(FsstTable table, int fraction) {
    counts.clear();
    long gain = 0;
    for (int piece = 0; piece < pieces; piece++) {
      if (piece * PIECE_STEP % WHOLE < fraction) {
        gain += countPiece(table, starts[piece], ends[piece]);
      }
    }
    return gain;
  }

  private long countPiece(FsstTable table, int start, int end) {
    FsstMatcher matcher = table.matcher();
    long gain = 0;
    int previous = -1;
    for (int position = start; position < end; ) {
      int literal = bytes[position] & 0xFF;
      int code = matcher.longest(bytes, position, end);
      int token = code == FsstMatcher.NONE ? literal : FsstCounts.FIRST_SYMBOL + code;
      int length = length(table, token);
      counts.add(token);
      if (length > 1) {
        counts.add(literal);
      }
      if (previous >= 0) {
        counts.addPair(previous, token);
        if (length > 1) {
          counts.addPair(previous, literal);
        }
      }
      gain += code == FsstMatcher.NONE ? -1 : length - 1;
      position += length;
      previous = token;
    }
    return gain;
  }

  private FsstCandidates candidates(FsstTable table, int fraction, boolean withPairs) {
    int pairCount = withPairs ? counts.pairCount() : 0;
    int minOccurrences = MIN_OCCURRENCES * sampled / SAMPLE_BYTES * fraction / WHOLE;
    FsstCandidates candidates = new FsstCandidates(FsstCounts.TOKENS + pairCount);
    for (int token = 0; token < FsstCounts.FIRST_SYMBOL + table.count(); token++) {
      int occurrences = counts.count(token);
      int length = length(table, token);
      if (occurrences > 0 && occurrences >= minOccurrences) {
        int gain = occurrences * (length == 1 ? SINGLE_BYTE_BONUS : length);
        candidates.add(symbol(table, token), length, gain);
      }
    }
    for (int i = 0; i < pairCount; i++) {
      if (counts.pairOccurrences(i) >= minOccurrences) {
        addPair(candidates, table, i);
      }
    }
    return candidates;
  }

  private void addPair(FsstCandidates candidates, FsstTable table, int pair) {
    int first = counts.pairFirst(pair);
    int second = counts.pairSecond(pair);
    int firstLength = length(table, first);
    if (firstLength == FsstTable.MAX_SYMBOL_BYTES) {
      return;
    }
    long symbol = symbol(table, first) | (symbol(table, second) << (firstLength * Byte.SIZE));
    int length = Math.min(firstLength + length(table, second), FsstTable.MAX_SYMBOL_BYTES);
    candidates.add(symbol, length, counts.pairOccurrences(pair) * length);
  }

  private static long symbol(FsstTable table, int token) {
    return token < FsstCounts.FIRST_SYMBOL ? token : table.symbol(token - FsstCounts.FIRST_SYMBOL);
  }

  private static int length(FsstTable table, int token) {
    return token < FsstCounts.FIRST_SYMBOL ? 1 : table.length(token - FsstCounts.FIRST_SYMBOL);
  }
}
