package dev.lance4j.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PackedStructTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field(
                  "p",
                  new FieldType(
                      true,
                      ArrowType.Struct.INSTANCE,
                      null,
                      Map.of("lance-encoding:packed", "true")),
                  List.of(
                      Field.nullable("a", new ArrowType.Int(32, true)),
                      Field.nullable("b", new ArrowType.Int(64, true)),
                      Field.nullable("c", new ArrowType.Int(32, true))))));

  @ParameterizedTest
  @EnumSource(
      value = FileVersion.class,
      names = {"V2_0", "V2_1", "V2_2"})
  void givesTheChildrenAskedFor(FileVersion version) throws Exception {
    MemoryObjectStore store = new MemoryObjectStore();
    try (BufferAllocator allocator = new RootAllocator()) {
      write(store, version, allocator);
      try (LanceFileReader file = LanceFileReader.open(store, "f")) {
        List<String> rows = new ArrayList<>();
        try (ArrowReader reader = file.scan().select("p.c", "p.a").rows(2, 0).open(allocator)) {
          while (reader.loadNextBatch()) {
            StructVector p = (StructVector) reader.getVectorSchemaRoot().getVector("p");
            for (int i = 0; i < p.getValueCount(); i++) {
              rows.add(p.getObject(i).toString());
            }
          }
        }
        assertThat(rows).containsExactly("{\"c\":22,\"a\":2}", "{\"c\":20,\"a\":0}");
      }
    }
  }

  private static void write(
      MemoryObjectStore store, FileVersion version, BufferAllocator allocator) {
    LanceSchema schema = LanceSchema.fromArrow(SCHEMA);
    try (LanceFileWriter writer = LanceFileWriter.create(store, "f", schema, version, allocator);
        VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator)) {
      StructVector p = (StructVector) root.getVector("p");
      for (int i = 0; i < 3; i++) {
        p.setIndexDefined(i);
        ((IntVector) p.getChild("a")).setSafe(i, i);
        ((BigIntVector) p.getChild("b")).setSafe(i, 10 + i);
        ((IntVector) p.getChild("c")).setSafe(i, 20 + i);
      }
      root.setRowCount(3);
      writer.write(root);
      writer.finish();
    }
  }
}
