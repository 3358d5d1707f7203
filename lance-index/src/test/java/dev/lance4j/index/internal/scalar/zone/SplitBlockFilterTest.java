package dev.lance4j.index.internal.scalar.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.internal.hash.XxHash64;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SplitBlockFilterTest {
  private static long hash(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    return XxHash64.hash(bytes, 0, bytes.length);
  }

  @Test
  void aValueSetsOneBitOfEachWordOfItsBlock() {
    SplitBlockFilter filter = SplitBlockFilter.empty(128);

    filter.add(hash("v0"));

    // The hash is 1fb34b2037bc5d9f: of 4 blocks the first, as 1fb34b20 * 4 / 2^32 is 0.
    BitSet bits = BitSet.valueOf(ByteBuffer.wrap(filter.bytes()));
    long low = 0x37bc5d9fL;
    long[] salts = {
      0x47b6137bL,
      0x44974d91L,
      0x8824ad5bL,
      0xa2b7289dL,
      0x705495c7L,
      0x2df1424bL,
      0x9efc4947L,
      0x5c6bfb31L
    };
    BitSet expected = new BitSet();
    for (int word = 0; word < salts.length; word++) {
      expected.set(32 * word + (int) ((low * salts[word] & 0xFFFFFFFFL) >> 27));
    }
    assertThat(bits).isEqualTo(expected);
  }

  @Test
  void filtersAreAsLargeAsTheFormatSays() {
    assertThat(FilterSize.bytes(50, 0.01)).isEqualTo(128);
    assertThat(FilterSize.bytes(100, 0.01)).isEqualTo(256);
    assertThat(FilterSize.bytes(8192, 0.00057)).isEqualTo(32768);
    assertThat(FilterSize.bytes(1, 0.5)).isEqualTo(32);
    assertThat(FilterSize.bytes(8192, 0)).isEqualTo(1 << 27);
  }

  @Test
  void falseHitsAreAsFrequentAsTheSizeSays() {
    Random random = new Random(7);
    SplitBlockFilter filter = SplitBlockFilter.empty(4096);
    for (int i = 0; i < 3000; i++) {
      filter.add(random.nextLong());
    }
    int hits = 0;
    for (int i = 0; i < 100_000; i++) {
      hits += filter.mayHave(random.nextLong()) ? 1 : 0;
    }
    assertThat(hits / 100_000.0).isCloseTo(FilterSize.probability(3000, 4096), within(0.003));
  }

  @Test
  void filtersThatAreNoWholeBlocksAreRefused() {
    assertThatThrownBy(() -> SplitBlockFilter.of(new byte[33], "f"))
        .isInstanceOf(CorruptFileException.class);
    assertThatThrownBy(() -> SplitBlockFilter.of(new byte[0], "f"))
        .isInstanceOf(CorruptFileException.class);
  }
}
