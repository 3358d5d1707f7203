package dev.lance4j.rowid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class RowIdSequenceTest {
  static List<Arguments> workedBytes() {
    return List.of(
        Arguments.of(ids(), "0A020A00"),
        Arguments.of(ids(42), "0A060A04082A102B"),
        Arguments.of(LongStream.range(0, 10).toArray(), "0A040A02100A"),
        Arguments.of(LongStream.range(100, 105).toArray(), "0A060A0408641069"),
        Arguments.of(ids(100, 101, 103, 104), "0A091A07086410691A011B"),
        Arguments.of(
            LongStream.range(0, 1000).filter(id -> id != 100).toArray(),
            "0A0F120D10E8071A080A06086412020000"),
        Arguments.of(ids(1, 7000, 24000), "0A0E220C0A0A080112060000571BBF5D"),
        Arguments.of(ids(7000, 1, 24000), "0A0E2A0C0A0A08011206571B0000BF5D"),
        Arguments.of(ids(0, 65536, 200000), "0A122210120E120C0000000000000100400D0300"),
        Arguments.of(ids(0, 4294967296L), "0A1622141A12121000000000000000000000000001000000"),
        Arguments.of(ids(0, 2), "0A071A0510031A0105"),
        Arguments.of(LongStream.range(0, 10).map(i -> 2 * i).toArray(), "0A091A0710131A03555505"),
        Arguments.of(
            LongStream.range(1000, 1020).filter(id -> id != 1007 && id != 1011).toArray(),
            "0A0D1A0B08E80710FC071A037FF70F"),
        Arguments.of(ids(5, 7, 21, 30, 31), "0A0C1A0A080510201A0405000106"));
  }

  @ParameterizedTest
  @MethodSource("workedBytes")
  void hasTheBytesThatTheReferenceWrites(long[] rowIds, String hex) {
    ByteString bytes = RowIdSequence.of(rowIds).toByteString();

    assertThat(HexFormat.of().withUpperCase().formatHex(bytes.toByteArray())).isEqualTo(hex);
    assertThat(RowIdSequence.parse(bytes, "t").toArray()).containsExactly(rowIds);
  }

  @Property
  @Domain(RowIdLists.class)
  void readsBackWhatItWrote(@ForAll long[] rowIds) {
    ByteString bytes = RowIdSequence.of(rowIds).toByteString();

    RowIdSequence read = RowIdSequence.parse(bytes, "t");
    assertThat(read.toArray()).containsExactly(rowIds);
    assertThat(read.toByteString()).isEqualTo(bytes);
  }

  @Property
  @Domain(RowIdLists.class)
  void looksUpOffsetsAndIds(@ForAll long[] first, @ForAll long[] second) {
    RowIdSequence sequence = RowIdSequence.of(first).extend(RowIdSequence.of(second));
    long[] all = concatenate(first, second);

    assertThat(sequence.length()).isEqualTo(all.length);
    PrimitiveIterator.OfLong ids = sequence.iterator();
    for (int i = 0; i < all.length; i++) {
      assertThat(sequence.rowId(i)).isEqualTo(all[i]);
      assertThat(sequence.offset(all[i])).isEqualTo(indexOf(all, all[i]));
      assertThat(sequence.offset(all[i] + 1)).isEqualTo(indexOf(all, all[i] + 1));
      assertThat(ids.nextLong()).isEqualTo(all[i]);
    }
    assertThat(ids.hasNext()).isFalse();
  }

  @Property
  @Domain(RowIdLists.class)
  void slicesAsAListIsSliced(@ForAll long[] first, @ForAll long[] second, @ForAll Random random) {
    long[] all = concatenate(first, second);
    RowIdSequence sequence = RowIdSequence.of(first).extend(RowIdSequence.of(second));
    int from = random.nextInt(all.length + 1);
    int to = from + random.nextInt(all.length + 1 - from);

    long[] expected = Arrays.copyOfRange(all, from, to);
    assertThat(sequence.slice(from, to - from).toArray()).containsExactly(expected);
    long[] copied = new long[to - from + 2];
    sequence.copy(from, to - from, copied, 1);
    assertThat(Arrays.copyOfRange(copied, 1, to - from + 1)).containsExactly(expected);
    long[] offsets = LongStream.range(from, to + 3).toArray();
    assertThat(sequence.select(offsets))
        .containsExactly(Arrays.copyOfRange(all, from, Math.min(to + 3, all.length)));
    assertThat(sequence.rowIds(LongStream.range(from, to).toArray())).containsExactly(expected);
  }

  @Property
  @Domain(RowIdLists.class)
  void masksAsAListIsFiltered(@ForAll long[] first, @ForAll long[] second, @ForAll Random random) {
    long[] all = concatenate(first, second);
    RowIdSequence sequence = RowIdSequence.of(first).extend(RowIdSequence.of(second));
    RoaringBitmap offsets = new RoaringBitmap();
    double share = random.nextDouble() * 1.1;
    for (int i = 0; i < all.length; i++) {
      if (random.nextDouble() < share) {
        offsets.add(i);
      }
    }

    long[] expected =
        LongStream.range(0, all.length)
            .filter(i -> !offsets.contains((int) i))
            .map(i -> all[(int) i])
            .toArray();
    assertThat(sequence.mask(offsets).toArray()).containsExactly(expected);
    assertThat(sequence.liveIds(offsets)).isEqualTo(RowIdSet.of(expected));
  }

  @Property
  @Domain(RowIdLists.class)
  void deletesIdsAndEncodesTheRestAnew(
      @ForAll long[] rowIds, @ForAll long[] others, @ForAll Random random) {
    long[] deleted = concatenate(others, randomPart(rowIds, random));
    RowIdSet set = RowIdSet.of(deleted);

    RowIdSequence left = RowIdSequence.of(rowIds).delete(set);

    long[] expected = Arrays.stream(rowIds).filter(id -> !set.contains(id)).toArray();
    assertThat(left.toArray()).containsExactly(expected);
    if (expected.length > 0) {
      assertThat(left.toByteString()).isEqualTo(RowIdSequence.of(expected).toByteString());
    }
  }

  @Property
  @Domain(RowIdLists.class)
  void findsTheOffsetsThatAMaskSelects(
      @ForAll long[] first, @ForAll long[] second, @ForAll long[] others, @ForAll Random random) {
    long[] all = concatenate(first, second);
    RowIdSequence sequence = RowIdSequence.of(first).extend(RowIdSequence.of(second));
    RowIdSet set = RowIdSet.of(concatenate(others, randomPart(all, random)));

    for (RowMask<RowIdSet> mask : List.of(RowMask.allow(set), RowMask.block(set))) {
      RoaringBitmap expected = new RoaringBitmap();
      for (int i = 0; i < all.length; i++) {
        if (mask.selects(all[i])) {
          expected.add(i);
        }
      }
      assertThat(sequence.offsets(mask)).isEqualTo(expected);
    }
  }

  @Property
  @Domain(RowIdLists.class)
  void rechunksWithoutLosingOrMovingARow(
      @ForAll long[] first, @ForAll long[] second, @ForAll Random random) {
    long[] all = concatenate(first, second);
    List<Long> lengths = new ArrayList<>();
    for (long left = all.length; left > 0; left -= lengths.get(lengths.size() - 1)) {
      lengths.add((long) random.nextInt((int) left + 1));
    }
    long[] sizes = lengths.stream().mapToLong(Long::longValue).toArray();

    List<RowIdSequence> pieces =
        RowIdSequence.rechunk(
            List.of(RowIdSequence.of(first), RowIdSequence.of(second)), sizes, false);

    int offset = 0;
    assertThat(pieces).hasSize(sizes.length);
    for (int i = 0; i < sizes.length; i++) {
      assertThat(pieces.get(i).toArray())
          .containsExactly(Arrays.copyOfRange(all, offset, offset + (int) sizes[i]));
      offset += (int) sizes[i];
    }
  }

  @Test
  void rechunkLeavesTheLastPiecesShortIfThatIsAllowed() {
    List<RowIdSequence> ids = List.of(RowIdSequence.of(5, 7, 21));

    List<RowIdSequence> pieces = RowIdSequence.rechunk(ids, new long[] {2, 3, 4}, true);

    assertThat(pieces.get(0).toArray()).containsExactly(5, 7);
    assertThat(pieces.get(1).toArray()).containsExactly(21);
    assertThat(pieces.get(2).toByteString()).isEqualTo(ByteString.EMPTY);
    assertThatThrownBy(() -> RowIdSequence.rechunk(ids, new long[] {2, 3}, false))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("too few row ids: 3 for 5");
    assertThatThrownBy(() -> RowIdSequence.rechunk(ids, new long[] {2}, true))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("too many row ids: 3 for 2");
  }

  @Test
  void extendJoinsRangesThatTouch() {
    RowIdSequence sequence = RowIdSequence.range(0, 10).extend(RowIdSequence.range(10, 30));

    assertThat(sequence).isEqualTo(RowIdSequence.range(0, 30));
    assertThat(sequence.extend(RowIdSequence.range(40, 41)).toArray()).hasSize(31).endsWith(40);
  }

  @Test
  void maskKeepsAnArrayThatHappensToBeSortedButDeleteDoesNot() {
    RowIdSequence sequence = RowIdSequence.of(3, 1, 2);
    String array = HexFormat.of().formatHex(sequence.mask(bitmap(0)).toByteString().toByteArray());

    assertThat(array).isEqualTo("0a0c2a0a0a080801120400000100");
    assertThat(sequence.delete(RowIdSet.of(3))).isEqualTo(RowIdSequence.range(1, 3));
  }

  @Test
  void fillKeepsTheGivenIdsAndAddsFreshOnes() {
    RowIdSequence filled = RowIdSequence.of(5, 7, 21).fill(5, 30);

    assertThat(filled).isEqualTo(RowIdSequence.of(5, 7, 21, 30, 31));
    assertThat(RowIdSequence.EMPTY.fill(10, 30)).isEqualTo(RowIdSequence.range(30, 40));
    assertThat(RowIdSequence.EMPTY.fill(0, 7)).isEqualTo(RowIdSequence.range(7, 7));
    assertThat(RowIdSequence.of(3, 1).fill(2, 30)).isEqualTo(RowIdSequence.of(3, 1));
  }

  @Test
  void fillRefusesIdsThatWereNeverGivenOut() {
    assertThatThrownBy(() -> RowIdSequence.of(1000, 1002).fill(2, 2))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("1002")
        .hasMessageContaining("next row id of the table is 2");
    assertThatThrownBy(() -> RowIdSequence.range(0, 6).fill(3, 10))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("6 row ids but only 3 physical rows");
  }

  @Test
  void refusesRepeatedIds() {
    for (long[] repeated : List.of(ids(1, 1, 2), ids(5, 5), ids(9, 3, 9))) {
      assertThatThrownBy(() -> RowIdSequence.of(repeated))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("is repeated");
    }
  }

  @Test
  void refusesOffsetsBeyondTheSequence() {
    RowIdSequence sequence = RowIdSequence.range(0, 10);

    assertThatThrownBy(() -> sequence.rowId(10)).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> sequence.rowId(-1)).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> sequence.slice(5, 6))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("a sequence of 10 row ids");
    assertThatThrownBy(() -> sequence.slice(Long.MAX_VALUE, Long.MAX_VALUE))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> sequence.mask(bitmap(3, 10)))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> sequence.select(new long[] {4, 3}))
        .isInstanceOf(InvalidInputException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "24, RangeWithBitmapSegment",
    "25, RangeWithHolesSegment",
    "32, RangeWithHolesSegment",
    "33, RangeWithHolesSegment"
  })
  void oneHoleIsListedFrom25SlotsOn(int slots, String form) {
    long[] ids = LongStream.range(50, 50 + slots).filter(id -> id != 55).toArray();

    assertThat(form(RowIdSequence.of(ids))).isEqualTo(form);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 32, RangeWithBitmapSegment",
    "2, 33, SortedArraySegment",
    "3, 48, RangeWithBitmapSegment",
    "3, 49, SortedArraySegment"
  })
  void fewerThanOneIdInSixteenSlotsAreAnArray(int count, int slots, String form) {
    long[] ids = LongStream.range(0, count).toArray();
    ids[count - 1] = slots - 1L;

    assertThat(form(RowIdSequence.of(ids))).isEqualTo(form);
  }

  @Test
  void extremeIdsAreSortedArrays() {
    List<long[]> lists =
        List.of(ids(0, Long.MIN_VALUE), ids(-4, -2, -1), ids(0, -1), ids(-1), ids(-3, -2, -1));
    for (long[] ids : lists) {
      RowIdSequence sequence = RowIdSequence.of(ids);
      assertThat(form(sequence)).isEqualTo("SortedArraySegment");
      assertThat(RowIdSequence.parse(sequence.toByteString(), "t").toArray()).containsExactly(ids);
    }
    assertThat(form(RowIdSequence.of(-3, -2))).isEqualTo("RangeSegment");
  }

  @ParameterizedTest
  @CsvSource({"65535, 2", "65536, 4", "4294967295, 4", "4294967296, 8"})
  void arraysTakeTheLeastWidth(long greatest, int width) {
    int size = RowIdSequence.of(greatest, 0).toByteString().size();

    int headers = 8;
    assertThat(size).isEqualTo(headers + 2 * width);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // no form of segment; no form of array; no holes
        "0A00",
        "0A022200",
        "0A0412021005",
        // arrays of 3 and 5 bytes in items of 2, 4 and 8
        "0A0722050A03120100",
        "0A0922070A051203000000",
        "0A09220712051203000000",
        "0A0922071A051203000000",
        // a range that ends before it starts, and one that is longer than any fragment
        "0A060A0408051004",
        "0A0A0A0810FFFFFFFFFFFF03",
        // bitmaps that are too short and too long
        "0A071A0510091A0105",
        "0A081A0610031A020500",
        // holes outside of the range, and holes that do not ascend
        "0A0C120A10051A060A0412020500",
        "0A0E120C10051A080A06120402000100",
        // a sorted array that does not ascend
        "0A0A22080A06120402000100",
        // a base that leaves the 64-bit numbers
        "0A1322110A0F08FFFFFFFFFFFFFFFFFF0112020100",
        // cut off
        "0A060A04"
      })
  void refusesBytesThatNoWriterProduces(String hex) {
    ByteString bytes = ByteString.copyFrom(HexFormat.of().parseHex(hex));

    assertThatThrownBy(() -> RowIdSequence.parse(bytes, "manifest 7"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("manifest 7");
  }

  @Test
  void refusesMoreIdsThanAFragmentCanHave() {
    ByteString bytes =
        RowIdSequence.range(0, 1L << 32).extend(RowIdSequence.of(1L << 40)).toByteString();

    assertThatThrownBy(() -> RowIdSequence.parse(bytes, "t"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("2^32");
  }

  @Test
  void ignoresThePaddingOfABitmap() {
    ByteString bytes = ByteString.copyFrom(HexFormat.of().parseHex("0A071A0510031A01FD"));

    assertThat(RowIdSequence.parse(bytes, "t").toArray()).containsExactly(0, 2);
  }

  @Test
  void readsFormsThatTheSizeRuleWouldNotChoose() {
    String emptyRange = "0A020A00";
    String sortedIdsInAWideArray = "0A162A141A12121001000000000000000200000000000000";
    String holesAtTheEnds = "0A0E120C10051A080A06120400000400";
    ByteString bytes =
        ByteString.copyFrom(
            HexFormat.of()
                .parseHex(emptyRange + sortedIdsInAWideArray + emptyRange + holesAtTheEnds));

    RowIdSequence sequence = RowIdSequence.parse(bytes, "t");

    assertThat(sequence.toArray()).containsExactly(1, 2, 1, 2, 3);
    assertThat(sequence.mask(bitmap(3)).toArray()).containsExactly(1, 2, 1, 3);
    assertThat(sequence.toByteString()).isEqualTo(bytes);
  }

  @Property
  @Domain(RowIdLists.class)
  void damagedBytesAreReadOrRefusedButNothingElse(@ForAll long[] rowIds, @ForAll Random random) {
    byte[] bytes =
        RowIdSequence.of(rowIds).extend(RowIdSequence.of(1, 3, 2)).toByteString().toByteArray();
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));

    RowIdSequence read;
    try {
      read = RowIdSequence.parse(ByteString.copyFrom(bytes), "t");
    } catch (CorruptFileException e) {
      return;
    }
    assertThat(read.iterator().hasNext()).isEqualTo(read.length() > 0);
    for (long offset = Math.max(read.length() - 1, 0); offset < read.length(); offset++) {
      assertThat(read.offset(read.rowId(offset))).isBetween(0L, offset);
      assertThat(read.slice(offset, 1).rowId(0)).isEqualTo(read.rowId(offset));
    }
  }

  static String form(RowIdSequence sequence) {
    assertThat(sequence.segments()).hasSize(1);
    return sequence.segments().get(0).getClass().getSimpleName();
  }

  private static long[] ids(long... ids) {
    return ids;
  }

  private static RoaringBitmap bitmap(int... offsets) {
    return RoaringBitmap.bitmapOf(offsets);
  }

  private static long[] concatenate(long[] first, long[] second) {
    return LongStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
  }

  private static int indexOf(long[] values, long value) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] == value) {
        return i;
      }
    }
    return -1;
  }

  private static long[] randomPart(long[] values, Random random) {
    double share = random.nextDouble() * 1.1;
    return Arrays.stream(values).filter(value -> random.nextDouble() < share).toArray();
  }
}
