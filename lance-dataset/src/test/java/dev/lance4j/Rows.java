package dev.lance4j;

import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.format.testing.Tables;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.util.Text;

/** Rows as Java objects: a map from column to value for each. Bytes are hexadecimal text. */
final class Rows {
  private Rows() {}

  /** All rows of a reader, which is closed. */
  static List<Map<String, Object>> drain(ArrowReader reader, BufferAllocator allocator) {
    try (ArrowTable table = Tables.drain(reader, allocator)) {
      return of(table.root());
    }
  }

  /** All rows of a table without dictionaries. */
  static List<Map<String, Object>> of(VectorSchemaRoot table) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int row = 0; row < table.getRowCount(); row++) {
      Map<String, Object> values = new LinkedHashMap<>();
      for (FieldVector vector : table.getFieldVectors()) {
        values.put(vector.getName(), value(vector, row));
      }
      rows.add(values);
    }
    return rows;
  }

  private static Object value(FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return null;
    }
    if (vector instanceof StructVector struct) {
      Map<String, Object> fields = new LinkedHashMap<>();
      for (FieldVector child : struct.getChildrenFromFields()) {
        fields.put(child.getName(), value(child, row));
      }
      return fields;
    }
    return plain(vector.getObject(row));
  }

  private static Object plain(Object value) {
    if (value instanceof Text) {
      return value.toString();
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof List<?> list) {
      List<Object> items = new ArrayList<>();
      list.forEach(item -> items.add(plain(item)));
      return items;
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> fields = new LinkedHashMap<>();
      map.forEach((name, field) -> fields.put(name.toString(), plain(field)));
      return fields;
    }
    return value;
  }
}
