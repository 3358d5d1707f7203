package dev.lance4j.format.internal.v21;

import static dev.lance4j.format.internal.v21.Layouts.chunk;
import static dev.lance4j.format.internal.v21.Layouts.fixedSizeList;
import static dev.lance4j.format.internal.v21.Layouts.flat;
import static dev.lance4j.format.internal.v21.Layouts.fsst;
import static dev.lance4j.format.internal.v21.Layouts.hex;
import static dev.lance4j.format.internal.v21.Layouts.inlineBitpacking;
import static dev.lance4j.format.internal.v21.Layouts.join;
import static dev.lance4j.format.internal.v21.Layouts.layers;
import static dev.lance4j.format.internal.v21.Layouts.miniBlock;
import static dev.lance4j.format.internal.v21.Layouts.packedStruct;
import static dev.lance4j.format.internal.v21.Layouts.page;
import static dev.lance4j.format.internal.v21.Layouts.rle;
import static dev.lance4j.format.internal.v21.Layouts.variable;
import static dev.lance4j.format.internal.v21.Layouts.word;
import static dev.lance4j.format.internal.v21.Layouts.words;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings21.BlobLayout;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.ConstantLayout;
import dev.lance4j.format.proto.encodings21.FullZipLayout;
import dev.lance4j.format.proto.encodings21.PageLayout;
import dev.lance4j.format.proto.encodings21.VariablePackedStruct;
import dev.lance4j.format.testing.SampleFields;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Test;

/** The pages of the format's description decode to the values that it gives. */
class WorkedPagesTest {
  private static final Field INT32 = SampleFields.int32("x");
  private static final Field UTF8 = SampleFields.utf8("x");
  private static final Field LIST = SampleFields.list("x", SampleFields.int32("item"));
  private static final Field NESTED =
      SampleFields.list("x", SampleFields.struct("item", SampleFields.list("y", INT32)));
  private static final Field UINT64 = SampleFields.scalar("p", new ArrowType.Int(64, false));

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void integersWithoutNulls() {
    String values = "00000000 43420f00 86841e00 c9c62d00 0c093d00 4f4b4c00 928d5b00 d5cf6a00";
    List<String> expected =
        List.of("0", "1000003", "2000006", "3000009", "4000012", "5000015", "6000018", "7000021");
    Column small =
        new Column()
            .page(
                page(miniBlock(flat(32), 8, 1)),
                8,
                hex("4000"),
                hex("0000 2000 fefefefe" + values));
    assertThat(small.read(INT32)).isEqualTo(expected);
    Column large =
        new Column()
            .page(
                page(miniBlock(flat(32), 8, 1).setHasLargeChunk(true)),
                8,
                hex("40000000"),
                hex("0000 20000000 fefe" + values));
    assertThat(large.read(INT32)).isEqualTo(expected);
  }

  @Test
  void integersWithNulls() {
    Column column =
        new Column()
            .page(
                page(miniBlock(flat(32), 8, 3).setDefCompression(flat(16))),
                8,
                hex("6000"),
                hex(
                    "0800 1000 2000 fefe"
                        + "0000 0100 0000 0000 0100 0000 0000 0100"
                        + "00000000 00000000 86841e00 c9c62d00"
                        + "00000000 4f4b4c00 928d5b00 00000000"));
    assertThat(column.read(INT32))
        .containsExactly("0", "null", "2000006", "3000009", "null", "5000015", "6000018", "null");
    assertThat(column.read(INT32, RowRanges.ofSortedRows(new long[] {1, 3, 7})))
        .containsExactly("null", "3000009", "null");
  }

  @Test
  void strings() {
    byte[] chunk =
        join(
            hex(
                "0500 0a00 2c00 fefe 0000 0000 0100 0000 0000 fefefefefefe"
                    + "18000000 1d000000 1d000000 1d000000 21000000 2a000000"),
            ascii("alphabetagamma-rayHH"),
            hex("fefefefe"));
    Column column =
        new Column()
            .page(
                page(miniBlock(variable(32), 5, 3).setDefCompression(flat(16))),
                5,
                hex("8000"),
                chunk);
    assertThat(column.read(UTF8)).containsExactly("alpha", "", "null", "beta", "gamma-ray");
    assertThat(column.read(UTF8, RowRanges.of(3, 4))).containsExactly("beta");
    assertThat(column.read(SampleFields.scalar("x", ArrowType.LargeUtf8.INSTANCE)))
        .containsExactly("alpha", "", "null", "beta", "gamma-ray");
  }

  @Test
  void stringsWithLargeOffsets() {
    byte[] chunk =
        join(hex("0000 2800 fefefefe"), words(8, 0x20, 0x22, 0x24, 0x26), ascii("L0L1L2HH"));
    Column column =
        new Column().page(page(miniBlock(variable(64), 3, 1)), 3, words(2, word(chunk, 0)), chunk);
    assertThat(column.read(UTF8)).containsExactly("L0", "L1", "L2");
    assertThat(column.read(SampleFields.scalar("x", ArrowType.LargeUtf8.INSTANCE)))
        .containsExactly("L0", "L1", "L2");
  }

  private static final List<String> LISTS =
      List.of("[1,2,3]", "[]", "null", "[4]", "[null,5]", "[6,7]");

  @Test
  void listsInOneChunk() {
    Column column =
        new Column()
            .page(
                listPage(),
                6,
                hex("a000"),
                hex(
                    "0a00 1400 1400 2000"
                        + "0100 0000 0000 0100 0100 0100 0100 0000 0100 0000 fefefefe"
                        + "0000 0000 0000 0300 0200 0000 0100 0000 0000 0000 fefefefe"
                        + "01000000 02000000 03000000 04000000"
                        + "00000000 05000000 06000000 07000000"),
                words(8, 6, 0));
    checkLists(column);
  }

  @Test
  void aListInTwoChunks() {
    byte[] first = chunk(2, words(2, 1, 0), words(2, 0, 0), words(4, 1, 2));
    byte[] second =
        chunk(
            8,
            words(2, 0, 1, 1, 1, 1, 0, 1, 0),
            words(2, 0, 3, 2, 0, 1, 0, 0, 0),
            words(4, 3, 4, 0, 5, 6, 7));
    Column column =
        new Column()
            .page(
                listPage(),
                6,
                words(2, word(first, 1), word(second, 0)),
                join(first, second),
                words(8, 0, 2, 6, 0));
    checkLists(column);
  }

  private static PageLayout listPage() {
    return page(
        miniBlock(flat(32), 8, 3, 6)
            .setRepCompression(flat(16))
            .setDefCompression(flat(16))
            .setRepetitionIndexDepth(1));
  }

  @Test
  void listsZippedWithTheirLevels() {
    Column column =
        new Column()
            .page(
                page(
                    FullZipLayout.newBuilder()
                        .setBitsRep(1)
                        .setBitsDef(2)
                        .setBitsPerValue(32)
                        .setNumItems(10)
                        .setNumVisibleItems(8)
                        .setValueCompression(flat(32))
                        .addAllLayers(layers(3, 6))),
                6,
                hex(
                    "0401000000 0002000000 0003000000 07 06 0404000000"
                        + "0500000000 0005000000 0406000000 0007000000"),
                hex("00 0f 10 11 16 20 2a"));
    checkLists(column);
  }

  private static void checkLists(Column column) {
    assertThat(column.read(LIST)).isEqualTo(LISTS);
    for (int start = 0; start < 6; start++) {
      for (int end = start + 1; end <= 6; end++) {
        assertThat(column.read(LIST, RowRanges.of(start, end)))
            .isEqualTo(LISTS.subList(start, end));
      }
    }
    assertThat(column.read(LIST, RowRanges.ofSortedRows(new long[] {0, 2, 4})))
        .containsExactly("[1,2,3]", "null", "[null,5]");
  }

  private static final List<String> NESTED_ROWS =
      List.of("[{\"y\":[1,2]},null]", "[]", "null", "[{},{\"y\":[]}]", "[{\"y\":[null,3]}]");

  @Test
  void listsOfStructsOfLists() {
    byte[] chunk =
        chunk(
            9,
            hex("0200 0000 0100 0200 0200 0200 0100 0200 0000"),
            hex("0000 0000 0400 0600 0500 0200 0300 0100 0000"),
            words(4, 1, 2, 0, 3));
    Column column =
        new Column()
            .page(
                page(
                    miniBlock(flat(32), 4, 3, 6, 3, 6)
                        .setRepCompression(flat(16))
                        .setDefCompression(flat(16))
                        .setRepetitionIndexDepth(1)),
                5,
                words(2, word(chunk, 0)),
                chunk,
                words(8, 5, 0));
    assertThat(column.read(NESTED)).isEqualTo(NESTED_ROWS);
    assertThat(column.read(NESTED, RowRanges.of(3, 5))).isEqualTo(NESTED_ROWS.subList(3, 5));
  }

  @Test
  void zippedNullableStructsOutsideTheInnermostList() {
    Column column =
        new Column()
            .page(
                page(
                    FullZipLayout.newBuilder()
                        .setBitsRep(2)
                        .setBitsDef(3)
                        .setBitsPerValue(32)
                        .setValueCompression(flat(32))
                        .addAllLayers(layers(3, 6, 3, 6))),
                5,
                hex("1001000000 0002000000 0c 16 15 12 0b 1100000000 0003000000"),
                hex("00 0b 0c 0d 0f 19"));
    assertThat(column.read(NESTED)).isEqualTo(NESTED_ROWS);
    assertThat(column.read(NESTED, RowRanges.ofSortedRows(new long[] {1, 3})))
        .containsExactly("[]", "[{},{\"y\":[]}]");
  }

  @Test
  void zippedVectors() {
    Field vectors = SampleFields.fixedSizeList("x", 128, SampleFields.int32("item"));
    long[] items = new long[3 * 128];
    for (int i = 0; i < items.length; i++) {
      items[i] = i;
    }
    CompressiveEncoding encoding = fixedSizeList(128, false, flat(32));
    FullZipLayout.Builder layout =
        FullZipLayout.newBuilder().setBitsPerValue(4096).setValueCompression(encoding);
    Column plain =
        new Column().page(page(layout.clone().addAllLayers(layers(1))), 3, words(4, items));
    assertThat(plain.read(vectors)).allMatch(row -> row.startsWith("["));
    assertThat(plain.read(vectors, RowRanges.of(1, 2)).get(0)).startsWith("[128,129,");
    byte[] bytes = words(4, items);
    Column nullable =
        new Column()
            .page(
                page(layout.clone().setBitsDef(1).addAllLayers(layers(3))),
                3,
                join(
                    hex("00"),
                    Arrays.copyOf(bytes, 512),
                    hex("01"),
                    new byte[512],
                    hex("00"),
                    Arrays.copyOfRange(bytes, 1024, 1536)));
    assertThat(nullable.read(vectors).get(1)).isEqualTo("null");
    assertThat(nullable.read(vectors).get(2)).startsWith("[256,257,");
  }

  @Test
  void narrowVectorsWithNullItems() {
    Field vectors = SampleFields.fixedSizeList("x", 4, SampleFields.int32("item"));
    byte[] chunk =
        chunk(0, null, null, hex("de0b"), words(4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    Column column =
        new Column()
            .page(
                page(miniBlock(fixedSizeList(4, true, flat(32)), 3, 1).setNumBuffers(2)),
                3,
                words(2, word(chunk, 0)),
                chunk);
    assertThat(column.read(vectors))
        .containsExactly("[null,1,2,3]", "[4,null,6,7]", "[8,9,null,11]");
    assertThat(column.read(vectors, RowRanges.of(1, 3)))
        .containsExactly("[4,null,6,7]", "[8,9,null,11]");
  }

  @Test
  void vectorsOfVectorsWithNullsInside() {
    Field vectors =
        SampleFields.fixedSizeList(
            "x",
            2,
            SampleFields.fixedSizeList(
                "item", 3, SampleFields.scalar("item", new ArrowType.Int(16, true))));
    long[] items = new long[24];
    for (int i = 0; i < items.length; i++) {
      items[i] = i;
    }
    byte[] chunk = chunk(0, null, null, hex("f7"), hex("fdffff"), words(2, items));
    CompressiveEncoding inner = fixedSizeList(3, true, flat(16));
    Column column =
        new Column()
            .page(
                page(miniBlock(fixedSizeList(2, true, inner), 4, 1).setNumBuffers(3)),
                4,
                words(2, word(chunk, 0)),
                chunk);
    assertThat(column.read(vectors))
        .containsExactly(
            "[[0,null,2],[3,4,5]]",
            "[[6,7,8],null]",
            "[[12,13,14],[15,16,17]]",
            "[[18,19,20],[21,22,23]]");
  }

  @Test
  void zippedVectorsOfVectorsWithNullsInside() {
    Field vectors =
        SampleFields.fixedSizeList(
            "x",
            2,
            SampleFields.fixedSizeList(
                "item", 3, SampleFields.scalar("item", new ArrowType.Int(16, true))));
    CompressiveEncoding inner = fixedSizeList(3, true, flat(16));
    Column column =
        new Column()
            .page(
                page(
                    FullZipLayout.newBuilder()
                        .setBitsPerValue(8 + 8 + 96)
                        .setValueCompression(fixedSizeList(2, true, inner))
                        .addAllLayers(layers(1))),
                2,
                join(
                    hex("03 3d"),
                    words(2, 0, 1, 2, 3, 4, 5),
                    hex("01 3f"),
                    words(2, 6, 7, 8, 9, 10, 11)));
    assertThat(column.read(vectors)).containsExactly("[[0,null,2],[3,4,5]]", "[[6,7,8],null]");
  }

  @Test
  void nothingButNulls() {
    Column nulls = new Column().page(page(ConstantLayout.newBuilder().addAllLayers(layers(3))), 4);
    assertThat(nulls.read(INT32)).containsExactly("null", "null", "null", "null");
    assertThat(nulls.read(UTF8, RowRanges.of(1, 3))).containsExactly("null", "null");
    Column lists =
        new Column()
            .page(
                page(ConstantLayout.newBuilder().addAllLayers(layers(1, 6))),
                4,
                words(2, 1, 1, 1, 1),
                words(2, 2, 1, 2, 2));
    assertThat(lists.read(LIST)).containsExactly("[]", "null", "[]", "[]");
    Column items =
        new Column()
            .page(
                page(ConstantLayout.newBuilder().addAllLayers(layers(3, 4))),
                3,
                words(2, 1, 1, 1, 0),
                words(2, 1, 2, 1, 1));
    assertThat(items.read(LIST)).containsExactly("[null]", "null", "[null,null]");
    assertThat(items.read(LIST, RowRanges.of(2, 3))).containsExactly("[null,null]");
  }

  @Test
  void nothingButEmptyListsWithCompressedLevels() {
    Column column =
        new Column()
            .page(
                page(
                    ConstantLayout.newBuilder()
                        .addAllLayers(layers(1, 6))
                        .setRepCompression(rle(16))
                        .setDefCompression(flat(16))
                        .setNumRepValues(4)
                        .setNumDefValues(4)),
                4,
                hex("0200000000000000 0100 04"),
                words(2, 2, 1, 2, 2));
    assertThat(column.read(LIST)).containsExactly("[]", "null", "[]", "[]");
  }

  @Test
  void oneValueInTheMessage() {
    ConstantLayout.Builder layout =
        ConstantLayout.newBuilder().setInlineValue(ByteString.copyFrom(words(4, 42)));
    Column plain = new Column().page(page(layout.clone().addAllLayers(layers(1))), 3);
    assertThat(plain.read(INT32)).containsExactly("42", "42", "42");
    Column nulls =
        new Column()
            .page(page(layout.clone().addAllLayers(layers(3))), 3, new byte[0], words(2, 0, 1, 0));
    assertThat(nulls.read(INT32)).containsExactly("42", "null", "42");
    Column lists =
        new Column()
            .page(
                page(layout.clone().addAllLayers(layers(3, 6))),
                3,
                words(2, 1, 0, 1, 1),
                words(2, 0, 1, 3, 0));
    assertThat(lists.read(LIST)).containsExactly("[42,null]", "[]", "[42]");
    Column bits =
        new Column()
            .page(
                page(
                    ConstantLayout.newBuilder()
                        .setInlineValue(ByteString.copyFrom(hex("01")))
                        .addAllLayers(layers(1))),
                3);
    assertThat(bits.read(SampleFields.bool("x"))).containsExactly("true", "true", "true");
  }

  @Test
  void oneValueInABuffer() {
    byte[] hello = hex("02000000 | 08000000 | 05000000 | 00000000 05000000 | 68656c6c6f");
    Column plain =
        new Column().page(page(ConstantLayout.newBuilder().addAllLayers(layers(1))), 2, hello);
    assertThat(plain.read(UTF8)).containsExactly("hello", "hello");
    Column nulls =
        new Column()
            .page(
                page(ConstantLayout.newBuilder().addAllLayers(layers(3))),
                3,
                hello,
                new byte[0],
                words(2, 1, 0, 0));
    assertThat(nulls.read(UTF8)).containsExactly("null", "hello", "hello");
  }

  @Test
  void runs() {
    long[] values = new long[20];
    long[] lengths = new long[20];
    for (int i = 0; i < 20; i++) {
      values[i] = i / 2;
      lengths[i] = i % 2 == 0 ? 255 : 45;
    }
    byte[] chunk = chunk(0, null, null, words(4, values), words(1, lengths));
    Column column =
        new Column()
            .page(page(miniBlock(rle(32), 3000, 1).setNumBuffers(2)), 3000, hex("d000"), chunk);
    List<String> read = column.read(INT32);
    for (int i = 0; i < 3000; i++) {
      assertThat(read.get(i)).isEqualTo(String.valueOf(i / 300));
    }
    assertThat(column.read(INT32, RowRanges.ofSortedRows(new long[] {299, 300, 2999})))
        .containsExactly("0", "1", "9");
  }

  @Test
  void nullStructs() {
    Field struct = SampleFields.struct("x", SampleFields.int32("a"));
    byte[] chunk = chunk(4, null, words(2, 0, 1, 2, 0), words(4, 100, 0, 0, 103));
    Column column =
        new Column()
            .page(
                page(miniBlock(flat(32), 4, 3, 3).setDefCompression(flat(16))),
                4,
                words(2, word(chunk, 0)),
                chunk);
    assertThat(column.read(struct)).containsExactly("{\"a\":100}", "{}", "null", "{\"a\":103}");
  }

  @Test
  void levelsOfSeveralPagesWithDifferentLayers() {
    Field struct = SampleFields.struct("x", SampleFields.int32("a"));
    byte[] all = chunk(0, null, null, words(4, 1, 2));
    byte[] structNulls = chunk(2, null, words(2, 0, 1), words(4, 3, 0));
    byte[] both = chunk(3, null, words(2, 2, 1, 0), words(4, 0, 0, 4));
    Column column =
        new Column()
            .page(page(miniBlock(flat(32), 2, 1, 1)), 2, words(2, word(all, 0)), all)
            .page(
                page(miniBlock(flat(32), 2, 1, 3).setDefCompression(flat(16))),
                2,
                words(2, word(structNulls, 0)),
                structNulls)
            .page(
                page(miniBlock(flat(32), 3, 3, 3).setDefCompression(flat(16))),
                3,
                words(2, word(both, 0)),
                both);
    assertThat(column.read(struct))
        .containsExactly("{\"a\":1}", "{\"a\":2}", "{\"a\":3}", "null", "null", "{}", "{\"a\":4}");
    assertThat(column.read(struct, RowRanges.ofSortedRows(new long[] {1, 3, 5})))
        .containsExactly("{\"a\":2}", "null", "{}");
  }

  @Test
  void layersDeclaredWithoutNeed() {
    byte[] chunk = chunk(0, null, null, words(4, 5, 6));
    Column items =
        new Column().page(page(miniBlock(flat(32), 2, 3)), 2, words(2, word(chunk, 0)), chunk);
    assertThat(items.read(INT32)).containsExactly("5", "6");
    byte[] lists = chunk(2, words(2, 1, 1), words(2, 0, 0), words(4, 5, 6));
    Column column =
        new Column()
            .page(
                page(
                    miniBlock(flat(32), 2, 3, 6)
                        .setRepCompression(flat(16))
                        .setDefCompression(flat(16))
                        .setRepetitionIndexDepth(1)),
                2,
                words(2, word(lists, 0)),
                lists,
                words(8, 2, 0));
    assertThat(column.read(LIST)).containsExactly("[5]", "[6]");
  }

  @Test
  void fixedSizeListsOfStructsCountTheirElements() {
    Field field =
        SampleFields.fixedSizeList("x", 2, SampleFields.struct("item", SampleFields.int32("a")));
    byte[] chunk = chunk(6, null, words(2, 0, 1, 3, 3, 2, 0), words(4, 1, 0, 0, 0, 0, 6));
    Column column =
        new Column()
            .page(
                page(miniBlock(flat(32), 6, 3, 3, 3).setDefCompression(flat(16))),
                6,
                words(2, word(chunk, 0)),
                chunk);
    List<String> expected = List.of("[{\"a\":1},{}]", "null", "[null,{\"a\":6}]");
    assertThat(column.read(field, RowRanges.of(0, 3))).isEqualTo(expected);
    assertThat(column.read(field, RowRanges.of(1, 3))).isEqualTo(expected.subList(1, 3));
  }

  @Test
  void blobsAreFetchedOrDescribed() {
    Column column = new Column();
    long hello = column.bytes(ascii("hello"));
    long world = column.bytes(ascii("world!"));
    byte[] chunk =
        chunk(
            0,
            null,
            null,
            join(words(8, hello, 5), words(8, 0, 0), words(8, 0x10000, 0), words(8, world, 6)));
    column.page(
        PageLayout.newBuilder()
            .setBlobLayout(
                BlobLayout.newBuilder()
                    .setInnerLayout(page(miniBlock(packedStruct(64, 64), 4, 1)))
                    .addAllLayers(layers(3)))
            .build(),
        4,
        words(2, word(chunk, 0)),
        chunk);
    Field binary = SampleFields.scalar("x", ArrowType.LargeBinary.INSTANCE);
    assertThat(column.read(binary)).containsExactly("hello", "", "null", "world!");
    assertThat(column.read(binary, RowRanges.of(3, 4))).containsExactly("world!");
    assertThat(column.read(packed(UINT64, SampleFields.scalar("s", UINT64.getType()))))
        .containsExactly("{\"p\":0,\"s\":5}", "{\"p\":0,\"s\":0}", "null", "{\"p\":64,\"s\":6}");
  }

  /** A struct with a column of its own. */
  private static Field packed(Field... children) {
    return new Field(
        "x",
        new FieldType(
            true, ArrowType.Struct.INSTANCE, null, Map.of("lance-encoding:packed", "true")),
        List.of(children));
  }

  private static VariablePackedStruct.FieldEncoding fixed(long bits) {
    return VariablePackedStruct.FieldEncoding.newBuilder()
        .setValue(flat(bits))
        .setBitsPerValue(bits)
        .build();
  }

  private static final VariablePackedStruct.FieldEncoding STRING =
      VariablePackedStruct.FieldEncoding.newBuilder()
          .setValue(variable(32))
          .setBitsPerLength(32)
          .build();

  private static FullZipLayout.Builder variableStruct(
      VariablePackedStruct.FieldEncoding... fields) {
    return FullZipLayout.newBuilder()
        .setBitsPerOffset(32)
        .setValueCompression(
            CompressiveEncoding.newBuilder()
                .setVariablePackedStruct(
                    VariablePackedStruct.newBuilder().addAllFields(List.of(fields))));
  }

  @Test
  void descriptorsOfNewerBlobsHaveALayerMore() {
    Field descriptor =
        packed(
            SampleFields.scalar("kind", new ArrowType.Int(8, false)),
            SampleFields.scalar("position", new ArrowType.Int(64, false)),
            SampleFields.scalar("size", new ArrowType.Int(64, false)),
            SampleFields.scalar("blob_id", new ArrowType.Int(32, false)),
            SampleFields.utf8("blob_uri"));
    Column column =
        new Column()
            .page(
                page(
                    variableStruct(fixed(8), fixed(64), fixed(64), fixed(32), STRING)
                        .setBitsDef(1)
                        .addAllLayers(layers(1, 3))),
                4,
                hex(
                    "00 19000000 00 0000000000000000 0600000000000000 00000000 00000000"
                        + "00 19000000 00 4000000000000000 0000000000000000 00000000 00000000"
                        + "01"
                        + "00 19000000 00 4000000000000000 0600000000000000 00000000 00000000"),
                hex("00 1e 3c 3d 5b"));
    List<String> rows = column.read(descriptor);
    assertThat(rows.get(0)).contains("\"position\":0,\"size\":6,").contains("\"blob_uri\":\"\"");
    assertThat(rows.get(1)).contains("\"position\":64,\"size\":0,");
    assertThat(rows.get(2)).isEqualTo("null");
    assertThat(rows.get(3)).contains("\"position\":64,\"size\":6,");
  }

  @Test
  void packedStructsWithStrings() {
    Column column =
        new Column()
            .page(
                page(variableStruct(fixed(32), STRING).addAllLayers(layers(1))),
                2,
                hex("08000000 64000000 00000000 | 0a000000 65000000 02000000 7a7a"),
                hex("00 0c 1a"));
    Field field = packed(SampleFields.int32("a"), SampleFields.utf8("b"));
    assertThat(column.read(field))
        .containsExactly("{\"a\":100,\"b\":\"\"}", "{\"a\":101,\"b\":\"zz\"}");
    assertThat(column.read(field, RowRanges.of(1, 2))).containsExactly("{\"a\":101,\"b\":\"zz\"}");
  }

  @Test
  void packedStructsOfOneWidth() {
    byte[] chunk =
        chunk(
            3,
            null,
            words(2, 0, 1, 0),
            join(words(4, 1), words(8, 2), new byte[12], words(4, 3), words(8, 4)));
    Column column =
        new Column()
            .page(
                page(miniBlock(packedStruct(32, 64), 3, 3).setDefCompression(flat(16))),
                3,
                words(2, word(chunk, 0)),
                chunk);
    assertThat(column.read(packed(SampleFields.int32("a"), SampleFields.int64("b"))))
        .containsExactly("{\"a\":1,\"b\":2}", "null", "{\"a\":3,\"b\":4}");
  }

  private static final byte[] GREEK = ascii("alpha-alpha-alphabeta-betagamma-ray");

  private static Column dictionaryPage(byte[] dictionary, long... indices) {
    byte[] chunk = chunk(0, null, null, words(4, indices));
    return new Column()
        .page(
            page(
                miniBlock(flat(32), indices.length, 1)
                    .setDictionary(variable(32))
                    .setNumDictionaryItems(3)),
            indices.length,
            words(2, word(chunk, 0)),
            chunk,
            dictionary);
  }

  @Test
  void dictionariesOfStringsWithEitherHeader() {
    byte[] current = join(words(4, 32, 24, 0, 17, 26, 35), GREEK);
    byte[] old = join(hex("20"), words(4, 3, 25, 0, 17, 26, 35), GREEK);
    for (byte[] dictionary : List.of(current, old)) {
      Column column = dictionaryPage(dictionary, 2, 0, 1, 2);
      assertThat(column.read(UTF8))
          .containsExactly("gamma-ray", "alpha-alpha-alpha", "beta-beta", "gamma-ray");
      assertThat(column.read(UTF8, RowRanges.of(2, 3))).containsExactly("beta-beta");
    }
    byte[] large = join(words(8, 64, 48, 0, 17, 26, 35), GREEK);
    assertThat(dictionaryPage(large, 1).read(UTF8)).containsExactly("beta-beta");
  }

  @Test
  void dictionariesOfSeveralPagesBecomeOne() {
    Field field =
        new Field(
            "x",
            new FieldType(
                true,
                ArrowType.Utf8.INSTANCE,
                new DictionaryEncoding(1, false, new ArrowType.Int(8, true))),
            List.of());
    byte[] greek = join(words(4, 32, 24, 0, 17, 26, 35), GREEK);
    byte[] letters = join(words(4, 32, 24, 0, 1, 2, 3), ascii("abc"));
    Column column = new Column();
    for (byte[] dictionary : List.of(greek, letters, greek)) {
      byte[] chunk = chunk(3, null, words(2, 0, 1, 0), words(1, 2, 200, 0));
      column.page(
          page(
              miniBlock(flat(8), 3, 3)
                  .setDefCompression(flat(16))
                  .setDictionary(variable(32))
                  .setNumDictionaryItems(3)),
          3,
          words(2, word(chunk, 0)),
          chunk,
          dictionary);
    }
    column.page(page(ConstantLayout.newBuilder().addAllLayers(layers(3))), 1);
    assertThat(column.read(field))
        .containsExactly(
            "gamma-ray",
            "null",
            "alpha-alpha-alpha",
            "c",
            "null",
            "a",
            "gamma-ray",
            "null",
            "alpha-alpha-alpha",
            "null");
  }

  @Test
  void bitPackedIntegers() {
    // 1024 values of 1 bit, of which the first lane's first row is set.
    byte[] packed = new byte[4 + 128];
    packed[0] = 1;
    packed[4] = 1;
    byte[] chunk = chunk(0, null, null, packed);
    Column column =
        new Column()
            .page(page(miniBlock(inlineBitpacking(32), 3, 1)), 3, words(2, word(chunk, 0)), chunk);
    assertThat(column.read(INT32)).containsExactly("1", "0", "0");
  }

  private static byte[] symbolTable(boolean coded, String... symbols) {
    byte[] table = new byte[2312];
    table[0] = (byte) symbols.length;
    table[3] = (byte) (coded ? 1 : 0);
    System.arraycopy(ascii("TSSF"), 0, table, 4, 4);
    for (int i = 0; i < symbols.length; i++) {
      byte[] symbol = ascii(symbols[i]);
      System.arraycopy(symbol, 0, table, 8 + 8 * i, symbol.length);
      table[8 + 8 * symbols.length + i] = (byte) symbol.length;
    }
    return table;
  }

  @Test
  void symbolCodes() {
    byte[] table = symbolTable(true, "hello ", "wor", "ld");
    byte[] chunk =
        chunk(0, null, null, join(words(4, 12, 15, 20), hex("000102 ff7800ff21"), new byte[0]));
    Column column =
        new Column().page(page(miniBlock(fsst(table), 2, 1)), 2, words(2, word(chunk, 0)), chunk);
    assertThat(column.read(UTF8)).containsExactly("hello world", "xhello !");
    Column zipped =
        new Column()
            .page(
                page(
                    FullZipLayout.newBuilder()
                        .setBitsPerOffset(32)
                        .setBitsDef(1)
                        .setValueCompression(fsst(table))
                        .addAllLayers(layers(3))),
                3,
                hex("00 03000000 000102 | 01 | 00 05000000 ff7800ff21"),
                hex("00 08 09 13"));
    assertThat(zipped.read(UTF8)).containsExactly("hello world", "null", "xhello !");
  }

  @Test
  void symbolTablesThatAreSwitchedOff() {
    byte[] chunk = chunk(0, null, null, join(words(4, 12, 15, 20), ascii("abcdefgh")));
    Column column =
        new Column()
            .page(
                page(miniBlock(fsst(symbolTable(false)), 2, 1)),
                2,
                words(2, word(chunk, 0)),
                chunk);
    assertThat(column.read(UTF8)).containsExactly("abc", "defgh");
  }
}
