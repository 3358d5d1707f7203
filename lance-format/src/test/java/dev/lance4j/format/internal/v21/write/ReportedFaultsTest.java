package dev.lance4j.format.internal.v21.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.internal.container.FileAssembler;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.PageLimits;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.format.testing.Tables;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Data that users of the format reported to be stored or read wrongly. */
class ReportedFaultsTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final TestArrays arrays = new TestArrays(allocator);

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private static boolean all(int row) {
    return row >= 0;
  }

  /** Writes batches, closing them, and returns the rows that come back as text. */
  private List<String> rows(Field field, FileVersion version, ArrayData... batches) {
    MemoryObjectStore store = new MemoryObjectStore();
    LanceSchema schema = LanceSchema.fromArrow(new Schema(List.of(field)));
    try (FileAssembler file =
        new FileAssembler(store, "f", schema, version, allocator, PageLimits.DEFAULT)) {
      for (ArrayData batch : batches) {
        file.append(List.of(batch), batch.length());
      }
      file.finish();
    } finally {
      for (ArrayData batch : batches) {
        batch.close();
      }
    }
    List<String> rows = new ArrayList<>();
    try (LanceFileReader reader = LanceFileReader.open(store, "f");
        ArrowTable table = Tables.drain(reader.scan().open(allocator), allocator)) {
      FieldVector vector = table.root().getVector(0);
      for (int i = 0; i < table.rowCount(); i++) {
        Object value = vector.getObject(i);
        rows.add(
            value instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : String.valueOf(value));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_1", "V2_2"})
  void nullStructsInListsAreNotEmptyListsNorStructsOfNulls(FileVersion version) {
    Field tag = SampleFields.utf8("tag");
    Field field = SampleFields.list("l", SampleFields.struct("item", tag));
    ArrayData tags = arrays.strings("a", null, "b", null, null);
    ArrayData structs = arrays.structs(5, i -> i != 1 && i != 3, tags);
    ArrayData lists = arrays.lists(i -> i != 1, new int[] {0, 3, 3, 3, 4, 5}, structs);
    assertThat(rows(field, version, lists))
        .containsExactly("[{\"tag\":\"a\"},null,{\"tag\":\"b\"}]", "null", "[]", "[null]", "[{}]");
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_1", "V2_2"})
  void whatLiesUnderANullStructIsNull(FileVersion version) {
    Field field = SampleFields.struct("p", SampleFields.int32("a"), SampleFields.int32("b"));
    ArrayData structs =
        arrays.structs(3, i -> i != 1, arrays.ints(10, 99, 30), arrays.ints(11, 98, 31));
    assertThat(rows(field, version, structs))
        .containsExactly("{\"a\":10,\"b\":11}", "null", "{\"a\":30,\"b\":31}");
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_1", "V2_2"})
  void nullVectorsDoNotShiftWhatFollows(FileVersion version) {
    Field vector = SampleFields.fixedSizeList("v", 2, SampleFields.int32("item"));
    assertThat(rows(vector, version, threeVectors())).containsExactly("[1,2]", "null", "[3,4]");
    assertThat(
            rows(
                SampleFields.struct("s", vector),
                version,
                arrays.structs(3, i -> i != 0, threeVectors())))
        .containsExactly("null", "{}", "{\"v\":[3,4]}");
    assertThat(
            rows(
                SampleFields.list("l", vector),
                version,
                arrays.lists(ReportedFaultsTest::all, new int[] {0, 3}, threeVectors())))
        .containsExactly("[[1,2],null,[3,4]]");
  }

  private ArrayData threeVectors() {
    return arrays.fixedLists(3, i -> i != 1, arrays.ints(1, 2, 7, 8, 3, 4));
  }

  private static Field dictionary(int keyBits) {
    DictionaryEncoding keys = new DictionaryEncoding(1, false, new ArrowType.Int(keyBits, true));
    return new Field("d", new FieldType(true, ArrowType.Utf8.INSTANCE, keys), List.of());
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_1", "V2_2"})
  void batchesMayHaveOtherDictionariesOrEmptyOnes(FileVersion version) {
    assertThat(
            rows(
                dictionary(8),
                version,
                arrays.keys(arrays.strings("red", "blue"), 0, 1),
                arrays.keys(arrays.strings(), null, null, null),
                arrays.keys(arrays.strings("red", "blue", "black"), 2),
                arrays.keys(arrays.strings("green"), 0, null, 0)))
        .containsExactly("red", "blue", "null", "null", "null", "black", "green", "null", "green");
  }

  /** The first page has 100 values and the second 50 of them, which 8-bit keys cannot number. */
  @ParameterizedTest
  @EnumSource(names = {"V2_1", "V2_2"})
  void keysAreNumberedAnewWhenPagesTogetherHaveTooManyValues(FileVersion version) {
    List<String> expected = new ArrayList<>(names(0, 100));
    expected.add("null");
    expected.addAll(names(50, 100));
    ArrayData first = arrays.keys(strings(names(0, 100)), keys(0, 100));
    ArrayData none = arrays.keys(strings(names(0, 1)), (Integer) null);
    ArrayData second = arrays.keys(strings(names(50, 150)), keys(0, 50));
    assertThat(rows(dictionary(8), version, first, none, second)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_1", "V2_2"})
  void moreValuesThanKeysInOneBatchAreRefused(FileVersion version) {
    ArrayData first = arrays.keys(strings(names(0, 100)), keys(0, 100));
    ArrayData second = arrays.keys(strings(names(50, 150)), keys(0, 100));
    assertThatThrownBy(() -> rows(dictionary(8), version, first, second))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining("8-bit keys");
  }

  private ArrayData strings(List<String> values) {
    return arrays.strings(values.toArray(String[]::new));
  }

  private static List<String> names(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "name " + i).toList();
  }

  private static Integer[] keys(int from, int to) {
    return IntStream.range(from, to).boxed().toArray(Integer[]::new);
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_1", "V2_2"})
  void keysOfNullValuesAreNull(FileVersion version) {
    assertThat(rows(dictionary(8), version, arrays.keys(arrays.strings("a", null), 1, 0, null)))
        .containsExactly("null", "a", "null");
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_1", "V2_2"})
  void nullTypedItemsAreNull(FileVersion version) {
    Field field = SampleFields.list("l", SampleFields.scalar("item", ArrowType.Null.INSTANCE));
    ArrayData lists = arrays.lists(ReportedFaultsTest::all, new int[] {0, 2, 2}, arrays.nulls(2));
    assertThat(rows(field, version, lists)).containsExactly("[null,null]", "[]");
  }

  @ParameterizedTest
  @EnumSource(names = {"V2_1", "V2_2"})
  void emptyBlobsAreNotNullAndDoNotShiftTheNext(FileVersion version) {
    Field field =
        new Field(
            "b",
            new FieldType(
                true, ArrowType.LargeBinary.INSTANCE, null, Map.of("lance-encoding:blob", "true")),
            List.of());
    assertThat(rows(field, version, arrays.largeStrings("B0", null, "", "B3", "")))
        .containsExactly("B0", "null", "", "B3", "");
  }
}
