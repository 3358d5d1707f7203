package dev.lance4j.format.internal.v20;

import static dev.lance4j.format.internal.v20.HandMadeFile.hex;
import static dev.lance4j.format.internal.v20.HandMadeFile.ints;
import static dev.lance4j.format.internal.v20.HandMadeFile.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import dev.lance4j.format.internal.page.FieldWriter;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.file.v2.ColumnMetadata;
import dev.lance4j.format.testing.SampleFields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
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

/** Pages that the real library wrote, bytes and all, in both directions. */
class WorkedPagesTest {
  private static final String NO_NULLS_64 = "0A0C 120A 0A08 0A06 0A04 0840 1200";

  private final BufferAllocator allocator = new RootAllocator();
  private final HandMadeFile written = new HandMadeFile();

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  @Test
  void integersWithNulls() {
    String encoding = "1214 1212 0A06 0A04 0801 1200 1208 0A06 0820 1202 0801";
    byte[] values = ints(1, 0, 3, 4, 0);
    try (IntVector vector = new IntVector("x", allocator)) {
      fill(vector, 1, null, 3, 4, null);
      write(vector);
    }
    assertPage(0, 5, encoding, hex("0D"), values);
    assertThat(written.read(SampleFields.int32("x"), RowRanges.of(0, 5), allocator))
        .containsExactly("1", null, "3", "4", null);
    assertThat(written.read(SampleFields.int32("x"), RowRanges.of(3, 5), allocator))
        .containsExactly("4", null);
  }

  @Test
  void nothingButNulls() {
    try (IntVector vector = new IntVector("x", allocator)) {
      fill(vector, null, null, null);
      write(vector);
    }
    assertPage(0, 3, "1202 1A00");
    assertThat(written.read(SampleFields.int32("x"), RowRanges.of(0, 3), allocator))
        .containsExactly(null, null, null);
  }

  @Test
  void booleans() {
    Boolean[] rows = {true, false, null, true, true, false, true, false, true, null};
    try (BitVector vector = new BitVector("x", allocator)) {
      vector.allocateNew(rows.length);
      for (int i = 0; i < rows.length; i++) {
        if (rows[i] != null) {
          vector.set(i, rows[i] ? 1 : 0);
        }
      }
      vector.setValueCount(rows.length);
      write(vector);
    }
    String encoding = "1214 1212 0A06 0A04 0801 1200 1208 0A06 0801 1202 0801";
    assertPage(0, 10, encoding, hex("FB01"), hex("5901"));
    assertThat(written.read(SampleFields.bool("x"), RowRanges.of(1, 10), allocator))
        .containsExactly("false", null, "true", "true", "false", "true", "false", "true", null);
  }

  @Test
  void fixedSizeListsKeepTheSlotsOfNulls() {
    Field field = SampleFields.fixedSizeList("x", 3, SampleFields.float32("item"));
    try (FixedSizeListVector vector = (FixedSizeListVector) field.createVector(allocator)) {
      vector.allocateNew();
      Float4Vector items = (Float4Vector) vector.getDataVector();
      for (int i = 0; i < 9; i++) {
        items.setSafe(i, i + 1);
      }
      items.setNull(4);
      vector.setValueCount(3);
      vector.setNotNull(0);
      vector.setNotNull(1);
      vector.setNull(2);
      write(vector);
    }
    String encoding =
        "122A 1228 0A06 0A04 0801 1200 121E 1A1C 0803 1218 1216 1214"
            + "0A08 0A06 0801 1202 0801 1208 0A06 0820 1202 0802";
    byte[] floats = new byte[36];
    for (int i = 0; i < 9; i++) {
      System.arraycopy(ints(Float.floatToIntBits(i + 1)), 0, floats, i * 4, 4);
    }
    assertPage(0, 3, encoding, hex("03"), hex("EF01"), floats);
    assertThat(written.read(field, RowRanges.of(1, 3), allocator))
        .containsExactly("[4.0,null,6.0]", null);
  }

  @Test
  void fixedSizeBinary() {
    try (FixedSizeBinaryVector vector = new FixedSizeBinaryVector("x", allocator, 3)) {
      vector.allocateNew(3);
      vector.set(0, utf8("abc"));
      vector.setNull(1);
      vector.set(2, utf8("xyz"));
      vector.getDataBuffer().setZero(3, 3);
      vector.setValueCount(3);
      write(vector);
    }
    String encoding = "1214 1212 0A06 0A04 0801 1200 1208 0A06 0818 1202 0801";
    assertPage(0, 3, encoding, hex("05"), hex("616263 000000 78797A"));
    Field field = SampleFields.scalar("x", new ArrowType.FixedSizeBinary(3));
    assertThat(written.read(field, RowRanges.of(0, 3), allocator))
        .containsExactly("616263", null, "78797a");
  }

  @Test
  void lists() {
    try (ListVector vector = intLists(List.of(1, 2), null, List.of(), List.of(3, 4, 5))) {
      write(vector);
    }
    assertPage(0, 4, "2212 " + NO_NULLS_64 + "1006 1805", longs(2, 8, 2, 5));
    assertPage(1, 5, "120A 0A08 0A06 0A04 0820 1200", ints(1, 2, 3, 4, 5));
    Field field = SampleFields.list("x", SampleFields.int32("item"));
    assertThat(written.read(field, RowRanges.of(0, 4), allocator))
        .containsExactly("[1,2]", null, "[]", "[3,4,5]");
    assertThat(written.read(field, RowRanges.of(1, 2), allocator)).containsExactly((Object) null);
    assertThat(written.read(field, RowRanges.ofSortedRows(new long[] {0, 3}), allocator))
        .containsExactly("[1,2]", "[3,4,5]");
  }

  @Test
  void listsWithoutItems() {
    try (ListVector vector = intLists(List.of(), null, List.of())) {
      write(vector);
    }
    assertPage(0, 3, "2210 " + NO_NULLS_64 + "1001", longs(0, 1, 0));
    assertPage(1, 0, "1202 1A00");
    Field field = SampleFields.list("x", SampleFields.int32("item"));
    assertThat(written.read(field, RowRanges.of(0, 3), allocator))
        .containsExactly("[]", null, "[]");
  }

  @Test
  void strings() {
    try (VarCharVector vector = strings("ab", "", null, "cde", "f")) {
      write(vector);
    }
    String encoding = "321A " + NO_NULLS_64 + "1208 0A06 0808 1202 0801 1807";
    assertPage(0, 5, encoding, longs(2, 2, 9, 5, 6), utf8("abcdef"));
    assertThat(written.read(SampleFields.utf8("x"), RowRanges.of(0, 5), allocator))
        .containsExactly("ab", "", null, "cde", "f");
    assertThat(written.read(SampleFields.utf8("x"), RowRanges.of(3, 4), allocator))
        .containsExactly("cde");
  }

  @Test
  void nullStrings() {
    try (VarCharVector vector = strings(null, null, null)) {
      write(vector);
    }
    String encoding = "321A " + NO_NULLS_64 + "1208 0A06 0808 1202 0801 1801";
    assertPage(0, 3, encoding, longs(1, 1, 1), new byte[0]);
  }

  @Test
  void dictionaryOfStrings() {
    byte[] indices = new byte[120];
    for (int i = 0; i < indices.length; i++) {
      indices[i] = (byte) (1 + i % 2);
    }
    indices[7] = 0;
    String encoding =
        "3A30 0A0C 120A 0A08 0A06 0A04 0808 1200 121E 321C 0A0E 120C 0A0A 0A08 0A06 0840"
            + "1202 0801 1208 0A06 0808 1202 0802 1808 1802";
    HandMadeFile file =
        new HandMadeFile().column().page(120, encoding, indices, longs(3, 7), utf8("redblue"));
    List<Object> all = file.read(SampleFields.utf8("x"), RowRanges.of(0, 120), allocator);
    for (int i = 0; i < indices.length; i++) {
      assertThat(all.get(i)).isEqualTo(i == 7 ? null : i % 2 == 0 ? "red" : "blue");
    }
    assertThat(file.read(SampleFields.utf8("x"), RowRanges.of(6, 9), allocator))
        .containsExactly("red", null, "red");
  }

  @Test
  void dictionaryFields() {
    ArrowType.Int keyType = new ArrowType.Int(8, true);
    DictionaryEncoding dictionary = new DictionaryEncoding(1, false, keyType);
    Field field = new Field("x", new FieldType(true, ArrowType.Utf8.INSTANCE, dictionary), null);
    try (VarCharVector values = strings("aa", "bbb", "c");
        TinyIntVector keys =
            new TinyIntVector("x", new FieldType(true, keyType, dictionary), allocator)) {
      keys.allocateNew(4);
      keys.set(0, 0);
      keys.setNull(1);
      keys.set(2, 2);
      keys.set(3, 1);
      keys.setValueCount(4);
      MapDictionaryProvider provider = new MapDictionaryProvider();
      provider.put(new Dictionary(values, dictionary));
      try (ArrayData data = ArrayDataVectors.of(keys, 4, "x", provider)) {
        write(field, data);
      }
    }
    String encoding =
        "3A30 0A0C 120A 0A08 0A06 0A04 0808 1200 121E 321C 0A0E 120C 0A0A 0A08 0A06 0840"
            + "1202 0801 1208 0A06 0808 1202 0802 1807 1804";
    assertPage(0, 4, encoding, hex("00030201"), longs(2, 5, 6, 13), utf8("aabbbc"));
  }

  @Test
  void structHeader() {
    Field field = SampleFields.struct("x", SampleFields.int32("a"));
    try (FieldVector vector = field.createVector(allocator)) {
      vector.setValueCount(2);
      write(vector);
    }
    assertPage(0, 2, "2A00");
    assertThat(written.columns()).hasSize(2);
  }

  @Test
  void packedStruct() {
    Field field =
        SampleFields.struct(
            "x", SampleFields.scalar("x", new ArrowType.Int(64, false)), SampleFields.int32("y"));
    byte[] rows = new byte[36];
    for (int i = 0; i < 3; i++) {
      System.arraycopy(longs(i + 1), 0, rows, i * 12, 8);
      System.arraycopy(ints(i + 5), 0, rows, i * 12 + 8, 4);
    }
    String encoding =
        "4A1E 0A0C 120A 0A08 0A06 0A04 0840 1200 0A0C 120A 0A08 0A06 0A04 0820 1200 1200";
    HandMadeFile file = new HandMadeFile().column().page(3, encoding, rows);
    assertThat(file.read(field, RowRanges.of(0, 3), allocator))
        .containsExactly("{\"x\":1,\"y\":5}", "{\"x\":2,\"y\":6}", "{\"x\":3,\"y\":7}");
    assertThat(file.read(field, RowRanges.ofSortedRows(new long[] {0, 2}), allocator))
        .containsExactly("{\"x\":1,\"y\":5}", "{\"x\":3,\"y\":7}");
  }

  @Test
  void packedStructsAreWritten() {
    Field x = SampleFields.scalar("x", new ArrowType.Int(64, false));
    FieldType type = new FieldType(true, ArrowType.Struct.INSTANCE, null, Map.of("packed", "true"));
    Field field = new Field("x", type, List.of(x, SampleFields.int32("y")));
    byte[] rows = new byte[36];
    try (StructVector struct = (StructVector) field.createVector(allocator)) {
      struct.allocateNew();
      for (int i = 0; i < 3; i++) {
        struct.getChild("x", UInt8Vector.class).setSafe(i, i + 1);
        struct.getChild("y", IntVector.class).setSafe(i, i + 5);
        struct.setIndexDefined(i);
        System.arraycopy(longs(i + 1), 0, rows, i * 12, 8);
        System.arraycopy(ints(i + 5), 0, rows, i * 12 + 8, 4);
      }
      struct.setValueCount(3);
      write(struct);
      struct.setNull(1);
      assertThatThrownBy(() -> write(struct)).isInstanceOf(InvalidInputException.class);
    }
    String encoding =
        "4A1E 0A0C 120A 0A08 0A06 0A04 0840 1200 0A0C 120A 0A08 0A06 0A04 0820 1200 1200";
    assertPage(0, 3, encoding, rows);
  }

  @Test
  void blobsAreWritten() {
    FieldType type =
        new FieldType(
            true, ArrowType.LargeBinary.INSTANCE, null, Map.of("lance-encoding:blob", "true"));
    try (LargeVarBinaryVector vector =
        (LargeVarBinaryVector) new Field("x", type, null).createVector(allocator)) {
      vector.allocateNew();
      vector.setSafe(0, utf8("hello"));
      vector.setNull(1);
      vector.setSafe(2, new byte[0]);
      vector.setSafe(3, utf8("world!!"));
      vector.setValueCount(4);
      write(vector);
      String encoding =
          "4A1E 0A0C 120A 0A08 0A06 0A04 0840 1200 0A0C 120A 0A08 0A06 0A04 0840 1200 1200";
      assertPage(0, 4, encoding, longs(0, 5, 1, 0, 0, 0, 64, 7));
      assertThat(written.read(vector.getField(), RowRanges.of(0, 4), allocator))
          .containsExactly("68656c6c6f", null, "", "776f726c642121");
    }
    assertThat(written.columns().get(0).metadata().getEncoding()).isEqualTo(Encodings.blobs());
  }

  @Test
  void blobs() {
    String encoding =
        "4A1E 0A0C 120A 0A08 0A06 0A04 0840 1200 0A0C 120A 0A08 0A06 0A04 0840 1200 1200";
    HandMadeFile file = new HandMadeFile().blobColumn();
    file.write(ByteBuffer.wrap(utf8("hello")));
    file.write(ByteBuffer.wrap(utf8("world!!")));
    file.page(4, encoding, longs(0, 5, 1, 0, 0, 0, 64, 7));
    Field bytes = SampleFields.scalar("b", ArrowType.LargeBinary.INSTANCE);
    assertThat(file.read(bytes, RowRanges.of(0, 4), allocator))
        .containsExactly("68656c6c6f", null, "", "776f726c642121");
    ArrowType.Int uint64 = new ArrowType.Int(64, false);
    Field descriptors =
        SampleFields.struct(
            "b", SampleFields.scalar("position", uint64), SampleFields.scalar("size", uint64));
    assertThat(file.read(descriptors, RowRanges.of(2, 4), allocator))
        .containsExactly("{\"position\":0,\"size\":0}", "{\"position\":64,\"size\":7}");
  }

  private void fill(IntVector vector, Integer... values) {
    vector.allocateNew(values.length);
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        vector.set(i, values[i]);
      }
    }
    vector.setValueCount(values.length);
  }

  private VarCharVector strings(String... values) {
    VarCharVector vector = new VarCharVector("x", allocator);
    vector.allocateNew(values.length);
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        vector.setSafe(i, utf8(values[i]));
      }
    }
    vector.setValueCount(values.length);
    return vector;
  }

  @SafeVarargs
  private ListVector intLists(List<Integer>... lists) {
    Field field = SampleFields.list("x", SampleFields.int32("item"));
    ListVector vector = (ListVector) field.createVector(allocator);
    vector.allocateNew();
    IntVector items = (IntVector) vector.getDataVector();
    for (int i = 0; i < lists.length; i++) {
      if (lists[i] == null) {
        vector.setNull(i);
        continue;
      }
      int start = vector.startNewValue(i);
      for (int k = 0; k < lists[i].size(); k++) {
        items.setSafe(start + k, lists[i].get(k));
      }
      vector.endValue(i, lists[i].size());
    }
    vector.setValueCount(lists.length);
    return vector;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void write(FieldVector vector) {
    try (ArrayData data = ArrayDataVectors.of(vector, vector.getValueCount(), "x", null)) {
      write(vector.getField(), data);
    }
  }

  private void write(Field field, ArrayData data) {
    try (FieldWriter writer = V20FieldWriters.create(field, allocator, written)) {
      writer.append(data);
      writer.finish();
      written.columns(writer.columns());
    }
  }

  /** Checks the only page of a column: encoding, and buffers one after the other. */
  private void assertPage(int column, long rows, String encoding, byte[]... buffers) {
    ColumnMetadata metadata = written.columns().get(column).metadata();
    assertThat(metadata.getPagesCount()).isEqualTo(1);
    ColumnMetadata.Page page = metadata.getPages(0);
    assertThat(page.getLength()).isEqualTo(rows);
    assertThat(PageArrays.encoding(written.columns().get(column).pages().get(0)).toByteArray())
        .isEqualTo(hex(encoding));
    assertThat(page.getBufferSizesCount()).isEqualTo(buffers.length);
    for (int i = 0; i < buffers.length; i++) {
      int from = Math.toIntExact(page.getBufferOffsets(i));
      int length = Math.toIntExact(page.getBufferSizes(i));
      assertThat(from % 64).isZero();
      assertThat(Arrays.copyOfRange(written.toBytes(), from, from + length)).isEqualTo(buffers[i]);
    }
  }
}
