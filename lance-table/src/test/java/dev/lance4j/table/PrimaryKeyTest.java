package dev.lance4j.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

class PrimaryKeyTest {
  private static final String DECLARED = "lance-schema:unenforced-primary-key";
  private static final String POSITION = DECLARED + ":position";

  @SafeVarargs
  private static List<String> keyOf(Map<String, String>... metadataOfFields) {
    List<Field> fields = new ArrayList<>();
    for (Map<String, String> metadata : metadataOfFields) {
      FieldType type = new FieldType(false, new ArrowType.Int(32, true), null, metadata);
      fields.add(new Field("f" + fields.size(), type, null));
    }
    LanceSchema schema = LanceSchema.fromArrow(new Schema(fields));
    return PrimaryKey.of(schema).stream().map(LanceField::name).toList();
  }

  @Test
  void fieldsWithPositionsComeInTheirOrderAndThenTheOthersInThatOfTheSchema() {
    assertThat(
            keyOf(
                Map.of(DECLARED, "true"),
                Map.of(POSITION, "2"),
                Map.of(),
                Map.of(DECLARED, "yes", POSITION, "1"),
                Map.of(DECLARED, "1")))
        .containsExactly("f3", "f1", "f0", "f4");
  }

  @Test
  void whatIsNoDeclarationIsIgnored() {
    assertThat(keyOf(Map.of(DECLARED, "false"), Map.of(POSITION, "0"), Map.of(POSITION, "first")))
        .isEmpty();
  }
}
