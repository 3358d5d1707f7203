package dev.lance4j.format.internal.v21;

import static dev.lance4j.format.internal.v21.Layouts.chunk;
import static dev.lance4j.format.internal.v21.Layouts.fixedSizeList;
import static dev.lance4j.format.internal.v21.Layouts.flat;
import static dev.lance4j.format.internal.v21.Layouts.join;
import static dev.lance4j.format.internal.v21.Layouts.layers;
import static dev.lance4j.format.internal.v21.Layouts.miniBlock;
import static dev.lance4j.format.internal.v21.Layouts.page;
import static dev.lance4j.format.internal.v21.Layouts.rle;
import static dev.lance4j.format.internal.v21.Layouts.variable;
import static dev.lance4j.format.internal.v21.Layouts.word;
import static dev.lance4j.format.internal.v21.Layouts.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.ColumnNode;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.ConstantLayout;
import dev.lance4j.format.proto.encodings21.Dictionary;
import dev.lance4j.format.proto.encodings21.FullZipLayout;
import dev.lance4j.format.proto.encodings21.PageLayout;
import dev.lance4j.format.proto.encodings21.SparseLayout;
import dev.lance4j.format.store.ObjectReader;
import dev.lance4j.format.testing.SampleFields;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;

/** Pages that cannot be read are refused with what is wrong; fields that are not there are null. */
class RefusedPagesTest {
  private static final Field INT32 = SampleFields.int32("x");
  private static final Field LIST = SampleFields.list("x", SampleFields.int32("item"));

  private static Column integers(int rows, byte[] chunk) {
    return new Column()
        .page(page(miniBlock(flat(32), rows, 1)), rows, words(2, word(chunk, 0)), chunk);
  }

  private static void assertCorrupt(Column column, Field field, String problem) {
    assertThatThrownBy(() -> column.read(field))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("column 0, page 0")
        .hasMessageContaining(problem);
  }

  private static void assertUnsupported(Column column, Field field, String feature) {
    assertThatThrownBy(() -> column.read(field))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining(feature);
  }

  @Test
  void theSparseLayoutIsNotSupported() {
    PageLayout sparse =
        PageLayout.newBuilder().setSparseLayout(SparseLayout.getDefaultInstance()).build();
    assertUnsupported(new Column().page(sparse, 1), INT32, "sparse");
  }

  @Test
  void anUnknownEncodingIsNamed() {
    CompressiveEncoding dictionary =
        CompressiveEncoding.newBuilder().setDictionary(Dictionary.getDefaultInstance()).build();
    byte[] chunk = chunk(0, null, null, words(4, 1));
    Column column =
        new Column().page(page(miniBlock(dictionary, 1, 1)), 1, words(2, word(chunk, 0)), chunk);
    assertUnsupported(column, INT32, "'dictionary'");
    Column zipped =
        new Column()
            .page(
                page(
                    FullZipLayout.newBuilder()
                        .setBitsPerValue(32)
                        .setValueCompression(rle(32))
                        .addAllLayers(layers(1))),
                1,
                words(4, 1));
    assertUnsupported(zipped, INT32, "'rle'");
  }

  @Test
  void aMissingEncodingIsDamage() {
    byte[] chunk = chunk(0, null, null, words(4, 1));
    CompressiveEncoding none = CompressiveEncoding.getDefaultInstance();
    Column column =
        new Column().page(page(miniBlock(none, 1, 1)), 1, words(2, word(chunk, 0)), chunk);
    assertCorrupt(column, INT32, "lacks its encoding");
    assertCorrupt(new Column().page(PageLayout.getDefaultInstance(), 1), INT32, "lacks its layout");
  }

  @Test
  void valuesOfAnotherWidthAreDamage() {
    Column column = integers(2, chunk(0, null, null, words(4, 1, 2)));
    assertCorrupt(column, SampleFields.int64("x"), "values of 32 bits");
    assertCorrupt(column, SampleFields.utf8("x"), "32 bits");
  }

  @Test
  void layersOfAnotherNestingAreDamage() {
    Column column = integers(2, chunk(0, null, null, words(4, 1, 2)));
    assertCorrupt(column, LIST, "1 layers where the schema has 2");
    assertCorrupt(column, SampleFields.struct("x", INT32), "1 layers where the schema has 2");
  }

  @Test
  void fewerValuesThanRowsAreDamage() {
    assertCorrupt(integers(3, chunk(0, null, null, words(4, 1, 2))), INT32, "flat data needs 12");
  }

  @Test
  void aRunOfNothingIsDamage() {
    byte[] chunk = chunk(0, null, null, words(4, 7, 8), words(1, 0, 2));
    Column column =
        new Column()
            .page(
                page(miniBlock(rle(32), 2, 1).setNumBuffers(2)),
                2,
                words(2, word(chunk, 0)),
                chunk);
    assertCorrupt(column, INT32, "a run without length");
  }

  @Test
  void runsThatEndEarlyAreDamageAndLateOnesAreCut() {
    byte[] early = chunk(0, null, null, words(4, 7), words(1, 2));
    assertCorrupt(
        new Column()
            .page(
                page(miniBlock(rle(32), 3, 1).setNumBuffers(2)),
                3,
                words(2, word(early, 0)),
                early),
        INT32,
        "the runs make 2 values of 3");
    byte[] late = chunk(0, null, null, words(4, 7), words(1, 200));
    Column column =
        new Column()
            .page(
                page(miniBlock(rle(32), 3, 1).setNumBuffers(2)), 3, words(2, word(late, 0)), late);
    assertThat(column.read(INT32)).containsExactly("7", "7", "7");
  }

  @Test
  void aPositionBeyondTheDictionaryIsDamage() {
    byte[] chunk = chunk(0, null, null, words(4, 0, 1));
    Column column =
        new Column()
            .page(
                page(
                    miniBlock(flat(32), 2, 1).setDictionary(variable(32)).setNumDictionaryItems(1)),
                2,
                words(2, word(chunk, 0)),
                chunk,
                join(words(4, 32, 16, 0, 1), new byte[] {'a'}));
    assertCorrupt(column, SampleFields.utf8("x"), "position 1 in a dictionary of 1 items");
  }

  @Test
  void stringsThatRunBackwardsAreDamage() {
    byte[] chunk = chunk(0, null, null, join(words(4, 12, 16, 12), new byte[4]));
    Column column =
        new Column().page(page(miniBlock(variable(32), 2, 1)), 2, words(2, word(chunk, 0)), chunk);
    assertCorrupt(column, SampleFields.utf8("x"), "offsets that do not ascend");
  }

  @Test
  void anImpossibleLevelIsDamage() {
    byte[] chunk = chunk(2, null, words(2, 0, 2), words(4, 1, 2));
    Column column =
        new Column()
            .page(
                page(miniBlock(flat(32), 2, 3).setDefCompression(flat(16))),
                2,
                words(2, word(chunk, 0)),
                chunk);
    assertCorrupt(column, INT32, "definition level 2 where the highest is 1");
  }

  @Test
  void aRepetitionIndexThatLiesIsDamage() {
    byte[] chunk = chunk(2, words(2, 1, 1), null, words(4, 1, 2));
    PageLayout layout =
        page(miniBlock(flat(32), 2, 1, 2).setRepCompression(flat(16)).setRepetitionIndexDepth(1));
    byte[] table = words(2, word(chunk, 0));
    Column good = new Column().page(layout, 2, table, chunk, words(8, 2, 0));
    assertThat(good.read(LIST)).containsExactly("[1]", "[2]");
    assertCorrupt(
        new Column().page(layout, 1, table, chunk, words(8, 1, 0)), LIST, "the levels have 2 rows");
    assertCorrupt(
        new Column().page(layout, 3, table, chunk, words(8, 2, 1)), LIST, "the last row goes on");
    assertCorrupt(
        new Column().page(layout, 2, table, chunk, words(8, 1, 0)), LIST, "the chunks hold 1 rows");
  }

  @Test
  void hugeCountsDoNotTakeMemory() {
    byte[] chunk = chunk(0, null, null, words(4, 1));
    byte[] table = words(2, word(chunk, 0));
    assertCorrupt(
        new Column().page(page(miniBlock(flat(32), 1L << 30, 1)), 1L << 30, table, chunk),
        INT32,
        "needs 4294967296 bytes");
    Field vectors = SampleFields.fixedSizeList("x", 1 << 30, INT32);
    assertCorrupt(
        new Column()
            .page(page(miniBlock(fixedSizeList(1 << 30, false, flat(32)), 1, 1)), 1, table, chunk),
        vectors,
        "needs 4294967296 bytes");
  }

  @Test
  void constantsThatDoNotFitAreDamage() {
    assertCorrupt(
        new Column().page(page(ConstantLayout.newBuilder().addAllLayers(layers(1))), 2),
        INT32,
        "valid items in a page without values");
    assertCorrupt(
        new Column()
            .page(page(ConstantLayout.newBuilder().addAllLayers(layers(1))), 2, words(4, 1, 9, 0)),
        INT32,
        "malformed");
  }

  private static ArrayData readStruct(Field field, List<ColumnNode> children, Column column) {
    ColumnInfo info = column.info();
    ColumnNode node = new ColumnNode(field, ColumnNode.NONE, true, children);
    try (ObjectReader file = column.open();
        BufferAllocator allocator = new RootAllocator()) {
      return Column.fetch(
          V21FieldReaders.create(Column.PATH, node, List.of(info, other(column)))
              .read(RowRanges.of(0, info.rows())),
          file,
          allocator);
    }
  }

  /** The same pages with the last one missing. */
  private static ColumnInfo other(Column column) {
    ColumnInfo all = column.info();
    int last = all.pages().size() - 1;
    return new ColumnInfo(
        1, all.metadata(), new ArrayList<>(all.pages().subList(0, last)), all.rows());
  }

  @Test
  void aChildThatTheFileLacksIsNull() {
    byte[] chunk = chunk(3, null, words(2, 0, 2, 1), words(4, 1, 0, 0));
    Column column =
        new Column()
            .page(
                page(miniBlock(flat(32), 3, 3, 3).setDefCompression(flat(16))),
                3,
                words(2, word(chunk, 0)),
                chunk);
    Field a = SampleFields.int32("a");
    Field b = SampleFields.list("b", SampleFields.utf8("item"));
    Field field = SampleFields.struct("x", b, a);
    ColumnNode node =
        new ColumnNode(
            field,
            ColumnNode.NONE,
            true,
            List.of(
                new ColumnNode(b, ColumnNode.NONE, false, List.of()),
                new ColumnNode(a, 0, true, List.of())));
    try (ObjectReader file = column.open();
        BufferAllocator allocator = new RootAllocator()) {
      ArrayData array =
          Column.fetch(
              V21FieldReaders.create(Column.PATH, node, List.of(column.info()))
                  .read(RowRanges.of(0, 3)),
              file,
              allocator);
      assertThat(array.child(0).nullCount()).isEqualTo(3);
      assertThat(Column.text(field, array, allocator)).containsExactly("{\"a\":1}", "null", "{}");
    }
  }

  @Test
  void columnsOfAStructThatDisagreeAreDamage() {
    byte[] chunk = chunk(0, null, null, words(4, 1, 2));
    Column column = new Column();
    for (int i = 0; i < 2; i++) {
      column.page(page(miniBlock(flat(32), 2, 1, 1)), 2, words(2, word(chunk, 0)), chunk);
    }
    Field a = SampleFields.int32("a");
    Field b = SampleFields.int32("b");
    List<ColumnNode> children =
        List.of(new ColumnNode(a, 0, true, List.of()), new ColumnNode(b, 1, true, List.of()));
    assertThatThrownBy(() -> readStruct(SampleFields.struct("x", a, b), children, column).close())
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("have 4 and 2 values");
  }
}
