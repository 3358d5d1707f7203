package dev.lance4j.rowid;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

/** Memory as the index itself counts it, and times with much room for slow machines. */
class RowIdIndexSizeTest {
  private static final int FRAGMENT_ROWS = 1_000_000;

  @Test
  void aContiguousTableCostsBytesPerFragmentNotPerRow() {
    List<FragmentRowIds> fragments = contiguous(100);
    RowIdIndex.build("warm-up", fragments);

    long start = System.nanoTime();
    RowIdIndex index = RowIdIndex.build("table", fragments);
    Duration built = Duration.ofNanos(System.nanoTime() - start);

    assertThat(index.rows()).isEqualTo(100_000_000);
    assertThat(index.rowAddress(99_999_999)).isEqualTo(RowAddress.pack(99, 999_999));
    assertThat(index.memoryBytes()).isLessThan(100_000);
    assertThat(built).isLessThan(Duration.ofMillis(10));
  }

  @Test
  void aTenthOfTheRowsMovedInOrderCostsLessThanThreeBytesPerRow() {
    requireSmallAfterMoves(10, 0.1, 1, false);
  }

  @Test
  void aTenthOfTheRowsMovedInAnyOrderCostsLessThanThreeBytesPerRow() {
    requireSmallAfterMoves(10, 0.1, 1, true);
  }

  @Test
  void aTenthOfTheRowsMovedByManyUpdatesCostsLessThanThreeBytesPerRow() {
    requireSmallAfterMoves(10, 0.1, 50, false);
  }

  private static void requireSmallAfterMoves(
      int fragmentCount, double share, int updates, boolean shuffled) {
    RowIdIndex index =
        RowIdIndex.build("table", afterMoves(fragmentCount, share, updates, shuffled));

    assertThat(index.memoryBytes()).isLessThan(3 * index.rows());
  }

  @Test
  void anIndexWithAFifthOfTheRowsMovedIsBuiltAndSearchedFast() {
    List<FragmentRowIds> fragments = afterMoves(10, 0.2, 1, true);

    long start = System.nanoTime();
    RowIdIndex index = RowIdIndex.build("table", fragments);
    Duration built = Duration.ofNanos(System.nanoTime() - start);
    long[] ids = new Random(1).longs(5_000_000, 0, index.rows()).toArray();
    start = System.nanoTime();
    long[] found = index.rowAddresses(ids);
    long nanosPerLookup = (System.nanoTime() - start) / ids.length;

    assertThat(Arrays.stream(found).noneMatch(address -> address == RowAddress.NONE)).isTrue();
    assertThat(built).isLessThan(Duration.ofSeconds(5));
    assertThat(nanosPerLookup).isLessThan(1000);
  }

  static List<FragmentRowIds> contiguous(int count) {
    List<FragmentRowIds> fragments = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      RowIdSequence ids = RowIdSequence.range(i * FRAGMENT_ROWS, (i + 1) * FRAGMENT_ROWS);
      fragments.add(new FragmentRowIds(i, ids, null));
    }
    return fragments;
  }

  /** A table after some updates that each moved other rows into new fragments. */
  static List<FragmentRowIds> afterMoves(int count, double share, int updates, boolean shuffled) {
    Random random = new Random(7);
    List<FragmentRowIds> fragments = new ArrayList<>();
    RoaringBitmap[] deleted = new RoaringBitmap[count];
    Arrays.setAll(deleted, i -> new RoaringBitmap());
    long[][] moved = new long[updates][(int) (2 * share * count * FRAGMENT_ROWS / updates)];
    int[] sizes = new int[updates];
    for (int id = 0; id < count * FRAGMENT_ROWS; id++) {
      if (random.nextDouble() < share) {
        int update = random.nextInt(updates);
        moved[update][sizes[update]++] = id;
        deleted[id / FRAGMENT_ROWS].add(id % FRAGMENT_ROWS);
      }
    }
    for (FragmentRowIds fragment : contiguous(count)) {
      RoaringBitmap offsets = deleted[(int) fragment.fragmentId()];
      fragments.add(new FragmentRowIds(fragment.fragmentId(), fragment.rowIds(), offsets));
    }
    for (int update = 0; update < updates; update++) {
      long[] ids = Arrays.copyOf(moved[update], sizes[update]);
      if (shuffled) {
        shuffle(ids, random);
      }
      for (int from = 0; from < ids.length; from += FRAGMENT_ROWS) {
        int to = Math.min(from + FRAGMENT_ROWS, ids.length);
        RowIdSequence sequence = RowIdSequence.of(Arrays.copyOfRange(ids, from, to));
        fragments.add(new FragmentRowIds(fragments.size(), sequence, null));
      }
    }
    return fragments;
  }

  private static void shuffle(long[] values, Random random) {
    for (int i = values.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      long value = values[i];
      values[i] = values[other];
      values[other] = value;
    }
  }
}
