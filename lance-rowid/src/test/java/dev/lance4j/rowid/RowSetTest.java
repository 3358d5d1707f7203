package dev.lance4j.rowid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class RowSetTest {
  private static final int FRAGMENTS = 4;
  private static final int ROWS = 6;

  @Property
  @Domain(RowIdLists.class)
  void holdsTheRowsAddedInUnsignedOrder(@ForAll long[] first, @ForAll long[] second) {
    RowIdSet set = RowIdSet.of(first).or(RowIdSet.of(second));

    List<Long> expected = new ArrayList<>();
    LongStream.concat(Arrays.stream(first), Arrays.stream(second))
        .distinct()
        .forEach(expected::add);
    expected.sort(Long::compareUnsigned);
    assertThat(listed(set)).isEqualTo(expected);
    assertThat(set.cardinality()).hasValue(expected.size());
    assertThat(parseIds(set.toBytes())).isEqualTo(set);
  }

  @Property
  @Domain(RowIdLists.class)
  void combinesAsBooleansDo(@ForAll Random random) {
    RowAddressSet a = randomSet(random);
    RowAddressSet b = randomSet(random);
    RowMask<RowAddressSet> mask = random.nextBoolean() ? RowMask.allow(a) : RowMask.block(a);
    RowMask<RowAddressSet> other = random.nextBoolean() ? RowMask.allow(b) : RowMask.block(b);

    for (long row : everyRow()) {
      boolean inA = a.contains(row);
      boolean inB = b.contains(row);
      assertThat(a.or(b).contains(row)).isEqualTo(inA || inB);
      assertThat(a.and(b).contains(row)).isEqualTo(inA && inB);
      assertThat(a.andNot(b).contains(row)).isEqualTo(inA && !inB);
      boolean selected = mask.selects(row);
      assertThat(selected).isEqualTo(inA == mask.allows());
      assertThat(mask.not().selects(row)).isEqualTo(!selected);
      assertThat(mask.and(other).selects(row)).isEqualTo(selected && other.selects(row));
      assertThat(mask.or(other).selects(row)).isEqualTo(selected || other.selects(row));
      assertThat(mask.alsoBlock(b).selects(row)).isEqualTo(selected && !inB);
      assertThat(mask.alsoAllow(b).selects(row)).isEqualTo(selected || inB);
    }
  }

  @Property(tries = 200)
  @Domain(RowIdLists.class)
  void readsBackWhatItWrote(@ForAll Random random) {
    RowAddressSet set = randomSet(random);

    RowAddressSet read = parse(set.toBytes());

    for (long row : everyRow()) {
      assertThat(read.contains(row)).isEqualTo(set.contains(row));
    }
  }

  @Property
  @Domain(RowIdLists.class)
  void listsTheOffsetsOfAFragment(@ForAll Random random) {
    RowAddressSet set = randomSet(random);

    for (int fragment = 0; fragment < FRAGMENTS; fragment++) {
      RoaringBitmap expected = new RoaringBitmap();
      for (int offset = 0; offset < ROWS; offset++) {
        if (set.contains(RowAddress.pack(fragment, offset))) {
          expected.add(offset);
        }
      }
      assertThat(set.offsets(fragment, ROWS)).isEqualTo(expected);
    }
  }

  private static RowAddressSet randomSet(Random random) {
    RowAddressSet.Builder in = RowAddressSet.builder();
    RowAddressSet.Builder out = RowAddressSet.builder();
    for (int fragment = 0; fragment < FRAGMENTS; fragment++) {
      if (random.nextInt(3) == 0) {
        in.addFragment(fragment);
      }
      for (int offset = 0; offset < ROWS; offset++) {
        RowAddressSet.Builder some = random.nextBoolean() ? in : out;
        some.add(RowAddress.pack(fragment, offset));
      }
      if (random.nextInt(8) == 0) {
        out.addFragment(fragment);
      }
    }
    return in.build().andNot(out.build());
  }

  private static long[] everyRow() {
    return LongStream.range(0, FRAGMENTS * ROWS)
        .map(i -> RowAddress.pack(i / ROWS, i % ROWS))
        .toArray();
  }

  @Test
  void hasTheSpecifiedBytes() {
    byte[] bytes = RowIdSet.of(0).toBytes();

    assertThat(HexFormat.of().withUpperCase().formatHex(bytes))
        .isEqualTo("010000000000000012000000" + "3A30000001000000" + "0000000010000000" + "0000");
    assertThat(RowIdSet.EMPTY.toBytes()).containsExactly(0, 0, 0, 0);
  }

  @Test
  void writesAWholeFragmentAsAnEntryWithoutBitmap() {
    RowAddressSet.Builder builder = RowAddressSet.builder();
    builder.addFragment(7);
    builder.add(RowAddress.pack(7, 3));
    RowAddressSet set = builder.build();

    assertThat(HexFormat.of().formatHex(set.toBytes())).isEqualTo("010000000700000000000000");
    assertThat(parse(set.toBytes()).containsFragment(7)).isTrue();
    assertThat(set.cardinality()).isEmpty();
  }

  @Test
  void longRunsAreWrittenWithoutRunContainers() {
    RowIdSet.Builder builder = RowIdSet.builder();
    builder.addRange(0, 99_999);
    byte[] bytes = builder.build().toBytes();

    int cookie = ByteBuffer.wrap(bytes, 12, 4).order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt();
    assertThat(cookie).isEqualTo(0x303A);
    assertThat(parseIds(bytes).cardinality()).hasValue(100_000);
  }

  @Test
  void readsRunContainersAndIgnoresEmptyEntries() {
    RoaringBitmap runs = RoaringBitmap.bitmapOfRange(5, 50_000);
    runs.runOptimize();
    ByteBuffer bytes = ByteBuffer.allocate(100).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(2).putInt(1).putInt(8).putInt(0x303A).putInt(0);
    bytes.putInt(2).putInt(runs.serializedSizeInBytes());
    runs.serialize(bytes);
    bytes.flip();

    RowAddressSet set = RowDomain.ADDRESSES.parse(bytes, "t");

    assertThat(set.fragmentIds()).containsExactly(2);
    assertThat(set.offsets(2, 1L << 32)).isEqualTo(runs);
  }

  @Test
  void aWholeFragmentWithoutAFewRowsStaysSmall() {
    RowAddressSet.Builder fragment = RowAddressSet.builder();
    fragment.addFragment(1);
    RowAddressSet set = fragment.build().andNot(RowAddressSet.of(RowAddress.pack(1, 5)));

    assertThat(set.containsFragment(1)).isFalse();
    assertThat(set.contains(RowAddress.pack(1, 5))).isFalse();
    assertThat(set.contains(RowAddress.pack(1, (1L << 32) - 1))).isTrue();
    assertThat(set.toBytes().length).isLessThan(2_000_000);
    assertThat(parse(set.toBytes()).offsets(1, 10).toArray())
        .containsExactly(0, 1, 2, 3, 4, 6, 7, 8, 9);
    assertThatThrownBy(set::iterator).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void rangesMayCrossHighWordsAndBeEmpty() {
    RowIdSet.Builder builder = RowIdSet.builder();
    builder.addRange(0xFFFF_FFFEL, 0x1_0000_0001L);
    builder.addRange(-2, -1);
    builder.addRange(7, 6);

    assertThat(listed(builder.build()))
        .containsExactly(0xFFFF_FFFEL, 0xFFFF_FFFFL, 0x1_0000_0000L, 0x1_0000_0001L, -2L, -1L);
  }

  @Test
  void retainsFragments() {
    RowAddressSet set = RowAddressSet.of(RowAddress.pack(1, 0), RowAddress.pack(2, 9));

    assertThat(set.retainFragments(RoaringBitmap.bitmapOf(2, 3)))
        .isEqualTo(RowAddressSet.of(RowAddress.pack(2, 9)));
  }

  @Test
  void addressesAndIdsAreNeverEqual() {
    assertThat((Object) RowAddressSet.of(5)).isNotEqualTo(RowIdSet.of(5));
  }

  @Test
  void stableRowIdsNeverFillAWholeFragment() {
    byte[] whole = HexFormat.of().parseHex("010000000700000000000000");

    assertThatThrownBy(() -> parseIds(whole)).isInstanceOf(CorruptFileException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "010000",
        // more entries than bytes
        "FFFFFFFF0000000000000000",
        // an entry that is cut off, one that is longer than the bytes, one that is shorter
        "0100000007000000",
        "010000000000000012000000" + "3A30",
        "010000000000000014000000" + "3A300000010000000000000010000000" + "00000000",
        "0100000000000000FFFFFFFF" + "3A30000000000000",
        // entries out of order
        "0200000007000000000000000700000000000000",
        // bytes after the last entry
        "01000000070000000000000000",
        // no bitmap; more containers than there can be; values that do not ascend
        "010000000000000008000000" + "3A31000000000000",
        "010000000000000008000000" + "3A300000FFFFFF7F",
        "010000000000000014000000" + "3A300000010000000000010010000000" + "05000500"
      })
  void refusesBytesThatNoWriterProduces(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);

    assertThatThrownBy(() -> parse(bytes))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("index page");
  }

  @Property
  @Domain(RowIdLists.class)
  void damagedBytesAreReadOrRefusedButNothingElse(@ForAll long[] rows, @ForAll Random random) {
    byte[] bytes = RowIdSet.of(rows).toBytes();
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));

    RowAddressSet read;
    try {
      read = parse(bytes);
    } catch (CorruptFileException e) {
      return;
    }
    for (long fragment : read.fragmentIds()) {
      RoaringBitmap offsets = read.offsets(fragment, RowAddress.LIMIT);
      assertThat(read.contains(RowAddress.pack(fragment, offsets.nextValue(0)))).isTrue();
    }
  }

  private static RowAddressSet parse(byte[] bytes) {
    return RowDomain.ADDRESSES.parse(ByteBuffer.wrap(bytes), "index page");
  }

  private static RowIdSet parseIds(byte[] bytes) {
    return RowDomain.STABLE_IDS.parse(ByteBuffer.wrap(bytes), "index page");
  }

  private static List<Long> listed(RowIdSet set) {
    List<Long> rows = new ArrayList<>();
    for (PrimitiveIterator.OfLong row = set.iterator(); row.hasNext(); ) {
      rows.add(row.nextLong());
    }
    return rows;
  }
}
