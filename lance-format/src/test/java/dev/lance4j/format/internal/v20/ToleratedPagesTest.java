package dev.lance4j.format.internal.v20;

import static dev.lance4j.format.internal.v20.Encodings.flat;
import static dev.lance4j.format.internal.v20.Encodings.noNulls;
import static dev.lance4j.format.internal.v20.Encodings.someNulls;
import static dev.lance4j.format.internal.v20.HandMadeFile.hex;
import static dev.lance4j.format.internal.v20.HandMadeFile.ints;
import static dev.lance4j.format.internal.v20.HandMadeFile.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.kernel.Compression;
import dev.lance4j.format.internal.kernel.FastLanes;
import dev.lance4j.format.internal.kernel.FsstTable;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.PackedChildren;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import dev.lance4j.format.proto.encodings.Binary;
import dev.lance4j.format.proto.encodings.Bitpacked;
import dev.lance4j.format.proto.encodings.BitpackedForNonNeg;
import dev.lance4j.format.proto.encodings.Buffer;
import dev.lance4j.format.proto.encodings.Constant;
import dev.lance4j.format.proto.encodings.FixedSizeBinary;
import dev.lance4j.format.proto.encodings.Flat;
import dev.lance4j.format.proto.encodings.Fsst;
import dev.lance4j.format.testing.SampleFields;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Encodings that old writers used, or that are legal although no writer uses them. */
class ToleratedPagesTest {
  private static final Field INT32 = SampleFields.int32("x");
  private static final Field UTF8 = SampleFields.utf8("x");

  private final BufferAllocator allocator = new RootAllocator();
  private final HandMadeFile file = new HandMadeFile().column();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private List<Object> read(Field field, long from, long to) {
    return file.read(field, RowRanges.of(from, to), allocator);
  }

  @Test
  void flatWithoutNullable() {
    file.page(3, flat(32, 0), ints(1, 2, 3));
    assertThat(read(INT32, 1, 3)).containsExactly("2", "3");
  }

  @Test
  void pagesOfDifferentNullability() {
    file.page(2, noNulls(flat(32, 0)), ints(1, 2))
        .page(0, Encodings.allNulls())
        .page(2, someNulls(flat(1, 0), flat(32, 1)), hex("02"), ints(3, 4))
        .page(1, Encodings.allNulls())
        .page(2, flat(32, 0), ints(5, 6));
    assertThat(read(INT32, 0, 7)).containsExactly("1", "2", null, "4", null, "5", "6");
    assertThat(file.read(INT32, RowRanges.ofSortedRows(new long[] {1, 2, 4, 6}), allocator))
        .containsExactly("2", null, null, "6");
  }

  @ParameterizedTest
  @EnumSource(Compression.Scheme.class)
  void compressedIntegers(Compression.Scheme scheme) {
    byte[] stored = compress(scheme, ints(1, 2, 3, 4));
    file.page(4, compressed(32, 0, scheme), stored);
    assertThat(read(INT32, 0, 4)).containsExactly("1", "2", "3", "4");
    assertThat(file.read(INT32, RowRanges.ofSortedRows(new long[] {0, 3}), allocator))
        .containsExactly("1", "4");
  }

  @Test
  void zstdWithoutItsLength() {
    byte[] stored = compress(Compression.Scheme.ZSTD, ints(new int[1000]));
    file.page(
        1000,
        compressed(32, 0, Compression.Scheme.ZSTD),
        Arrays.copyOfRange(stored, Long.BYTES, stored.length));
    assertThat(read(INT32, 998, 1000)).containsExactly("0", "0");
  }

  @ParameterizedTest
  @EnumSource(Compression.Scheme.class)
  void compressedStrings(Compression.Scheme scheme) {
    byte[] text = utf8("ab".repeat(500) + "xyz");
    ArrayEncoding encoding =
        binary(noNulls(flat(64, 0)), noNulls(compressed(8, 1, scheme)), text.length + 1L);
    file.page(3, encoding, longs(1000, 1000, 1003), compress(scheme, text));
    assertThat(read(UTF8, 1, 3)).containsExactly("", "xyz");
  }

  @Test
  void stringsInsideSomeNulls() {
    ArrayEncoding strings = binary(flat(64, 1), flat(8, 2), 7);
    ArrayEncoding encoding = someNulls(flat(1, 0), strings);
    // Row 1 is null by its bit, row 2 by its offset.
    file.page(4, encoding, hex("0D"), longs(2, 3, 10, 6), utf8("abcdef"));
    assertThat(read(UTF8, 0, 4)).containsExactly("ab", null, null, "def");
  }

  @Test
  void nullsOwningBytesGiveThemUp() {
    ArrayEncoding encoding = binary(flat(64, 0), flat(8, 1), 7);
    file.page(3, encoding, longs(2, 4 + 7, 6), utf8("abXXef"));
    assertThat(read(UTF8, 0, 3)).containsExactly("ab", null, "ef");
    assertThat(read(UTF8, 2, 3)).containsExactly("ef");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 8, 9, 17, 31, 32, 33, 48, 63, 64})
  void bitpackedOfEveryWidth(int packed) {
    for (boolean signed : new boolean[] {false, true}) {
      int plain = packed <= 8 ? 8 : packed <= 32 ? 32 : 64;
      BigInteger[] values = values(packed, 37, signed);
      BigInteger stream = BigInteger.ZERO;
      for (int i = 0; i < values.length; i++) {
        BigInteger bits = values[i].mod(BigInteger.ONE.shiftLeft(packed));
        stream = stream.or(bits.shiftLeft(i * packed));
      }
      byte[] stored = new byte[(values.length * packed + 7) / 8];
      byte[] bigEndian = stream.toByteArray();
      for (int i = 0; i < Math.min(stored.length, bigEndian.length); i++) {
        stored[i] = bigEndian[bigEndian.length - 1 - i];
      }
      ArrayEncoding encoding =
          ArrayEncoding.newBuilder()
              .setBitpacked(
                  Bitpacked.newBuilder()
                      .setCompressedBitsPerValue(packed)
                      .setUncompressedBitsPerValue(plain)
                      .setBuffer(Buffer.getDefaultInstance())
                      .setSigned(signed))
              .build();
      HandMadeFile hand = new HandMadeFile().column().page(37, encoding, stored);
      Field field = SampleFields.scalar("x", new ArrowType.Int(plain, signed));
      assertThat(hand.read(field, RowRanges.of(0, 37), allocator)).isEqualTo(text(values, plain));
      assertThat(hand.read(field, RowRanges.of(5, 36), allocator))
          .isEqualTo(text(values, plain).subList(5, 36));
    }
  }

  private static BigInteger[] values(int bits, int count, boolean signed) {
    SplittableRandom random = new SplittableRandom(bits);
    BigInteger[] values = new BigInteger[count];
    for (int i = 0; i < count; i++) {
      BigInteger value =
          new BigInteger(Long.toUnsignedString(random.nextLong()))
              .mod(BigInteger.ONE.shiftLeft(bits));
      values[i] =
          signed && value.testBit(bits - 1)
              ? value.subtract(BigInteger.ONE.shiftLeft(bits))
              : value;
    }
    return values;
  }

  /** As Arrow's vectors show values, which for unsigned bytes and longs is with a sign. */
  private static List<Object> text(BigInteger[] values, int plainBits) {
    List<Object> text = new ArrayList<>();
    for (BigInteger value : values) {
      text.add(
          Long.toString(
              plainBits == 8
                  ? value.byteValue()
                  : plainBits == 32 ? value.intValue() : value.longValue()));
    }
    return text;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 31, 32})
  void fastLanesAcrossGroups(int packed) {
    int[] values = new int[2048];
    for (int i = 0; i < 1500; i++) {
      values[i] = i & (packed == 32 ? -1 : (1 << packed) - 1);
    }
    int size = FastLanes.packedBytes(packed);
    ByteBuffer stored = ByteBuffer.allocate(2 * size).order(ByteOrder.LITTLE_ENDIAN);
    FastLanes.packInts(packed, values, 0, stored, 0);
    FastLanes.packInts(packed, values, 1024, stored, size);
    ArrayEncoding encoding =
        ArrayEncoding.newBuilder()
            .setBitpackedForNonNeg(
                BitpackedForNonNeg.newBuilder()
                    .setCompressedBitsPerValue(packed)
                    .setUncompressedBitsPerValue(32)
                    .setBuffer(Buffer.getDefaultInstance()))
            .build();
    file.page(1500, noNulls(encoding), stored.array());
    long[] rows = {0, 5, 1000, 1023, 1024, 1499};
    List<Object> expected = new ArrayList<>();
    for (long row : rows) {
      expected.add(Integer.toString(values[(int) row]));
    }
    assertThat(file.read(INT32, RowRanges.ofSortedRows(rows), allocator)).isEqualTo(expected);
    assertThat(read(INT32, 1020, 1030))
        .isEqualTo(Arrays.stream(values, 1020, 1030).<Object>mapToObj(Integer::toString).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 24})
  void stringsOfOneLength(int declaredBits) {
    ArrayEncoding encoding =
        ArrayEncoding.newBuilder()
            .setFixedSizeBinary(
                FixedSizeBinary.newBuilder().setBytes(flat(declaredBits, 1)).setByteWidth(3))
            .build();
    file.page(3, someNulls(flat(1, 0), encoding), hex("05"), utf8("abcXXXdef"));
    assertThat(read(UTF8, 0, 3)).containsExactly("abc", null, "def");
  }

  @Test
  void stringsAsListsOfBytes() {
    file.page(2, Encodings.list(0, 4, 3), longs(2, 3 + 0))
        .page(2, Encodings.list(0, 3, 2), longs(2 + 3, 2))
        .column()
        .page(4, noNulls(flat(8, 0)), utf8("abcd"))
        .page(1, noNulls(flat(8, 0)), utf8("e"));
    assertThat(read(UTF8, 0, 4)).containsExactly("ab", "c", null, "");
    assertThat(read(SampleFields.scalar("x", ArrowType.LargeUtf8.INSTANCE), 1, 2))
        .containsExactly("c");
  }

  @Test
  void fsst() {
    String[] rows = new String[200];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = "hello world number " + i % 17;
    }
    byte[] text = utf8(String.join("", rows));
    int[] offsets = new int[rows.length + 1];
    for (int i = 0; i < rows.length; i++) {
      offsets[i + 1] = offsets[i] + rows[i].length();
    }
    FsstTable table = FsstTable.train(text, offsets, rows.length);
    byte[] codes = new byte[2 * text.length + 7];
    long[] ends = new long[rows.length];
    int at = 0;
    for (int i = 0; i < rows.length; i++) {
      at += table.encode(text, offsets[i], rows[i].length(), codes, at);
      ends[i] = at;
    }
    assertThat(table.isCoded()).isTrue();
    file.page(200, fsst(table, at + 1L), longs(ends), codes);
    assertThat(read(UTF8, 0, 200)).isEqualTo(List.<Object>of((Object[]) rows));
    assertThat(read(UTF8, 7, 9)).containsExactly(rows[7], rows[8]);
  }

  private static ArrayEncoding fsst(FsstTable table, long adjustment) {
    return ArrayEncoding.newBuilder()
        .setFsst(
            Fsst.newBuilder()
                .setBinary(binary(noNulls(flat(64, 0)), flat(8, 1), adjustment))
                .setSymbolTable(ByteString.copyFrom(table.serialize())))
        .build();
  }

  @Test
  void packedChildrenAreFoundByPosition() {
    Field a = SampleFields.int32("a");
    Field v =
        SampleFields.fixedSizeList("v", 2, SampleFields.scalar("item", new ArrowType.Int(8, true)));
    Field b = SampleFields.int64("b");
    file.page(
        2,
        Encodings.packedStruct(List.of()),
        hex("01000000 0203 0400000000000000 05000000 0607 0800000000000000"));
    Field renamed =
        SampleFields.struct("x", SampleFields.int64("renamed"), SampleFields.int32("new"), v);
    PackedChildren packed = new PackedChildren(List.of(a, v, b), List.of(2, -1, 1));
    ColumnNode node = new ColumnNode(renamed, 0, true, List.of(), packed);
    assertThat(file.read(node, RowRanges.of(0, 2), allocator))
        .containsExactly("{\"renamed\":4,\"v\":[2,3]}", "{\"renamed\":8,\"v\":[6,7]}");
  }

  @Test
  void fieldsThatTheFileLacksAreNull() {
    Field field = SampleFields.struct("x", SampleFields.int32("a"), SampleFields.utf8("b"));
    ColumnNode node = new ColumnNode(field, 0, true, List.of());
    file.page(2, Encodings.structHeader());
    assertThat(file.read(node, RowRanges.of(0, 2), allocator)).containsExactly("{}", "{}");
    ColumnNode absent = new ColumnNode(UTF8, ColumnNode.NONE, false, List.of());
    assertThat(file.read(absent, RowRanges.of(0, 2), allocator)).containsExactly(null, null);
  }

  @Test
  void encodingsOfDevelopmentBuildsAreUnsupported() {
    ArrayEncoding constant =
        ArrayEncoding.newBuilder().setConstant(Constant.getDefaultInstance()).build();
    for (ArrayEncoding encoding : List.of(constant, ArrayEncoding.getDefaultInstance())) {
      HandMadeFile hand = new HandMadeFile().column().page(1, encoding);
      for (Field field : List.of(INT32, UTF8)) {
        assertThatThrownBy(() -> hand.read(field, RowRanges.of(0, 1), allocator))
            .isInstanceOf(UnsupportedFormatException.class);
      }
    }
  }

  @Test
  void anotherWidthThanTheTypeIsDamage() {
    file.page(2, flat(64, 0), longs(1, 2));
    assertThatThrownBy(() -> read(INT32, 0, 2))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("column 0, page 0")
        .hasMessageContaining("64 bits");
  }

  @Test
  void narrowOffsetsAreDamage() {
    file.page(1, binary(flat(32, 0), flat(8, 1), 3), ints(2), utf8("ab"));
    assertThatThrownBy(() -> read(UTF8, 0, 1)).isInstanceOf(CorruptFileException.class);
  }

  @Test
  void nullsThatNoBytesJustifyAreNotAllocated() {
    int items = 2_000_000_000;
    file.page(1, Encodings.list(0, items + 1L, items), longs(items))
        .column()
        .page(items, Encodings.allNulls());
    Field field = SampleFields.list("x", SampleFields.int64("item"));
    try (BufferAllocator small = allocator.newChildAllocator("small", 0, 1 << 20)) {
      assertThatThrownBy(() -> file.read(field, RowRanges.of(0, 1), small))
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessageContaining("fewer rows");
    }
  }

  @Test
  void twoStructHeadersAreDamage() {
    file.page(1, Encodings.structHeader()).page(1, Encodings.structHeader());
    assertThatThrownBy(() -> read(SampleFields.struct("x"), 0, 2))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("2 pages");
  }

  @Test
  void descendingOffsetsAreDamage() {
    file.page(3, binary(flat(64, 0), flat(8, 1), 5), longs(2, 4, 3), utf8("abcd"));
    assertThatThrownBy(() -> read(UTF8, 0, 3)).isInstanceOf(CorruptFileException.class);
    assertThat(read(UTF8, 0, 2)).containsExactly("ab", "cd");
  }

  private static ArrayEncoding binary(ArrayEncoding indices, ArrayEncoding bytes, long adjustment) {
    return ArrayEncoding.newBuilder()
        .setBinary(
            Binary.newBuilder().setIndices(indices).setBytes(bytes).setNullAdjustment(adjustment))
        .build();
  }

  private static ArrayEncoding compressed(long bits, int buffer, Compression.Scheme scheme) {
    Flat.Builder flat =
        Flat.newBuilder()
            .setBitsPerValue(bits)
            .setBuffer(Buffer.newBuilder().setBufferIndex(buffer));
    flat.getCompressionBuilder().setScheme(scheme.name().toLowerCase(Locale.ROOT));
    return ArrayEncoding.newBuilder().setFlat(flat).build();
  }

  private static byte[] compress(Compression.Scheme scheme, byte[] bytes) {
    ByteBuffer stored = Compression.compress(scheme, 3, ByteBuffer.wrap(bytes));
    byte[] copy = new byte[stored.remaining()];
    stored.get(copy);
    return copy;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
