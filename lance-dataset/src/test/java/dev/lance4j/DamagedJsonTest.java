package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.testing.Tables;
import java.nio.file.Path;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns of JSON whose stored bytes are not the binary form of JSON. */
class DamagedJsonTest {
  private final BufferAllocator allocator = new RootAllocator();

  @TempDir private Path folder;

  @AfterEach
  void nothingIsLeaked() {
    allocator.close();
  }

  private Dataset write(Map<String, String> metadata) {
    Field field =
        new Field("j", new FieldType(true, ArrowType.LargeBinary.INSTANCE, null, metadata), null);
    LargeVarBinaryVector values = new LargeVarBinaryVector(field, allocator);
    try (VectorSchemaRoot root = VectorSchemaRoot.of(values)) {
      values.setSafe(0, "{\"text\": 1}".getBytes(UTF_8));
      root.setRowCount(1);
      return Dataset.write(folder.resolve("j.lance").toString()).allocator(allocator).from(root);
    }
  }

  @Test
  void aScanNamesTheFileAndTheColumn() {
    try (Dataset dataset = write(Map.of("ARROW:extension:name", "lance.json"))) {
      assertThatThrownBy(() -> Tables.drain(dataset.scan().open(), allocator))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("/data/")
          .hasMessageContaining("'j'");
      assertThatThrownBy(() -> Tables.drain(dataset.take(new long[] {0}), allocator))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("/data/");
    }
  }

  @Test
  void aConditionNamesTheFileAndTheColumn() {
    try (Dataset dataset = write(Map.of("ARROW:extension:name", "lance.json"))) {
      String condition = "json_get_int(j, 'text') = 1";
      assertThatThrownBy(() -> dataset.countRows(condition))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("/data/")
          .hasMessageContaining("'j'");
      assertThatThrownBy(() -> Tables.drain(dataset.scan().where(condition).open(), allocator))
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void otherBinaryValuesAreNotDamagedForBeingNoJson() {
    try (Dataset dataset = write(Map.of())) {
      assertThat(dataset.countRows("j IS NOT NULL")).isEqualTo(1);
      assertThatThrownBy(() -> dataset.countRows("json_get_int(j, 'text') = 1"))
          .isInstanceOf(InvalidInputException.class);
    }
  }
}
