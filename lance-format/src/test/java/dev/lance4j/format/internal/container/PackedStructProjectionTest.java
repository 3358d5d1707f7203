package dev.lance4j.format.internal.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.FileScan;
import dev.lance4j.format.LanceFileReader;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.Tables;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** A file of the real library with the packed struct {@code s} of an int32 and a double. */
class PackedStructProjectionTest {
  private static LanceFileReader open() throws URISyntaxException {
    Path file =
        Path.of(PackedStructProjectionTest.class.getResource("/mutation/2.1-packed.lance").toURI());
    return LanceFileReader.open(file.toString());
  }

  private static LanceSchema withTypeOfB(LanceSchema schema, String type) {
    LanceField b = schema.field("s").child("b");
    LanceField other =
        new LanceField(
            b.id(), b.name(), type, b.nullable(), b.metadata(), b.dictionary(), b.children());
    return new LanceSchema(List.of(schema.field("s").withChildren(List.of(other))), Map.of());
  }

  @Test
  void readsOneOfTheChildren() throws URISyntaxException {
    try (BufferAllocator allocator = new RootAllocator();
        LanceFileReader reader = open();
        ArrowTable all = Tables.drain(reader.scan().open(allocator), allocator);
        ArrowTable some =
            Tables.drain(
                reader.scan().select(withTypeOfB(reader.schema(), "double")).open(allocator),
                allocator)) {
      assertThat(some.rowCount()).isEqualTo(130);
      for (int i = 0; i < 130; i++) {
        assertThat(some.column("s").getChildrenFromFields().get(0).getObject(i))
            .isEqualTo(all.column("s").getChildrenFromFields().get(1).getObject(i));
      }
    }
  }

  @Test
  void refusesAChildOfAnotherType() throws URISyntaxException {
    try (BufferAllocator allocator = new RootAllocator();
        LanceFileReader reader = open()) {
      FileScan scan = reader.scan().select(withTypeOfB(reader.schema(), "int32"));
      assertThatThrownBy(() -> scan.open(allocator))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("s.b")
          .hasMessageContaining("double");
    }
  }
}
