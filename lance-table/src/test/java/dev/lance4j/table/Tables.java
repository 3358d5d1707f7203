package dev.lance4j.table;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.store.MemoryObjectStore;
import dev.lance4j.format.store.ObjectStore;
import dev.lance4j.format.store.StoreLocation;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Tables for tests. */
final class Tables {
  static final LanceSchema SCHEMA =
      LanceSchema.fromArrow(
          new Schema(
              List.of(
                  Field.nullable("id", new ArrowType.Int(64, true)),
                  Field.nullable("x", new ArrowType.Int(32, true)))));

  private Tables() {}

  static Table inMemory() {
    return in(new MemoryObjectStore());
  }

  static Table in(ObjectStore store) {
    return Table.at(new StoreLocation(store, "tables/songs.lance", "memory://tables/songs.lance"));
  }

  static void put(Table table, String name, ByteBuffer content) {
    table.store().put(table.path() + "/_versions/" + name, content);
  }

  /** A fragment of two columns in a file that does not exist. */
  static FragmentMetadata fragment(String file, long rows) {
    return FragmentMetadata.of(
        List.of(DataFile.of(file, List.of(0, 1), List.of(0, 1), FileVersion.V2_1, 1000)), rows);
  }
}
