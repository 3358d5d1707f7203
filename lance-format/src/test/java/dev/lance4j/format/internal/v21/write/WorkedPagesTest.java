package dev.lance4j.format.internal.v21.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.proto.encodings21.FullZipLayout;
import dev.lance4j.format.proto.encodings21.MiniBlockLayout;
import dev.lance4j.format.proto.encodings21.RepDefLayer;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages that the real library wrote for known data, byte for byte. */
class WorkedPagesTest {
  private static boolean all(int row) {
    return row >= 0;
  }

  private static final ArrowType INT = new ArrowType.Int(32, true);

  private final BufferAllocator allocator = new RootAllocator();
  private final TestArrays arrays = new TestArrays(allocator);

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private static Field field(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.nullable(type), List.of(children));
  }

  private List<WrittenColumn> write(Field field, ArrayData batch) {
    return WrittenColumn.write(allocator, field, FileVersion.V2_1, batch);
  }

  private WrittenColumn.Page writeOne(Field field, ArrayData batch) {
    return write(field, batch).get(0).page();
  }

  private static String hex(String spaced) {
    return spaced.replaceAll("[ |\n]", "");
  }

  private static String u64(long... values) {
    StringBuilder text = new StringBuilder();
    for (long value : values) {
      text.append(HexFormat.of().toHexDigits(Long.reverseBytes(value)));
    }
    return text.toString();
  }

  @Test
  void everyColumnSaysThatItHasValuesOnly() {
    WrittenColumn column = write(field("x", INT), arrays.ints(1, 2)).get(0);
    assertThat(column.metadata().getEncoding().getDirect().getEncoding().toByteArray())
        .isEqualTo(
            HexFormat.of()
                .parseHex(
                    "0a1f2f6c616e63652e656e636f64696e67732e436f6c756d6e456e636f64696e67"
                        + "12020a00"));
  }

  @Test
  void integersWithoutNulls() {
    Integer[] values = new Integer[8];
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 1000003;
    }
    WrittenColumn.Page page = writeOne(field("x", INT), arrays.ints(values));
    assertThat(page.rows()).isEqualTo(8);
    assertThat(page.hex(0)).isEqualTo("4000");
    assertThat(page.hex(1))
        .isEqualTo(
            hex(
                "00 00 | 20 00 | fe fe fe fe"
                    + "00 00 00 00 43 42 0f 00 86 84 1e 00 c9 c6 2d 00"
                    + "0c 09 3d 00 4f 4b 4c 00 92 8d 5b 00 d5 cf 6a 00"));
  }

  @Test
  void integersWithNulls() {
    WrittenColumn.Page page =
        writeOne(
            field("x", INT), arrays.ints(0, null, 2000006, 3000009, null, 5000015, 6000018, null));
    assertThat(HexFormat.of().formatHex(page.any()))
        .isEqualTo(
            hex(
                "0a 1d 2f6c616e63652e656e636f64696e677332312e506167654c61796f7574"
                    + "12 15 0a 13 12 04 0a 02 08 10 1a 04 0a 02 08 20 32 01 03 38 01 48 08"));
    assertThat(page.hex(0)).isEqualTo("6000");
    assertThat(page.hex(1))
        .isEqualTo(
            hex(
                "08 00 | 10 00 | 20 00 | fe fe"
                    + "00 00 01 00 00 00 00 00 01 00 00 00 00 00 01 00"
                    + "00 00 00 00 | 00 00 00 00 | 86 84 1e 00 | c9 c6 2d 00 | 00 00 00 00"
                    + "4f 4b 4c 00 | 92 8d 5b 00 | 00 00 00 00"));
  }

  @Test
  void version22WidensWordsAndValueSizes() {
    WrittenColumn.Page page =
        WrittenColumn.write(
                allocator, field("x", INT), FileVersion.V2_2, arrays.ints(1, null, 3, 4))
            .get(0)
            .page();
    assertThat(page.layout().getMiniBlockLayout().getHasLargeChunk()).isTrue();
    assertThat(page.hex(0)).isEqualTo("30000000");
    assertThat(page.hex(1)).startsWith(hex("04 00 | 08 00 | 10 00 00 00"));
  }

  @Test
  void strings() {
    WrittenColumn.Page page =
        writeOne(
            field("s", ArrowType.Utf8.INSTANCE),
            arrays.strings("alpha", "", null, "beta", "gamma-ray"));
    MiniBlockLayout layout = page.layout().getMiniBlockLayout();
    assertThat(layout.getNumItems()).isEqualTo(5);
    assertThat(layout.getLayersList()).containsExactly(RepDefLayer.REPDEF_NULLABLE_ITEM);
    assertThat(page.hex(0)).isEqualTo("8000");
    assertThat(page.hex(1))
        .isEqualTo(
            hex(
                "05 00 | 0a 00 | 2c 00 | fe fe 00 00 00 00 01 00 00 00 00 00 fe fe fe fe fe fe"
                    + "18 00 00 00 1d 00 00 00 1d 00 00 00 1d 00 00 00 21 00 00 00 2a 00 00 00"
                    + "61 6c 70 68 61 62 65 74 61 67 61 6d 6d 61 2d 72 61 79 48 48 fe fe fe fe"));
  }

  @Test
  void largeStrings() {
    WrittenColumn.Page page =
        writeOne(field("s", ArrowType.LargeUtf8.INSTANCE), arrays.largeStrings("L0", "L1", "L2"));
    assertThat(page.hex(1))
        .isEqualTo(
            hex("00 00 | 28 00 | fe fe fe fe")
                + u64(0x20, 0x22, 0x24, 0x26)
                + hex("4c 30 4c 31 4c 32 48 48"));
  }

  private ArrayData listOfInts() {
    return arrays.lists(
        i -> i != 2, new int[] {0, 3, 3, 3, 4, 6, 8}, arrays.ints(1, 2, 3, 4, null, 5, 6, 7));
  }

  @Test
  void listsOfIntegers() {
    WrittenColumn.Page page =
        writeOne(field("l", ArrowType.List.INSTANCE, field("item", INT)), listOfInts());
    MiniBlockLayout layout = page.layout().getMiniBlockLayout();
    assertThat(layout.getLayersList())
        .containsExactly(RepDefLayer.REPDEF_NULLABLE_ITEM, RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST);
    assertThat(layout.getRepetitionIndexDepth()).isEqualTo(1);
    assertThat(layout.getNumItems()).isEqualTo(8);
    assertThat(page.hex(0)).isEqualTo("a000");
    assertThat(page.hex(1))
        .isEqualTo(
            hex(
                "0a 00 | 14 00 | 14 00 | 20 00"
                    + "01 00 00 00 00 00 01 00 01 00 01 00 01 00 00 00 01 00 00 00 fe fe fe fe"
                    + "00 00 00 00 00 00 03 00 02 00 00 00 01 00 00 00 00 00 00 00 fe fe fe fe"
                    + "01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00"
                    + "00 00 00 00 05 00 00 00 06 00 00 00 07 00 00 00"));
    assertThat(page.hex(2)).isEqualTo(u64(6, 0));
  }

  @Test
  void listsOfIntegersInTheFullZipLayout() {
    Field field = field("l", ArrowType.List.INSTANCE, field("item", INT));
    Leaf leaf = new FieldTree(field, FileVersion.V2_1).leaves().get(0);
    try (ArrayData lists = listOfInts()) {
      List<LeafBatch> batches = new java.util.ArrayList<>();
      new FieldTree(field, FileVersion.V2_1).root().shred(lists, Slots.rows(0, 6), 6, batches);
      LeafBatch batch = batches.get(0);
      FixedBlock values = (FixedBlock) batch.block();
      FullZipPage zip = new FullZipPage(new PageLevels(leaf, batch.levels(), 6, false));
      try (EncodedPage page = zip.encode(RowValues.of(values, 4), Encodings.flat(32), allocator)) {
        FullZipLayout layout = page.layout().getFullZipLayout();
        assertThat(layout.getBitsRep()).isEqualTo(1);
        assertThat(layout.getBitsDef()).isEqualTo(2);
        assertThat(layout.getBitsPerValue()).isEqualTo(32);
        assertThat(layout.getNumItems()).isEqualTo(10);
        assertThat(layout.getNumVisibleItems()).isEqualTo(8);
        assertThat(bytes(page, 0))
            .isEqualTo(
                hex(
                    "04 01 00 00 00 00 02 00 00 00 00 03 00 00 00 07 06 04 04 00 00 00"
                        + "05 00 00 00 00 00 05 00 00 00 04 06 00 00 00 00 07 00 00 00"));
        assertThat(bytes(page, 1)).isEqualTo(hex("00 0f 10 11 16 20 2a"));
      }
    }
  }

  private static String bytes(EncodedPage page, int buffer) {
    byte[] bytes = new byte[page.buffers().get(buffer).remaining()];
    page.buffers().get(buffer).get(0, bytes);
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void listsOfStructsOfLists() {
    Field y = field("y", ArrowType.List.INSTANCE, field("item", INT));
    Field item = field("item", ArrowType.Struct.INSTANCE, y);
    Field field = field("l", ArrowType.List.INSTANCE, item);
    // Rows [{[1,2]}, null], [], null, [{null}, {[]}], [{[null,3]}].
    ArrayData lists =
        arrays.lists(
            i -> i != 1 && i != 2, new int[] {0, 2, 2, 2, 2, 4}, arrays.ints(1, 2, null, 3));
    ArrayData structs = arrays.structs(5, i -> i != 1, lists);
    ArrayData rows = arrays.lists(i -> i != 2, new int[] {0, 2, 2, 2, 4, 5}, structs);
    WrittenColumn.Page page = writeOne(field, rows);
    assertThat(page.layout().getMiniBlockLayout().getLayersList())
        .containsExactly(
            RepDefLayer.REPDEF_NULLABLE_ITEM,
            RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST,
            RepDefLayer.REPDEF_NULLABLE_ITEM,
            RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST);
    assertThat(page.hex(1))
        .isEqualTo(
            hex(
                "09 00 | 12 00 | 12 00 | 10 00"
                    + "02 00 00 00 01 00 02 00 02 00 02 00 01 00 02 00 00 00 fe fe fe fe fe fe"
                    + "00 00 00 00 04 00 06 00 05 00 02 00 03 00 01 00 00 00 fe fe fe fe fe fe"
                    + "01 00 00 00 02 00 00 00 00 00 00 00 03 00 00 00"));
    assertThat(page.layout().getMiniBlockLayout().getNumItems()).isEqualTo(4);
  }

  private static Field vectors(int dimension) {
    Field item = field("item", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE));
    return field("v", new ArrowType.FixedSizeList(dimension), item);
  }

  @Test
  void vectorsWithoutNullsAreThePlainFloats() {
    WrittenColumn.Page page =
        writeOne(vectors(128), arrays.fixedLists(3, WorkedPagesTest::all, arrays.floats(384, 0f)));
    FullZipLayout layout = page.layout().getFullZipLayout();
    assertThat(layout.getBitsPerValue()).isEqualTo(4096);
    assertThat(layout.getBitsDef()).isZero();
    assertThat(layout.getNumItems()).isEqualTo(3);
    assertThat(layout.getValueCompression().getFixedSizeList().getItemsPerValue()).isEqualTo(128);
    assertThat(page.buffers()).hasSize(1);
    java.nio.ByteBuffer expected =
        java.nio.ByteBuffer.allocate(1536).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 384; i++) {
      expected.putFloat(i);
    }
    assertThat(page.buffers().get(0)).isEqualTo(expected.array());
  }

  @Test
  void nullVectorsKeepTheirBytesBehindAControlWord() {
    WrittenColumn.Page page =
        writeOne(vectors(128), arrays.fixedLists(3, i -> i != 1, arrays.floats(384, 0f)));
    FullZipLayout layout = page.layout().getFullZipLayout();
    assertThat(layout.getBitsDef()).isEqualTo(1);
    assertThat(layout.getLayersList()).containsExactly(RepDefLayer.REPDEF_NULLABLE_ITEM);
    assertThat(page.buffers()).hasSize(1);
    byte[] bytes = page.buffers().get(0);
    assertThat(bytes).hasSize(1539);
    assertThat(new byte[] {bytes[0], bytes[513], bytes[1026]}).containsExactly(0, 1, 0);
  }

  @Test
  void shortVectorsGoIntoChunks() {
    WrittenColumn.Page page =
        writeOne(vectors(4), arrays.fixedLists(3, WorkedPagesTest::all, arrays.floats(12, 0f)));
    assertThat(page.hex(1)).startsWith(hex("00 00 | 30 00 | fe fe fe fe")).hasSize(2 * 56);
  }

  @Test
  void nullItemsOfFixedSizeListsAreABitmapBeforeTheItems() {
    Integer[] items = new Integer[12];
    for (int i = 0; i < items.length; i++) {
      items[i] = i == 0 || i == 5 || i == 10 ? null : i;
    }
    Field field = field("v", new ArrowType.FixedSizeList(4), field("item", INT));
    WrittenColumn.Page page =
        writeOne(field, arrays.fixedLists(3, WorkedPagesTest::all, arrays.ints(items)));
    assertThat(page.layout().getMiniBlockLayout().getNumBuffers()).isEqualTo(2);
    assertThat(
            page.layout()
                .getMiniBlockLayout()
                .getValueCompression()
                .getFixedSizeList()
                .getHasValidity())
        .isTrue();
    assertThat(page.hex(1)).startsWith(hex("00 00 | 02 00 | 30 00 | fe fe de 0b fe fe"));
  }

  @Test
  void nestedFixedSizeListsHaveABitmapForEachLayer() {
    Field leafItem = field("item", new ArrowType.Int(16, true));
    Field inner = field("item", new ArrowType.FixedSizeList(3), leafItem);
    Field field = field("v", new ArrowType.FixedSizeList(2), inner);
    ArrayData leaves = arrays.intsOver(i -> i != 1, new Integer[24]);
    ArrayData halves =
        new ArrayData(
            24, 1, new org.apache.arrow.memory.ArrowBuf[] {leaves.buffer(0), leaves.buffer(1)});
    ArrayData rows =
        arrays.fixedLists(4, WorkedPagesTest::all, arrays.fixedLists(8, i -> i != 3, halves));
    WrittenColumn.Page page = writeOne(field, rows);
    assertThat(page.layout().getMiniBlockLayout().getNumBuffers()).isEqualTo(3);
    assertThat(page.hex(1))
        .startsWith(hex("00 00 | 01 00 | 03 00 | 30 00 f7 fe fe fe fe fe fe fe fd ff ff fe"));
  }

  @Test
  void aColumnOfNullsHasNoBuffers() {
    WrittenColumn.Page page = writeOne(field("x", INT), arrays.ints(new Integer[10]));
    assertThat(page.layout().getConstantLayout().getLayersList())
        .containsExactly(RepDefLayer.REPDEF_NULLABLE_ITEM);
    assertThat(page.buffers()).isEmpty();
    assertThat(page.rows()).isEqualTo(10);
  }

  @Test
  void listsWithoutItemsKeepTheirLevelsOnly() {
    WrittenColumn.Page page =
        writeOne(
            field("l", ArrowType.List.INSTANCE, field("item", INT)),
            arrays.lists(i -> i != 1, new int[] {0, 0, 0, 0, 0}, arrays.ints()));
    assertThat(page.layout().getConstantLayout().getLayersList())
        .containsExactly(RepDefLayer.REPDEF_ALL_VALID_ITEM, RepDefLayer.REPDEF_NULL_AND_EMPTY_LIST);
    assertThat(page.hex(0)).isEqualTo("0100010001000100");
    assertThat(page.hex(1)).isEqualTo("0200010002000200");
  }

  @Test
  void listsOfNullsKeepTheirLevelsOnly() {
    WrittenColumn.Page page =
        writeOne(
            field("l", ArrowType.List.INSTANCE, field("item", INT)),
            arrays.lists(i -> i != 1, new int[] {0, 1, 1, 3}, arrays.ints(null, null, null)));
    assertThat(page.layout().getConstantLayout().getLayersList())
        .containsExactly(RepDefLayer.REPDEF_NULLABLE_ITEM, RepDefLayer.REPDEF_NULLABLE_LIST);
    assertThat(page.hex(0)).isEqualTo("0100010001000000");
    assertThat(page.hex(1)).isEqualTo("0100020001000100");
  }

  @Test
  void structsMarkTheirOwnNullsAboveTheLeafs() {
    Field field =
        field(
            "st", ArrowType.Struct.INSTANCE, field("a", INT), field("b", ArrowType.Utf8.INSTANCE));
    List<WrittenColumn> columns =
        write(
            field,
            arrays.structs(
                4,
                i -> i != 2,
                arrays.ints(100, null, 0, 103),
                arrays.strings("x", "y", "z", "w")));
    WrittenColumn.Page a = columns.get(0).page();
    assertThat(a.layout().getMiniBlockLayout().getLayersList())
        .containsExactly(RepDefLayer.REPDEF_NULLABLE_ITEM, RepDefLayer.REPDEF_NULLABLE_ITEM);
    assertThat(a.hex(1)).contains(hex("00 00 01 00 02 00 00 00"));
    WrittenColumn.Page b = columns.get(1).page();
    assertThat(b.layout().getMiniBlockLayout().getLayersList())
        .containsExactly(RepDefLayer.REPDEF_NULLABLE_ITEM, RepDefLayer.REPDEF_NULLABLE_ITEM);
    assertThat(b.hex(1))
        .isEqualTo(
            hex(
                "04 00 | 08 00 | 18 00 | fe fe 00 00 00 00 02 00 00 00"
                    + "14 00 00 00 15 00 00 00 16 00 00 00 16 00 00 00 17 00 00 00 78 79 77 48"));
  }

  @Test
  void dictionariesAreABufferOfTheirOwn() {
    Field field =
        new Field(
            "d",
            new FieldType(
                true,
                ArrowType.Utf8.INSTANCE,
                new org.apache.arrow.vector.types.pojo.DictionaryEncoding(
                    1, false, new ArrowType.Int(8, true))),
            List.of());
    ArrayData dictionary = arrays.strings("alpha-alpha-alpha", "beta-beta", "gamma-ray");
    WrittenColumn.Page page = writeOne(field, arrays.keys(dictionary, 2, null, 1, 0));
    MiniBlockLayout layout = page.layout().getMiniBlockLayout();
    assertThat(layout.getNumDictionaryItems()).isEqualTo(3);
    assertThat(layout.getDictionary().getVariable().getOffsets().getFlat().getBitsPerValue())
        .isEqualTo(32);
    assertThat(layout.getValueCompression().getFlat().getBitsPerValue()).isEqualTo(8);
    assertThat(page.hex(1)).endsWith(hex("02 00 01 00 fe fe fe fe"));
    assertThat(page.hex(2))
        .startsWith(
            hex("20 00 00 00 18 00 00 00 00 00 00 00 11 00 00 00 1a 00 00 00 23 00 00 00 61 6c"));
  }
}
