package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.kernel.FastLanes;

/**
 * What decides how numbers are encoded.
 *
 * @param runs the number of runs of equal values
 * @param runEntries the number of runs when none is longer than 255
 * @param packedBytes the size when each group of 1024 is packed to its largest value's bits
 */
record FixedStatistics(int runs, int runEntries, long packedBytes) {
  static FixedStatistics of(FixedBlock block) {
    long[] values = new long[FastLanes.GROUP];
    int runs = 0;
    int entries = 0;
    long packed = 0;
    long last = 0;
    int length = 0;
    for (int from = 0; from < block.count(); from += FastLanes.GROUP) {
      int count = Math.min(FastLanes.GROUP, block.count() - from);
      FixedValues.read(block, from, count, values);
      packed += block.width() + FastLanes.packedBytes(FixedValues.bitWidth(values, count));
      for (int i = 0; i < count; i++) {
        if (length == 0 || values[i] != last) {
          runs++;
          entries++;
          last = values[i];
          length = 1;
        } else if (++length > RleChunks.MAX_RUN) {
          entries++;
          length = 1;
        }
      }
    }
    return new FixedStatistics(runs, entries, packed);
  }
}
