package dev.lance4j.rowid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class AddressMapTest {
  private static AddressMap.Source source(long id, long rows, int... deleted) {
    return new AddressMap.Source(id, rows, RoaringBitmap.bitmapOf(deleted));
  }

  private static long address(long fragment, long offset) {
    return RowAddress.pack(fragment, offset);
  }

  @Test
  void liveRowsMoveUpAndDeletedOnesAreGone() {
    AddressMap moves =
        AddressMap.builder()
            .group(
                List.of(source(0, 4, 1), source(1, 4, 2), source(2, 4)),
                List.of(new AddressMap.Target(3, 10)))
            .build();

    assertThat(moves.map(address(0, 0))).isEqualTo(address(3, 0));
    assertThat(moves.map(address(0, 1))).isEqualTo(RowAddress.NONE);
    assertThat(moves.map(address(0, 2))).isEqualTo(address(3, 1));
    assertThat(moves.map(address(0, 3))).isEqualTo(address(3, 2));
    assertThat(moves.map(address(1, 0))).isEqualTo(address(3, 3));
    assertThat(moves.map(address(1, 2))).isEqualTo(RowAddress.NONE);
    assertThat(moves.map(address(1, 3))).isEqualTo(address(3, 5));
    assertThat(moves.map(address(2, 3))).isEqualTo(address(3, 9));
    assertThat(moves.map(address(2, 4))).isEqualTo(RowAddress.NONE);
    assertThat(moves.map(address(4, 4))).isEqualTo(address(4, 4));
    assertThat(moves.isAffected(2)).isTrue();
    assertThat(moves.isAffected(3)).isFalse();
  }

  @Test
  void allRowsOfAFragmentMayBeGone() {
    AddressMap moves = AddressMap.builder().group(List.of(source(0, 2, 0, 1)), List.of()).build();

    assertThat(moves.map(address(0, 0))).isEqualTo(RowAddress.NONE);
    assertThat(moves.map(address(0, 1))).isEqualTo(RowAddress.NONE);
  }

  @Test
  void aRewriteAfterAnotherMovesRowsOn() {
    AddressMap first =
        AddressMap.builder()
            .group(
                List.of(source(0, 2), source(1, 2, 0)),
                List.of(new AddressMap.Target(2, 2), new AddressMap.Target(3, 1)))
            .build();
    AddressMap second =
        AddressMap.builder()
            .group(List.of(source(2, 2, 0), source(3, 1)), List.of(new AddressMap.Target(4, 2)))
            .build();

    AddressMap both = first.then(second);

    assertThat(both.map(address(0, 0))).isEqualTo(RowAddress.NONE);
    assertThat(both.map(address(0, 1))).isEqualTo(address(4, 0));
    assertThat(both.map(address(1, 0))).isEqualTo(RowAddress.NONE);
    assertThat(both.map(address(1, 1))).isEqualTo(address(4, 1));
    assertThat(AddressMap.IDENTITY.then(first).map(address(0, 1))).isEqualTo(address(2, 1));
  }

  @Test
  void newFragmentsHaveJustTheLiveRows() {
    AddressMap.Builder moves = AddressMap.builder();

    assertThatThrownBy(
            () -> moves.group(List.of(source(0, 2, 1)), List.of(new AddressMap.Target(3, 2))))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(
            () ->
                moves.group(
                    List.of(source(1, 1), source(1, 1)), List.of(new AddressMap.Target(3, 2))))
        .isInstanceOf(InvalidInputException.class);
  }

  /** The naive twin lists all live rows and all places, and pairs them. */
  @Property(tries = 20)
  void eachLiveRowHasAPlaceOfItsOwn(@ForAll long seed) {
    Random random = new Random(seed);
    AddressMap.Builder moves = AddressMap.builder();
    Map<Long, Long> expected = new HashMap<>();
    List<Long> gone = new ArrayList<>();
    long nextId = random.nextInt(5);
    long nextNewId = 1_000;
    for (int group = 0; group < 3; group++) {
      List<AddressMap.Source> sources = new ArrayList<>();
      List<Long> live = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(4); i++, nextId += 1 + random.nextInt(3)) {
        int rows = 1 + random.nextInt(80_000);
        RoaringBitmap deleted = new RoaringBitmap();
        double part = random.nextInt(4) / 3.0;
        for (int row = 0; row < rows; row++) {
          if (random.nextDouble() < part) {
            deleted.add(row);
            gone.add(address(nextId, row));
          } else {
            live.add(address(nextId, row));
          }
        }
        sources.add(new AddressMap.Source(nextId, rows, deleted));
      }
      List<AddressMap.Target> targets = new ArrayList<>();
      int placed = 0;
      while (placed < live.size()) {
        int rows = Math.min(live.size() - placed, 1 + random.nextInt(90_000));
        for (int row = 0; row < rows; row++) {
          expected.put(live.get(placed++), address(nextNewId, row));
        }
        targets.add(new AddressMap.Target(nextNewId++, rows));
      }
      moves.group(sources, targets);
    }

    AddressMap map = moves.build();

    expected.forEach((before, after) -> assertThat(map.map(before)).isEqualTo(after));
    gone.forEach(address -> assertThat(map.map(address)).isEqualTo(RowAddress.NONE));
    checkSets(map, expected, gone, random);
  }

  private static void checkSets(
      AddressMap map, Map<Long, Long> expected, List<Long> gone, Random random) {
    RowAddressSet.Builder before = RowAddressSet.builder();
    RowAddressSet.Builder after = RowAddressSet.builder();
    before.add(address(9_999, 3));
    after.add(address(9_999, 3));
    expected.forEach(
        (from, to) -> {
          if (random.nextBoolean()) {
            before.add(from);
            after.add(to);
          }
        });
    gone.forEach(before::add);
    assertThat(map.map(before.build())).isEqualTo(after.build());
    checkFormer(map, expected, after.build());
    RowAddressSet.Builder all = RowAddressSet.builder();
    expected.keySet().forEach(from -> all.addFragment(RowAddress.fragmentId(from)));
    RowAddressSet.Builder everywhere = RowAddressSet.builder();
    expected.values().forEach(everywhere::add);
    assertThat(map.map(all.build())).isEqualTo(everywhere.build());
  }

  private static void checkFormer(AddressMap map, Map<Long, Long> expected, RowAddressSet after) {
    RowAddressSet.Builder anyTime = RowAddressSet.builder();
    expected.forEach(
        (from, to) -> {
          if (after.contains(to)) {
            anyTime.add(from);
          }
        });
    assertThat(map.withFormer(after)).isEqualTo(after.or(anyTime.build()));
  }
}
