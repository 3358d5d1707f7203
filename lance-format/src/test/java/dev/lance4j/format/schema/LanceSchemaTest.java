package dev.lance4j.format.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.UnsupportedFormatException;
import dev.lance4j.format.proto.file.Field;
import dev.lance4j.format.testing.SampleFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LanceSchemaTest {
  private static final ArrowType INT = new ArrowType.Int(32, true);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "halffloat",
        "float",
        "double",
        "decimal:128:10:2",
        "decimal:256:40:-3",
        "string",
        "large_string",
        "binary",
        "large_binary",
        "fixed_size_binary:3",
        "date32:day",
        "date64:ms",
        "time32:s",
        "time32:ms",
        "time64:us",
        "time64:ns",
        "timestamp:s:-",
        "timestamp:us:America/New_York",
        "duration:ns",
        "fixed_size_list:float:128",
        "fixed_size_list:lance.bfloat16:4",
        "fixed_size_list:fixed_size_list:int32:3:2",
        "fixed_size_list:timestamp:ms:UTC:2",
        "dict:string:int8:false",
        "dict:int64:uint16:false"
      })
  void keepsEachLogicalTypeThroughArrow(String logical) {
    LanceField field = new LanceField(7, "f", logical, true, Map.of(), null, List.of());
    LanceSchema schema = new LanceSchema(List.of(field), Map.of());
    LanceSchema back = LanceSchema.fromArrow(schema.toArrow());
    assertThat(back.fields().get(0).logicalType()).isEqualTo(logical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "int7",
        "fixed_size_list:float",
        "fixed_size_list:float:0",
        "fixed_size_list:float:x",
        "decimal:64:5:2",
        "decimal:128:40:2",
        "timestamp:us",
        "timestamp:us:+05:30",
        "dict:string:int8",
        "dict:string:float:false",
        "dict:list:int8:false",
        "fixed_size_list:list:2",
        "fixed_size_list:dict:string:int8:false:2",
        "fixed_size_binary:0",
        "fixed_size_binary:2147483647"
      })
  void refusesLogicalTypesThatMakeNoSense(String logical) {
    LanceField field = new LanceField(7, "f", logical, true, Map.of(), null, List.of());
    assertThatThrownBy(field::toArrow)
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessageContaining(logical);
  }

  @Test
  void readsTheOuterSizeOfNestedListsLast() {
    LanceField field =
        new LanceField(
            0, "f", "fixed_size_list:fixed_size_list:int32:3:2", true, Map.of(), null, List.of());
    assertThat(((ArrowType.FixedSizeList) field.toArrow().getType()).getListSize()).isEqualTo(2);
  }

  @Test
  void givesIdsParentsFirst() {
    LanceSchema schema = LanceSchema.fromArrow(nested());
    assertThat(schema.flatten())
        .extracting(LanceField::name)
        .containsExactly("id", "st", "a", "b", "tags", "item", "s");
    assertThat(schema.flatten()).extracting(LanceField::id).containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(schema.field("tags").logicalType()).isEqualTo("list.struct");
    assertThat(schema.maxFieldId()).isEqualTo(6);
  }

  @Test
  void survivesItsMessages() {
    LanceSchema schema = LanceSchema.fromArrow(nested());
    List<Field> messages = SchemaMessages.toMessages(schema);
    assertThat(messages).extracting(Field::getParentId).containsExactly(-1, -1, 1, 1, -1, 4, 5);
    assertThat(
            SchemaMessages.fromMessages(
                messages, SchemaMessages.toBytes(schema.metadata()), "file"))
        .isEqualTo(schema);
  }

  @Test
  void projectsNestedColumnsInTheOrderAsked() {
    LanceSchema schema = LanceSchema.fromArrow(nested());
    LanceSchema projected = schema.project(List.of("st.b", "id", "st.a"));
    assertThat(projected.flatten())
        .extracting(LanceField::name)
        .containsExactly("st", "b", "a", "id");
    assertThatThrownBy(() -> schema.project(List.of("st.zz")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("st.zz")
        .hasMessageContaining("st.a");
  }

  @Test
  void refusesWhatTheFormatCannotName() {
    refuses(field("a.b", INT), "a.b");
    refuses(field("iv", new ArrowType.Interval(IntervalUnit.DAY_TIME)), "iv");
    refuses(field("view", ArrowType.Utf8View.INSTANCE), "view");
    refuses(
        SampleFields.fixedSizeList("keys", 2, SampleFields.dictionary("item", 1, 8, true)), "keys");
    refuses(field("zone", new ArrowType.Timestamp(TimeUnit.SECOND, "+05:30")), "zone");
    assertThatThrownBy(
            () -> LanceSchema.fromArrow(new Schema(List.of(field("x", INT), field("x", INT)))))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("'x'");
  }

  private static void refuses(org.apache.arrow.vector.types.pojo.Field field, String name) {
    assertThatThrownBy(() -> LanceSchema.fromArrow(new Schema(List.of(field))))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("'" + name + "'");
  }

  @Test
  void reportsAFieldWhoseParentIsMissing() {
    Field orphan =
        Field.newBuilder().setName("o").setId(3).setParentId(2).setLogicalType("int32").build();
    assertThatThrownBy(() -> SchemaMessages.fromMessages(List.of(orphan), Map.of(), "the file"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("the file")
        .hasMessageContaining("'o'");
  }

  @ParameterizedTest
  @CsvSource({"false, false, false", "true, false, true", "false, true, true"})
  void reportsAMapWithoutKeysAndValues(
      boolean entriesNullable, boolean keyNullable, boolean hasValue) {
    List<Field> messages = new ArrayList<>();
    messages.add(message("m", 0, -1, "map", true));
    messages.add(message("entries", 1, 0, "struct", entriesNullable));
    messages.add(message("key", 2, 1, "string", keyNullable));
    if (hasValue) {
      messages.add(message("value", 3, 1, "int32", true));
    }
    assertThatThrownBy(() -> SchemaMessages.fromMessages(messages, Map.of(), "the file"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("the file")
        .hasMessageContaining("'m'");
  }

  @Test
  void reportsChildrenOfTheSameName() {
    List<Field> messages =
        List.of(
            message("st", 0, -1, "struct", true),
            message("a", 1, 0, "int32", true),
            message("a", 2, 0, "string", true));
    assertThatThrownBy(() -> SchemaMessages.fromMessages(messages, Map.of(), "the file"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("the file")
        .hasMessageContaining("'st'");
  }

  private static Field message(String name, int id, int parent, String type, boolean nullable) {
    return Field.newBuilder()
        .setName(name)
        .setId(id)
        .setParentId(parent)
        .setLogicalType(type)
        .setNullable(nullable)
        .build();
  }

  private static Schema nested() {
    return new Schema(
        List.of(
            field("id", INT),
            field("st", ArrowType.Struct.INSTANCE, field("a", INT), field("b", INT)),
            field(
                "tags",
                ArrowType.List.INSTANCE,
                field("item", ArrowType.Struct.INSTANCE, field("s", ArrowType.Utf8.INSTANCE)))),
        Map.of("key", "value"));
  }

  private static org.apache.arrow.vector.types.pojo.Field field(
      String name, ArrowType type, org.apache.arrow.vector.types.pojo.Field... children) {
    return new org.apache.arrow.vector.types.pojo.Field(
        name, FieldType.nullable(type), Arrays.asList(children));
  }
}
