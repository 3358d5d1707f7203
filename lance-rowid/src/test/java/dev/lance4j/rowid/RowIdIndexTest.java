package dev.lance4j.rowid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class RowIdIndexTest {
  @Property(tries = 300)
  @Domain(RowIdLists.class)
  void findsEachLiveRowAfterAnyHistory(@ForAll Random random) {
    RowHistory history = new RowHistory(random);
    history.append();
    int steps = random.nextInt(25);
    for (int i = 0; i < steps; i++) {
      history.step();
    }

    List<FragmentRowIds> fragments = history.fragments();
    RowIdIndex index = RowIdIndex.build("table", fragments);

    long[] ids = history.everyId();
    assertThat(index.rows()).isEqualTo(history.liveRows());
    assertThat(index.rowAddresses(ids)).containsExactly(history.addresses(ids));
    assertThat(RowIdIndex.find("table", fragments, ids)).containsExactly(history.addresses(ids));
  }

  @Property(tries = 300)
  @Domain(RowIdLists.class)
  void findsIdsAnywhereInTheUnsignedNumbers(
      @ForAll long[] rowIds, @ForAll long[] others, @ForAll Random random) {
    RowIdSequence sequence = RowIdSequence.of(rowIds);
    RoaringBitmap deleted = new RoaringBitmap();
    for (int i = 0; i < rowIds.length; i++) {
      if (random.nextInt(4) == 0) {
        deleted.add(i);
      }
    }

    RowIdIndex index = index(new FragmentRowIds(3, sequence, deleted));

    for (int i = 0; i < rowIds.length; i++) {
      assertThat(index.rowAddress(rowIds[i]))
          .isEqualTo(deleted.contains(i) ? RowAddress.NONE : RowAddress.pack(3, i));
    }
    for (long other : others) {
      long offset = sequence.offset(other);
      boolean live = offset >= 0 && !deleted.contains((int) offset);
      assertThat(index.find(new StableRowId(other)).isPresent()).isEqualTo(live);
    }
  }

  @Test
  void aMovedRowIsFoundInsideTheRangeOfItsOldFragment() {
    RowIdIndex index =
        index(
            new FragmentRowIds(10, RowIdSequence.of(100, 101, 105, 106), bitmap(1)),
            new FragmentRowIds(11, RowIdSequence.of(101), null));

    assertThat(index.find(new StableRowId(101))).contains(RowAddress.of(11, 0));
    assertThat(index.find(new StableRowId(102))).isEmpty();
    assertThat(index.find(new StableRowId(106))).contains(RowAddress.of(10, 3));
    assertThat(index.rows()).isEqualTo(4);
  }

  @Test
  void aRowMovedManyTimesIsFoundWhereItWentLast() {
    FragmentRowIds[] fragments = new FragmentRowIds[40];
    fragments[0] = new FragmentRowIds(0, RowIdSequence.range(0, 1000), bitmap(range(0, 1000, 2)));
    for (int i = 1; i < fragments.length; i++) {
      RowIdSequence evenIds = RowIdSequence.range(0, 1000).mask(bitmap(range(1, 1000, 2)));
      RoaringBitmap deleted = i == 39 ? null : RoaringBitmap.bitmapOfRange(0, 500);
      fragments[i] = new FragmentRowIds(i, evenIds, deleted);
    }

    RowIdIndex index = index(fragments);

    assertThat(index.rowAddress(4)).isEqualTo(RowAddress.pack(39, 2));
    assertThat(index.rowAddress(5)).isEqualTo(RowAddress.pack(0, 5));
  }

  @Test
  void anIdThatIsLiveTwiceIsAnErrorWithBothAddresses() {
    RowIdSequence range = RowIdSequence.range(0, 1000);
    RowIdSequence bitmap = range.mask(bitmap(range(1, 1000, 2)));
    RowIdSequence sorted = RowIdSequence.of(4, 70_000);
    RowIdSequence array = RowIdSequence.of(9, 4);
    RowIdSequence one = RowIdSequence.of(4);
    List<RowIdSequence> forms = List.of(range, bitmap, sorted, array, one);
    for (RowIdSequence first : forms) {
      for (RowIdSequence second : forms) {
        List<FragmentRowIds> fragments =
            List.of(new FragmentRowIds(3, first, null), new FragmentRowIds(8, second, null));
        String at3 = "fragment 3, offset " + first.offset(4);
        String at8 = "fragment 8, offset " + second.offset(4);
        assertThatThrownBy(() -> RowIdIndex.find("my/table", fragments, 4))
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContainingAll("my/table", "row id 4 is live twice", at3, at8);
        assertThatThrownBy(() -> RowIdIndex.build("my/table", fragments))
            .isInstanceOf(CorruptFileException.class)
            .hasMessageContainingAll("my/table", "live twice", "fragment 3", "fragment 8");
      }
    }
  }

  @Test
  void anIdThatIsRepeatedInOneSequenceIsAnError() {
    RowIdSequence repeated = RowIdSequence.of(3, 1).extend(RowIdSequence.of(3));

    assertThatThrownBy(() -> index(new FragmentRowIds(0, repeated, null)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContainingAll("row id 3", "offset 0", "offset 2");
    assertThat(index(new FragmentRowIds(0, repeated, bitmap(0))).rowAddress(3)).isEqualTo(2);
  }

  @Test
  void aDeletedRowThatItsFragmentDoesNotHaveIsAnError() {
    FragmentRowIds fragment = new FragmentRowIds(5, RowIdSequence.range(0, 3), bitmap(3));

    assertThatThrownBy(() -> index(fragment))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContainingAll("fragment 5", "offset 3", "only 3 row ids");
  }

  @Test
  void aTableWithoutRowsHasNoAddresses() {
    RowIdIndex index =
        index(
            new FragmentRowIds(0, RowIdSequence.EMPTY, null),
            new FragmentRowIds(1, RowIdSequence.range(0, 0), null),
            new FragmentRowIds(2, RowIdSequence.range(0, 2), bitmap(0, 1)));

    assertThat(index.rowAddresses(0, 1, -1))
        .containsExactly(RowAddress.NONE, RowAddress.NONE, RowAddress.NONE);
    assertThat(index.rows()).isZero();
  }

  private static RowIdIndex index(FragmentRowIds... fragments) {
    return RowIdIndex.build("table", List.of(fragments));
  }

  private static RoaringBitmap bitmap(int... offsets) {
    return RoaringBitmap.bitmapOf(offsets);
  }

  private static int[] range(int from, int to, int step) {
    int[] numbers = new int[(to - from + step - 1) / step];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = from + i * step;
    }
    return numbers;
  }
}
