package dev.lance4j.format.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FastLanesTest {
  private static final int[] VALUE_BITS = {8, 16, 32, 64};

  @Property(tries = 15)
  void packsAndUnpacksAsTheFormulaSays(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int bits : VALUE_BITS) {
      for (int width = 0; width <= bits; width++) {
        long[] values = randomValues(random, width);
        byte[] expected = Formula.pack(bits, width, values);

        assertThat(pack(bits, width, values)).as("T=%d W=%d", bits, width).isEqualTo(expected);
        assertThat(unpack(bits, width, ByteBuffer.wrap(expected), 0))
            .as("T=%d W=%d", bits, width)
            .isEqualTo(values);
      }
    }
  }

  @Property(tries = 5)
  void unpacksSingleValuesAsTheFormulaSays(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int bits : VALUE_BITS) {
      for (int width = 0; width <= bits; width++) {
        long[] values = randomValues(random, width);
        ByteBuffer packed = ByteBuffer.wrap(Formula.pack(bits, width, values));
        long[] unpacked = new long[values.length];
        for (int i = 0; i < values.length; i++) {
          unpacked[i] = FastLanes.unpackSingle(bits, width, packed, 0, i);
        }
        assertThat(unpacked).as("T=%d W=%d", bits, width).isEqualTo(values);
      }
    }
  }

  @Property(tries = 5)
  void dropsBitsAboveTheWidth(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int bits : VALUE_BITS) {
      for (int width = 0; width <= bits; width++) {
        long[] values = randomValues(random, bits);
        long[] kept = new long[values.length];
        for (int i = 0; i < values.length; i++) {
          kept[i] = values[i] & mask(width);
        }
        assertThat(pack(bits, width, values)).isEqualTo(Formula.pack(bits, width, kept));
      }
    }
  }

  /** The first chunk of value(i) = 37 i mod 1000 in ten bits, as the real library wrote it. */
  @Test
  void matchesAPageOf32BitValues() {
    int[] values = new int[1024];
    Arrays.setAll(values, i -> 37 * i % 1000);
    ByteBuffer packed = ByteBuffer.allocate(1280);
    FastLanes.packInts(10, values, 0, packed, 0);

    assertThat(hex(packed, 8)).isEqualTo("00808b1d2514dc5f");
    assertThat(packed.order(ByteOrder.LITTLE_ENDIAN).getInt(32 * 4))
        .isEqualTo(values[384] >> 2 | values[512] << 8 | values[640] << 18 | values[768] << 28);
  }

  @Test
  void matchesAPageOf64BitValues() {
    long[] values = new long[1024];
    Arrays.setAll(values, i -> 37 * i % 1000);
    ByteBuffer packed = ByteBuffer.allocate(1280);
    FastLanes.packLongs(10, values, 0, packed, 0);

    assertThat(hex(packed, 8)).isEqualTo("00808b1d34b0a30a");
  }

  @Test
  void matchesAPageOf8BitValues() {
    byte[] values = new byte[1024];
    for (int i = 0; i < 1024; i++) {
      values[i] = (byte) (i % 8);
    }
    ByteBuffer packed = ByteBuffer.allocate(384);
    FastLanes.packBytes(3, values, 0, packed, 0);

    assertThat(hex(packed, 8)).isEqualTo("004992db246db6ff");
  }

  @Test
  void matchesAPartlyFilledPageOf7BitValues() {
    int[] values = new int[1024];
    for (int i = 0; i < 100; i++) {
      values[i] = i;
    }
    ByteBuffer packed = ByteBuffer.allocate(896);
    FastLanes.packInts(7, values, 0, packed, 0);

    assertThat(hex(packed, 16)).isEqualTo("00000000010000000200000003000000");
  }

  @Test
  void readsHeapDirectAndReadOnlyBuffersAtAnyOffset() {
    long[] values = randomValues(new SplittableRandom(7), 11);
    byte[] packed = Formula.pack(16, 11, values);
    ByteBuffer heap = ByteBuffer.allocate(3 + packed.length).put(3, packed);
    ByteBuffer direct = ByteBuffer.allocateDirect(3 + packed.length).put(3, packed);

    assertThat(unpack(16, 11, heap, 3)).isEqualTo(values);
    assertThat(unpack(16, 11, direct, 3)).isEqualTo(values);
    assertThat(unpack(16, 11, direct.asReadOnlyBuffer(), 3)).isEqualTo(values);
  }

  @Test
  void leavesThePositionAndNeighboursAlone() {
    byte[] packed = Formula.pack(32, 5, randomValues(new SplittableRandom(3), 5));
    ByteBuffer in = ByteBuffer.wrap(packed).position(17);
    int[] out = new int[1026];
    out[0] = -1;
    out[1025] = -2;
    FastLanes.unpackInts(5, in, 0, out, 1);
    ByteBuffer repacked = ByteBuffer.allocate(packed.length + 2);
    repacked.put(0, (byte) 77).put(packed.length + 1, (byte) 78).position(9);
    FastLanes.packInts(5, out, 1, repacked, 1);

    assertThat(in.position()).isEqualTo(17);
    assertThat(out[0]).isEqualTo(-1);
    assertThat(out[1025]).isEqualTo(-2);
    assertThat(repacked.position()).isEqualTo(9);
    assertThat(repacked.get(0)).isEqualTo((byte) 77);
    assertThat(repacked.get(packed.length + 1)).isEqualTo((byte) 78);
    assertThat(Arrays.copyOfRange(repacked.array(), 1, 1 + packed.length)).isEqualTo(packed);
  }

  @Test
  void packsNothingLeftOverFromTheGroupBefore() {
    pack(64, 64, randomValues(new SplittableRandom(1), 64));

    assertThat(pack(64, 7, new long[1024])).isEqualTo(new byte[896]);
    assertThat(unpack(64, 0, ByteBuffer.allocate(0), 0)).isEqualTo(new long[1024]);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 33})
  void refusesAWidthThatTheTypeDoesNotHave(int width) {
    assertThatThrownBy(
            () -> FastLanes.unpackInts(width, ByteBuffer.allocate(8192), 0, new int[1024], 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("" + width);
    assertThatThrownBy(
            () -> FastLanes.packInts(width, new int[1024], 0, ByteBuffer.allocate(8192), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesAGroupThatIsCutShort() {
    assertThatThrownBy(() -> FastLanes.unpackInts(5, ByteBuffer.allocate(639), 0, new int[1024], 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void knowsTheSizeOfAGroup() {
    assertThat(FastLanes.packedBytes(0)).isZero();
    assertThat(FastLanes.packedBytes(10)).isEqualTo(1280);
  }

  private static byte[] pack(int bits, int width, long[] values) {
    ByteBuffer out = ByteBuffer.allocate(FastLanes.packedBytes(width));
    switch (bits) {
      case 8 -> {
        byte[] in = new byte[1024];
        for (int i = 0; i < 1024; i++) {
          in[i] = (byte) values[i];
        }
        FastLanes.packBytes(width, in, 0, out, 0);
      }
      case 16 -> {
        short[] in = new short[1024];
        for (int i = 0; i < 1024; i++) {
          in[i] = (short) values[i];
        }
        FastLanes.packShorts(width, in, 0, out, 0);
      }
      case 32 -> {
        int[] in = new int[1024];
        Arrays.setAll(in, i -> (int) values[i]);
        FastLanes.packInts(width, in, 0, out, 0);
      }
      default -> FastLanes.packLongs(width, values, 0, out, 0);
    }
    return out.array();
  }

  private static long[] unpack(int bits, int width, ByteBuffer in, int offset) {
    long[] result = new long[1024];
    switch (bits) {
      case 8 -> {
        byte[] out = new byte[1024];
        FastLanes.unpackBytes(width, in, offset, out, 0);
        Arrays.setAll(result, i -> out[i] & 0xFFL);
      }
      case 16 -> {
        short[] out = new short[1024];
        FastLanes.unpackShorts(width, in, offset, out, 0);
        Arrays.setAll(result, i -> out[i] & 0xFFFFL);
      }
      case 32 -> {
        int[] out = new int[1024];
        FastLanes.unpackInts(width, in, offset, out, 0);
        Arrays.setAll(result, i -> out[i] & 0xFFFFFFFFL);
      }
      default -> FastLanes.unpackLongs(width, in, offset, result, 0);
    }
    return result;
  }

  private static long[] randomValues(SplittableRandom random, int width) {
    return random.longs(1024).map(value -> value & mask(width)).toArray();
  }

  private static long mask(int width) {
    return width == 64 ? -1 : (1L << width) - 1;
  }

  private static String hex(ByteBuffer buffer, int length) {
    byte[] bytes = new byte[length];
    buffer.get(0, bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The packing bit by bit: each value's bits to their places in the words of its lane. */
  private static final class Formula {
    private static final int[] ORDER = {0, 4, 2, 6, 1, 5, 3, 7};

    static byte[] pack(int bits, int width, long[] values) {
      int lanes = 1024 / bits;
      byte[] out = new byte[128 * width];
      for (int row = 0; row < bits; row++) {
        for (int lane = 0; lane < lanes; lane++) {
          long value = values[ORDER[row / 8] * 16 + row % 8 * 128 + lane];
          for (int bit = 0; bit < width; bit++) {
            int inLane = row * width + bit;
            int word = inLane / bits * lanes + lane;
            int inOutput = word * bits + inLane % bits;
            out[inOutput / 8] |= (byte) ((value >>> bit & 1) << (inOutput % 8));
          }
        }
      }
      return out;
    }
  }
}
