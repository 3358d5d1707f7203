package dev.lance4j.format.internal.v21.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.testing.SampleFields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arrays and schemas that cannot be stored are refused by name before anything is written. */
class FaultyInputTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final TestArrays arrays = new TestArrays(allocator);

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  private List<WrittenColumn> write(Field field, ArrayData batch) {
    return WrittenColumn.write(allocator, field, FileVersion.V2_1, batch);
  }

  private static Field notNull(String name, ArrowType type, Field... children) {
    return new Field(name, FieldType.notNullable(type), List.of(children));
  }

  private static final ArrowType INT = new ArrowType.Int(32, true);

  private static boolean all(int row) {
    return row >= 0;
  }

  @Test
  void nullsInAFieldThatForbidsThem() {
    assertThatThrownBy(() -> write(notNull("x", INT), arrays.ints(1, null)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "The field `x` contained null values even though the field is marked non-null in the"
                + " schema");
  }

  @Test
  void nullsInAChildThatForbidsThem() {
    Field field = SampleFields.struct("p", notNull("a", INT));
    assertThatThrownBy(() -> write(field, arrays.structs(2, i -> i != 0, arrays.ints(null, null))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("`p.a`");
  }

  @Test
  void nullItemsOfFixedSizeListsThatForbidThem() {
    Field field = SampleFields.fixedSizeList("v", 2, notNull("item", INT));
    assertThatThrownBy(
            () -> write(field, arrays.fixedLists(1, FaultyInputTest::all, arrays.ints(1, null))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("`v.item`");
  }

  @Test
  void nullsUnderNullsAreNoFault() {
    Field struct = SampleFields.struct("p", notNull("a", INT));
    write(struct, arrays.structs(2, i -> i != 0, arrays.ints(null, 5)));
    Field list = SampleFields.list("l", notNull("item", INT));
    write(list, arrays.lists(i -> i != 0, new int[] {0, 1, 2}, arrays.ints(null, 5)));
    Field vector = SampleFields.fixedSizeList("v", 1, notNull("item", INT));
    write(vector, arrays.fixedLists(2, i -> i != 0, arrays.ints(null, 5)));
  }

  @Test
  void aChildShorterThanItsStruct() {
    Field field = SampleFields.struct("p", SampleFields.utf8("city"));
    assertThatThrownBy(
            () -> write(field, arrays.structs(3, i -> i != 1, arrays.strings("Lyon", "Oslo"))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'p.city'")
        .hasMessageContaining("2 values where its parent needs 3");
  }

  @Test
  void itemsFewerThanFixedSizeListsNeed() {
    Field field = SampleFields.fixedSizeList("v", 2, SampleFields.int32("item"));
    assertThatThrownBy(
            () -> write(field, arrays.fixedLists(2, FaultyInputTest::all, arrays.ints(1, 2, 3))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'v.item'");
  }

  @ParameterizedTest
  @CsvSource({"0, 2, 1, descending", "0, 1, 9, only 3", "-1, 1, 2, negative"})
  void offsetsThatPointNowhere(int first, int second, int third, String complaint) {
    Field field = SampleFields.list("l", SampleFields.int32("item"));
    int[] offsets = {first, second, third};
    assertThatThrownBy(
            () -> write(field, arrays.lists(FaultyInputTest::all, offsets, arrays.ints(1, 2, 3))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'l'")
        .hasMessageContaining(complaint);
  }

  private static Field dictionary(String name) {
    DictionaryEncoding keys = new DictionaryEncoding(1, false, new ArrowType.Int(8, true));
    return new Field(name, new FieldType(true, ArrowType.Utf8.INSTANCE, keys), List.of());
  }

  @Test
  void keysOutsideTheDictionary() {
    assertThatThrownBy(
            () -> write(dictionary("d"), arrays.keys(arrays.strings("red", "blue"), 0, 2)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'d'")
        .hasMessageContaining("key 2");
  }

  @Test
  void dataOfAnotherShape() {
    assertThatThrownBy(() -> write(SampleFields.utf8("s"), arrays.ints(1)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'s'");
  }

  @Test
  void typesThatNeedVersion22() {
    Field map = SampleFields.map("m", SampleFields.utf8("key"), SampleFields.int32("value"));
    Field elements =
        SampleFields.fixedSizeList("f", 2, SampleFields.struct("item", SampleFields.int32("a")));
    Field packed =
        new Field(
            "p",
            new FieldType(
                true, ArrowType.Struct.INSTANCE, null, Map.of("lance-encoding:packed", "true")),
            List.of(SampleFields.utf8("s")));
    for (Field field : List.of(map, elements, packed)) {
      Field nested = SampleFields.struct("outer", field);
      assertThatThrownBy(() -> new FieldTree(nested, FileVersion.V2_1))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("'outer." + field.getName() + "'")
          .hasMessageContaining("2.2");
      assertThat(new FieldTree(nested, FileVersion.V2_2).leaves()).isNotEmpty();
    }
  }

  @Test
  void typesThatTheFormatDoesNotHave() {
    List<Field> fields =
        List.of(
            SampleFields.scalar("x", new ArrowType.Interval(IntervalUnit.DAY_TIME)),
            SampleFields.scalar("x", ArrowType.Utf8View.INSTANCE),
            SampleFields.fixedSizeList("x", 2, SampleFields.utf8("item")),
            SampleFields.fixedSizeList(
                "x", 2, SampleFields.list("item", SampleFields.int32("item"))),
            SampleFields.list("x", SampleFields.struct("item")));
    for (Field field : fields) {
      assertThatThrownBy(() -> new FieldTree(field, FileVersion.V2_2))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("'x");
    }
  }

  @Test
  void nullStructsWithoutChildren() {
    assertThatThrownBy(() -> write(SampleFields.struct("e"), arrays.structs(2, i -> i != 0)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'e'");
  }

  @ParameterizedTest
  @CsvSource({
    "compression, brotli",
    "compression-level, high",
    "structural-encoding, diagonal",
    "rle-threshold, 2",
    "bss, maybe",
    "dict-divisor, 0",
    "dict-size-ratio, -1",
    "dict-values-compression, fsst",
    "minichunk-size, none"
  })
  void metadataThatMeansNothing(String key, String value) {
    Field field =
        new Field(
            "x", new FieldType(true, INT, null, Map.of("lance-encoding:" + key, value)), null);
    assertThatThrownBy(() -> write(field, arrays.ints(1)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'x'")
        .hasMessageContaining(key)
        .hasMessageContaining(value);
  }

  @Test
  void nothingUnderNullsReachesTheFile() {
    ArrayData secrets = arrays.stringsOver(i -> i != 0, "secret-1", "a");
    assertNoSecrets(write(SampleFields.utf8("s"), secrets));
    Field struct = SampleFields.struct("p", SampleFields.utf8("s"));
    assertNoSecrets(write(struct, arrays.structs(2, i -> i != 0, arrays.strings("secret-2", "b"))));
    Field list = SampleFields.list("l", SampleFields.utf8("item"));
    assertNoSecrets(
        write(
            list, arrays.lists(i -> i != 0, new int[] {0, 1, 2}, arrays.strings("secret-3", "c"))));
    Field structOfList = SampleFields.struct("p", list);
    assertNoSecrets(
        write(
            structOfList,
            arrays.structs(
                2,
                i -> i != 0,
                arrays.lists(
                    FaultyInputTest::all, new int[] {0, 1, 2}, arrays.strings("secret-4", "d")))));
  }

  private static void assertNoSecrets(List<WrittenColumn> columns) {
    for (byte[] buffer : columns.get(0).page().buffers()) {
      assertThat(new String(buffer, StandardCharsets.ISO_8859_1)).doesNotContain("secret");
    }
  }

  @Test
  void aRowThatNoPageCanHold() {
    // 7.0.0 takes the null list for a visible value in a full-zip page; chunks are too small.
    Field item = SampleFields.struct("item", SampleFields.list("l", SampleFields.utf8("item")));
    Field field = SampleFields.list("big", item);
    StringBuilder noise = new StringBuilder();
    new SplittableRandom(7).ints(80_000, ' ', '~').forEach(noise::appendCodePoint);
    String large = noise.toString();
    ArrayData lists =
        arrays.lists(i -> i != 1, new int[] {0, 0, 0, 2}, arrays.strings(large, large));
    ArrayData row =
        arrays.lists(FaultyInputTest::all, new int[] {0, 3}, arrays.structs(3, i -> i != 0, lists));
    assertThatThrownBy(() -> write(field, row))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("Row 0 of field 'big.item.l.item'");
  }
}
