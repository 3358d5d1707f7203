package dev.lance4j.format.internal.v20;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.page.ColumnInfo;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.testing.SampleFields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the writer makes of nulls, slices, several batches and input that it must refuse. */
class V20WriterTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final HandMadeFile file = new HandMadeFile();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private void write(FieldVector... batches) {
    write(PageLimits.DEFAULT, batches);
  }

  private void write(PageLimits limits, FieldVector... batches) {
    Field field = batches[0].getField();
    try (FieldWriter writer = V20FieldWriters.create(field, allocator, file, limits)) {
      for (FieldVector batch : batches) {
        try (ArrayData data = ArrayDataVectors.of(batch, batch.getValueCount(), "x", null)) {
          writer.append(data);
        }
      }
      writer.finish();
      file.columns(writer.columns());
    }
  }

  private List<Object> read(Field field, long rows) {
    return file.read(field, RowRanges.of(0, rows), allocator);
  }

  private List<Long> pageRows(int column) {
    ColumnInfo info = file.columns().get(column);
    return info.pages().stream().map(PageInfo::rows).toList();
  }

  private IntVector ints(String name, int from, int to) {
    IntVector vector = new IntVector(name, allocator);
    vector.allocateNew(to - from);
    for (int i = from; i < to; i++) {
      vector.set(i - from, i);
    }
    vector.setValueCount(to - from);
    return vector;
  }

  @Test
  void garbageUnderNullStructsIsNeverVisible() {
    Field list = SampleFields.list("l", SampleFields.utf8("item"));
    Field inner = SampleFields.struct("s", SampleFields.bool("b"));
    Field field = SampleFields.struct("x", SampleFields.int32("a"), list, inner);
    try (StructVector struct = (StructVector) field.createVector(allocator)) {
      struct.allocateNew();
      ListVector lists = struct.getChild("l", ListVector.class);
      for (int i = 0; i < 3; i++) {
        struct.getChild("a", IntVector.class).setSafe(i, 10 + i);
        int start = lists.startNewValue(i);
        ((VarCharVector) lists.getDataVector())
            .setSafe(start, ("t" + i).getBytes(StandardCharsets.UTF_8));
        lists.endValue(i, 1);
        struct.getChild("s", StructVector.class).setIndexDefined(i);
        struct.setIndexDefined(i);
      }
      struct.setValueCount(3);
      struct.setNull(1);
      write(struct);
    }
    assertThat(read(field, 3))
        .containsExactly(
            "{\"a\":10,\"l\":[\"t0\"],\"s\":{}}",
            "{\"s\":{}}",
            "{\"a\":12,\"l\":[\"t2\"],\"s\":{}}");
    assertThat(new String(file.toBytes(), StandardCharsets.ISO_8859_1)).doesNotContain("t1");
  }

  @Test
  void anObligatoryFieldInANullStructIsRefused() {
    Field required = new Field("a", FieldType.notNullable(new ArrowType.Int(32, true)), null);
    Field field = SampleFields.struct("x", required);
    try (StructVector struct = (StructVector) field.createVector(allocator)) {
      struct.allocateNew();
      struct.getChild("a", IntVector.class).setSafe(0, 1);
      struct.setValueCount(1);
      struct.setNull(0);
      assertThatThrownBy(() -> write(struct))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'x.a'")
          .hasMessageContaining("2.1");
    }
  }

  @Test
  void nullsInAnObligatoryFieldAreRefused() {
    Field field = new Field("x", FieldType.notNullable(new ArrowType.Int(32, true)), null);
    try (IntVector vector = (IntVector) field.createVector(allocator)) {
      vector.allocateNew(2);
      vector.set(0, 1);
      vector.setNull(1);
      vector.setValueCount(2);
      assertThatThrownBy(() -> write(vector))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'x'");
    }
  }

  @Test
  void itemsOfNullListsAreDropped() {
    Field field = SampleFields.list("x", SampleFields.int32("item"));
    try (ListVector lists = lists(field)) {
      BitVectorHelper.setValidityBit(lists.getValidityBuffer(), 1, 0);
      write(lists);
    }
    assertThat(read(field, 4)).containsExactly("[0,1]", null, "[4,5]", "[6,7]");
    assertThat(pageRows(1)).containsExactly(6L);
  }

  /** Four lists of two items each, 0 to 7. */
  private ListVector lists(Field field) {
    ListVector lists = (ListVector) field.createVector(allocator);
    lists.allocateNew();
    for (int i = 0; i < 4; i++) {
      int start = lists.startNewValue(i);
      ((IntVector) lists.getDataVector()).setSafe(start, 2 * i);
      ((IntVector) lists.getDataVector()).setSafe(start + 1, 2 * i + 1);
      lists.endValue(i, 2);
    }
    lists.setValueCount(4);
    return lists;
  }

  @Test
  void slicedListsStartInTheMiddleOfTheirItems() {
    Field field = SampleFields.list("x", SampleFields.int32("item"));
    try (ListVector lists = lists(field);
        ArrayData whole = ArrayDataVectors.of(lists, 4, "x", null)) {
      ArrowBuf offsets = whole.buffer(1);
      offsets.getReferenceManager().retain();
      ArrayData items = ArrayDataVectors.of(lists.getDataVector(), 8, "x", null);
      ArrowBuf[] buffers = {null, offsets.slice(2L * Integer.BYTES, 3L * Integer.BYTES)};
      try (ArrayData slice = new ArrayData(2, 0, buffers, items);
          FieldWriter writer = V20FieldWriters.create(field, allocator, file)) {
        writer.append(slice);
        writer.finish();
        file.columns(writer.columns());
      }
    }
    assertThat(read(field, 2)).containsExactly("[4,5]", "[6,7]");
    assertThat(pageRows(1)).containsExactly(4L);
  }

  @Test
  void descendingOffsetsAreRefused() {
    Field field = SampleFields.list("x", SampleFields.int32("item"));
    try (ListVector lists = lists(field)) {
      lists.getOffsetBuffer().setInt(8, 7);
      assertThatThrownBy(() -> write(lists))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("'x'")
          .hasMessageContaining("ascend");
    }
    try (ListVector lists = lists(field)) {
      lists.getDataVector().setValueCount(7);
      try (ArrayData items = ArrayDataVectors.of(lists.getDataVector(), 7, "x", null);
          ArrayData whole = ArrayDataVectors.of(ints(lists), 8, "x", null);
          FieldWriter writer = V20FieldWriters.create(field, allocator, file)) {
        assertThat(whole.length()).isEqualTo(8);
        ArrayData bad = new ArrayData(4, 0, new ArrowBuf[] {null, lists.getOffsetBuffer()}, items);
        assertThatThrownBy(() -> writer.append(bad)).isInstanceOf(InvalidInputException.class);
      }
    }
  }

  private static FieldVector ints(ListVector lists) {
    lists.getDataVector().setValueCount(8);
    return lists.getDataVector();
  }

  @Test
  void largeBatchesAreSplitIntoEvenPages() {
    try (IntVector vector = ints("x", 0, 1000)) {
      write(new PageLimits(400, 1600), vector);
    }
    assertThat(pageRows(0)).containsExactly(334L, 334L, 332L);
    assertThat(file.read(SampleFields.int32("x"), RowRanges.of(332, 336), allocator))
        .containsExactly("332", "333", "334", "335");
  }

  @Test
  void smallBatchesGatherInAPage() {
    try (IntVector a = ints("x", 0, 60);
        IntVector b = ints("x", 60, 120);
        IntVector c = ints("x", 120, 130)) {
      write(new PageLimits(400, 1600), a, b, c);
    }
    assertThat(pageRows(0)).containsExactly(120L, 10L);
    assertThat(file.read(SampleFields.int32("x"), RowRanges.of(119, 121), allocator))
        .containsExactly("119", "120");
  }

  @Test
  void offsetsAndItemsEndTheirPagesTogether() {
    Field field = SampleFields.list("x", SampleFields.int32("item"));
    try (ListVector a = lists(field);
        ListVector b = lists(field)) {
      write(new PageLimits(16, 1 << 20), a, b);
    }
    assertThat(pageRows(0)).containsExactly(4L, 4L);
    assertThat(pageRows(1)).containsExactly(8L, 8L);
    assertThat(file.read(field, RowRanges.of(3, 5), allocator)).containsExactly("[6,7]", "[0,1]");
  }

  @Test
  void emptyColumnsHaveNoPagesButStructHeaders() {
    Field field = SampleFields.struct("x", SampleFields.int32("a"));
    try (FieldWriter writer = V20FieldWriters.create(field, allocator, file)) {
      writer.finish();
      file.columns(writer.columns());
    }
    assertThat(pageRows(0)).containsExactly(0L);
    assertThat(pageRows(1)).isEmpty();
    assertThat(read(field, 0)).isEmpty();
  }

  @Test
  void typesThatTheVersionLacksAreRefusedByName() {
    Field map = SampleFields.map("m", SampleFields.utf8("k"), SampleFields.int32("v"));
    Field texts = SampleFields.fixedSizeList("f", 2, SampleFields.utf8("item"));
    Field structs =
        SampleFields.fixedSizeList("f", 2, SampleFields.struct("item", SampleFields.int32("a")));
    for (Field field : List.of(map, texts, structs)) {
      Field nested = SampleFields.struct("x", SampleFields.int32("a"), field);
      assertThatThrownBy(() -> V20FieldWriters.create(nested, allocator, file).close())
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("'x." + field.getName());
    }
  }

  @Test
  void dictionariesOfManyBatchesBecomeOneOrStartAnotherPage() {
    Field field = dictionaryField();
    try (FieldWriter writer = V20FieldWriters.create(field, allocator, file)) {
      for (int batch = 0; batch < 4; batch++) {
        appendDictionary(writer, field, batch * 50);
      }
      writer.finish();
      file.columns(writer.columns());
    }
    // Two batches have 100 values; with a third there would be more than the keys can tell apart.
    assertThat(pageRows(0)).containsExactly(100L, 100L);
  }

  @Test
  void keysOutsideTheDictionaryAreRefused() {
    Field field = dictionaryField();
    try (FieldWriter writer = V20FieldWriters.create(field, allocator, file);
        VarCharVector values = new VarCharVector("values", allocator);
        TinyIntVector keys = keys(field, 3)) {
      values.allocateNew(1);
      values.setSafe(0, new byte[] {'a'});
      values.setValueCount(1);
      MapDictionaryProvider provider = new MapDictionaryProvider();
      provider.put(new Dictionary(values, field.getDictionary()));
      try (ArrayData data = ArrayDataVectors.of(keys, 3, "x", provider)) {
        assertThatThrownBy(() -> writer.append(data))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("'x'");
      }
    }
  }

  private static Field dictionaryField() {
    DictionaryEncoding encoding = new DictionaryEncoding(1, false, new ArrowType.Int(8, true));
    return new Field("x", new FieldType(true, ArrowType.Utf8.INSTANCE, encoding), null);
  }

  /** Keys 0, 1, 2, … */
  private TinyIntVector keys(Field field, int count) {
    FieldType type =
        new FieldType(true, field.getDictionary().getIndexType(), field.getDictionary());
    TinyIntVector keys = new TinyIntVector("x", type, allocator);
    keys.allocateNew(count);
    for (int i = 0; i < count; i++) {
      keys.set(i, i);
    }
    keys.setValueCount(count);
    return keys;
  }

  /** Fifty rows with the values v{from} to v{from + 49}. */
  private void appendDictionary(FieldWriter writer, Field field, int from) {
    try (VarCharVector values = new VarCharVector("values", allocator);
        TinyIntVector keys = keys(field, 50)) {
      values.allocateNew(50);
      for (int i = 0; i < 50; i++) {
        values.setSafe(i, ("v" + (from + i)).getBytes(StandardCharsets.UTF_8));
      }
      values.setValueCount(50);
      MapDictionaryProvider provider = new MapDictionaryProvider();
      provider.put(new Dictionary(values, field.getDictionary()));
      try (ArrayData data = ArrayDataVectors.of(keys, 50, "x", provider)) {
        writer.append(data);
      }
    }
  }
}
