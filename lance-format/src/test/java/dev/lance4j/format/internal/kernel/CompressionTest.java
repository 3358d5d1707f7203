package dev.lance4j.format.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.internal.kernel.Compression.Scheme;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {
  /** Frame header: magic, no content size, a window of 128 KiB. */
  private static final String FRAME_WITHOUT_SIZE = "28b52ffd 00 38";

  private static final String LAST_BLOCK_HELLO = "290000 68656c6c6f";

  /** A block that repeats one byte 128 Ki times. */
  private static final String BLOCK_OF_128K = "020010 61";

  @Property
  void decompressesWhatItCompressed(
      @ForAll Scheme scheme, @ForAll @Size(max = 3000) byte[] bytes, @ForAll boolean direct) {
    ByteBuffer in = direct ? ByteBuffer.allocateDirect(bytes.length + 5) : null;
    in = in == null ? ByteBuffer.allocate(bytes.length + 5) : in;
    in.put(3, bytes).limit(3 + bytes.length).position(3);
    ByteBuffer compressed = Compression.compress(scheme, 3, in.asReadOnlyBuffer());

    assertThat(compressed.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(Compression.decompressedSize(scheme, compressed)).isEqualTo(bytes.length);
    ByteBuffer restored = Compression.decompress(scheme, compressed, bytes.length);
    assertThat(restored.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(toBytes(restored)).isEqualTo(bytes);
    assertThat(compressed.position()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Scheme.class,
      names = {"LZ4", "ZSTD"})
  void makesRepetitiveBytesSmaller(Scheme scheme) {
    byte[] text = "the quick brown fox ".repeat(5000).getBytes(StandardCharsets.UTF_8);

    assertThat(Compression.compress(scheme, 0, ByteBuffer.wrap(text)).remaining())
        .isLessThan(text.length / 50);
  }

  @Test
  void putsTheSizeInFront() {
    ByteBuffer in = ByteBuffer.allocate(0x1234);

    assertThat(Compression.compress(Scheme.LZ4, 0, in).getInt(0)).isEqualTo(0x1234);
    ByteBuffer zstd = Compression.compress(Scheme.ZSTD, 0, in);
    assertThat(zstd.getLong(0)).isEqualTo(0x1234);
    assertThat(zstd.getInt(8)).isEqualTo(0xFD2FB528);
  }

  @Test
  void readsAnLz4BlockBehindItsSize() {
    assertThat(text(Scheme.LZ4, "05000000 50 68656c6c6f")).isEqualTo("hello");
  }

  @Test
  void readsAZstdFrameBehindItsSize() {
    assertThat(text(Scheme.ZSTD, "0500000000000000" + FRAME_WITHOUT_SIZE + LAST_BLOCK_HELLO))
        .isEqualTo("hello");
  }

  @Test
  void readsAnOldZstdFrameThatDoesNotStateItsSize() {
    String frame = FRAME_WITHOUT_SIZE + LAST_BLOCK_HELLO;

    assertThat(text(Scheme.ZSTD, frame)).isEqualTo("hello");
    assertThat(Compression.decompressedSize(Scheme.ZSTD, bytes(frame))).isEqualTo(5);
  }

  @Test
  void readsAnOldZstdFrameThatStatesItsSize() {
    String frame = "28b52ffd 20 05" + LAST_BLOCK_HELLO;

    assertThat(text(Scheme.ZSTD, frame)).isEqualTo("hello");
    assertThat(Compression.decompressedSize(Scheme.ZSTD, bytes(frame))).isEqualTo(5);
  }

  @Test
  void takesAnEmptyZstdBufferForNoBytes() {
    assertThat(Compression.decompressedSize(Scheme.ZSTD, ByteBuffer.allocate(0))).isZero();
    assertThat(Compression.decompress(Scheme.ZSTD, ByteBuffer.allocate(0), 0).remaining()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // no size
        "050000", // half a size
        "05000000", // no block
        "05000000 50 68656c6c", // literals cut short
        "04000000 50 68656c6c6f", // more than stated
        "06000000 50 68656c6c6f", // less than stated
        "08000000 10 61 0500", // a match before the start
        "ffffff7f 50 68656c6c6f", // more than a block of this size can hold
        "ffffffff 50 68656c6c6f"
      })
  void refusesAMalformedLz4Buffer(String hex) {
    assertRefused(Scheme.LZ4, bytes(hex), Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "28b52ffd", // half a header
        "0500000000000000", // no frame
        "0500000000000000 28b52ffd 00 38 290000 68656c", // a block cut short
        "0500000000000000 28b52ffd 00 38 280000 68656c6c6f", // no last block
        "28b52ffd 00 38 290000 68656c", // the same without the size
        "28b52ffd 00 38 280000 68656c6c6f",
        "28b52ffd 20 06 290000 68656c6c6f", // less than stated
        "28b52ffd 20 04 290000 68656c6c6f", // more than stated
        "0600000000000000 28b52ffd 00 38 290000 68656c6c6f",
        "0400000000000000 28b52ffd 00 38 290000 68656c6c6f",
        "ffffffffffffff7f 28b52ffd 00 38 290000 68656c6c6f", // implausible sizes
        "ffffffffffffffff 28b52ffd 00 38 290000 68656c6c6f",
        "28b52ffd e0 ffffffffffffff7f 290000 68656c6c6f"
      })
  void refusesAMalformedZstdBuffer(String hex) {
    assertRefused(Scheme.ZSTD, bytes(hex), Long.MAX_VALUE);
  }

  @Test
  void refusesToInflateBeyondTheLimit() {
    ByteBuffer zeros = ByteBuffer.allocate(1 << 20);
    for (Scheme scheme : Scheme.values()) {
      ByteBuffer compressed = Compression.compress(scheme, 0, zeros);
      assertThat(Compression.decompress(scheme, compressed, 1 << 20)).isEqualTo(zeros);
      assertRefused(scheme, compressed, (1 << 20) - 1);
    }
  }

  @Test
  void refusesABombWithoutInflatingIt() {
    // 64 GiB in 2 MiB: more than any array, so only a bounded reader comes to an end.
    String blocks = BLOCK_OF_128K.replace(" ", "").repeat(1 << 19);
    assertRefused(Scheme.ZSTD, bytes(FRAME_WITHOUT_SIZE + blocks), 1 << 20);
    assertRefused(
        Scheme.ZSTD, bytes("0000000010000000" + FRAME_WITHOUT_SIZE + blocks), Long.MAX_VALUE);
    assertRefused(Scheme.ZSTD, bytes("0010000000000000" + FRAME_WITHOUT_SIZE + blocks), 1 << 20);
    assertThatThrownBy(
            () -> Compression.decompressedSize(Scheme.ZSTD, bytes(FRAME_WITHOUT_SIZE + blocks)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit");
  }

  @Property
  void givesOnlyOneKindOfErrorForGarbage(
      @ForAll Scheme scheme, @ForAll @Size(max = 200) byte[] garbage) {
    decompressOrRefuse(scheme, garbage);
  }

  @Property
  void givesOnlyOneKindOfErrorForDamagedBuffers(
      @ForAll Scheme scheme, @ForAll long seed, @ForAll boolean bare) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] in = new byte[random.nextInt(2000)];
    for (int i = 0; i < in.length; i++) {
      in[i] = (byte) ("lance".charAt(i % 5) + random.nextInt(2));
    }
    byte[] compressed = toBytes(Compression.compress(scheme, 0, ByteBuffer.wrap(in)));
    int from = bare && scheme == Scheme.ZSTD ? 8 : 0;
    int cut = random.nextInt(Math.min(3, compressed.length - from + 1));
    byte[] damaged = Arrays.copyOfRange(compressed, from, compressed.length - cut);
    for (int i = 0; i < 3 && damaged.length > 0; i++) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    }
    decompressOrRefuse(scheme, damaged);
  }

  private static void decompressOrRefuse(Scheme scheme, byte[] bytes) {
    try {
      ByteBuffer result = Compression.decompress(scheme, ByteBuffer.wrap(bytes), 1 << 16);
      assertThat(result.remaining()).isLessThanOrEqualTo(1 << 16);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageMatching("(?s).*(compressed|LZ4).*");
    }
  }

  private static void assertRefused(Scheme scheme, ByteBuffer in, long maxBytes) {
    assertThatThrownBy(() -> Compression.decompress(scheme, in, maxBytes))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String text(Scheme scheme, String hex) {
    byte[] bytes = toBytes(Compression.decompress(scheme, bytes(hex), 100));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static byte[] toBytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }
}
