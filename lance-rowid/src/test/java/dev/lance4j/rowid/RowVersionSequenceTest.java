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
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

class RowVersionSequenceTest {
  @Test
  void hasTheBytesThatTheReferenceWrites() {
    assertThat(hex(RowVersionSequence.uniform(10, 1))).isEqualTo("0A080A040A02100A1001");
    assertThat(hex(RowVersionSequence.of(1, 1, 1, 6, 6)))
        .isEqualTo("0A080A040A0210031001" + "0A0A0A060A04080310051006");
    assertThat(hex(RowVersionSequence.uniform(0, 3))).isEmpty();
  }

  @Test
  void readsTheSpansThatCompactionLeaves() {
    RowVersionSequence read = parse("0A0C0A081A06100A1A0257031001");

    assertThat(read).isEqualTo(RowVersionSequence.uniform(7, 1));
  }

  @Test
  void passesOverRunsWithoutRows() {
    RowVersionSequence read =
        parse("0A060A020A00100A" + "0A080A040A0210031004" + "0A060A020A001009");

    assertThat(read).isEqualTo(RowVersionSequence.uniform(3, 4));
  }

  @Property
  @Domain(RowIdLists.class)
  void behavesAsAListOfVersions(@ForAll Random random) {
    long[] first = randomVersions(random);
    long[] second = randomVersions(random);
    long[] all = LongStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
    RowVersionSequence sequence =
        RowVersionSequence.of(first).extend(RowVersionSequence.of(second));
    RoaringBitmap offsets = randomOffsets(all.length, random);
    int from = random.nextInt(all.length + 1);
    int to = from + random.nextInt(all.length + 1 - from);

    assertThat(versions(sequence)).containsExactly(all);
    assertThat(sequence).isEqualTo(RowVersionSequence.of(all));
    assertThat(RowVersionSequence.parse(sequence.toByteString(), "t")).isEqualTo(sequence);
    assertThat(versions(sequence.slice(from, to - from)))
        .containsExactly(Arrays.copyOfRange(all, from, to));
    long[] copied = new long[to - from];
    sequence.copy(from, to - from, copied, 0);
    assertThat(copied).containsExactly(Arrays.copyOfRange(all, from, to));
    assertThat(versions(sequence.mask(offsets)))
        .containsExactly(
            LongStream.range(0, all.length)
                .filter(i -> !offsets.contains((int) i))
                .map(i -> all[(int) i])
                .toArray());
    assertThat(versions(sequence.withVersion(offsets, 99)))
        .containsExactly(
            LongStream.range(0, all.length)
                .map(i -> offsets.contains((int) i) ? 99 : all[(int) i])
                .toArray());
  }

  @Property
  @Domain(RowIdLists.class)
  void rechunksWithoutLosingOrMovingARow(@ForAll Random random) {
    long[] first = randomVersions(random);
    long[] second = randomVersions(random);
    long[] all = LongStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
    List<Long> lengths = new ArrayList<>();
    for (long left = all.length; left > 0; left -= lengths.get(lengths.size() - 1)) {
      lengths.add((long) random.nextInt((int) left + 1));
    }

    List<RowVersionSequence> pieces =
        RowVersionSequence.rechunk(
            List.of(
                RowVersionSequence.of(first),
                RowVersionSequence.EMPTY,
                RowVersionSequence.of(second)),
            lengths.stream().mapToLong(Long::longValue).toArray());

    assertThat(pieces.stream().map(RowVersionSequence::length)).containsExactlyElementsOf(lengths);
    assertThat(pieces.stream().reduce(RowVersionSequence.EMPTY, RowVersionSequence::extend))
        .isEqualTo(RowVersionSequence.of(all));
  }

  @Test
  void aRunCostsTheSameForOneRowAndForMany() {
    long one = RowVersionSequence.uniform(1, 7).memoryBytes();

    assertThat(RowVersionSequence.uniform(1L << 32, 7).memoryBytes()).isEqualTo(one);
  }

  @Test
  void refusesOffsetsAndLengthsThatDoNotFit() {
    RowVersionSequence sequence = RowVersionSequence.uniform(3, 1);

    assertThatThrownBy(() -> sequence.version(3)).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> sequence.slice(2, 2)).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> sequence.withVersion(RoaringBitmap.bitmapOf(3), 2))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> sequence.mask(RoaringBitmap.bitmapOf(-1)))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> RowVersionSequence.rechunk(List.of(sequence), new long[] {2}))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> RowVersionSequence.uniform((1L << 32) + 1, 1))
        .isInstanceOf(InvalidInputException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // no span; a span without form
        "0A021001",
        "0A040A001001",
        // two spans of 2^32 rows
        "0A0C0A080A06108080808010" + "1001" + "0A0C0A080A06108080808010" + "1002",
        "0A08"
      })
  void refusesBytesThatNoWriterProduces(String hex) {
    assertThatThrownBy(() -> parse(hex))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("manifest 7");
  }

  private static long[] randomVersions(Random random) {
    long[] versions = new long[random.nextInt(30)];
    for (int i = 0; i < versions.length; i++) {
      versions[i] = i > 0 && random.nextInt(3) > 0 ? versions[i - 1] : 1 + random.nextInt(4);
    }
    return versions;
  }

  private static RoaringBitmap randomOffsets(int length, Random random) {
    RoaringBitmap offsets = new RoaringBitmap();
    double share = random.nextDouble() * 1.1;
    for (int i = 0; i < length; i++) {
      if (random.nextDouble() < share) {
        offsets.add(i);
      }
    }
    return offsets;
  }

  private static long[] versions(RowVersionSequence sequence) {
    return LongStream.range(0, sequence.length()).map(sequence::version).toArray();
  }

  private static RowVersionSequence parse(String hex) {
    return RowVersionSequence.parse(
        ByteString.copyFrom(HexFormat.of().parseHex(hex)), "manifest 7");
  }

  private static String hex(RowVersionSequence sequence) {
    return HexFormat.of().withUpperCase().formatHex(sequence.toByteString().toByteArray());
  }
}
