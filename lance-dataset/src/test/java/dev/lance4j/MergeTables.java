package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Rows written as text: {@code "1:10:a 2:-:b"} are two rows of the columns k, v and s, a dash being
 * null. All columns but {@code s} are 32-bit numbers.
 */
final class MergeTables {
  private MergeTables() {}

  static Field field(String name) {
    return Field.nullable(
        name, name.startsWith("s") ? ArrowType.Utf8.INSTANCE : new ArrowType.Int(32, true));
  }

  static Schema schema(String columns) {
    return new Schema(List.of(columns.split(",", -1)).stream().map(MergeTables::field).toList());
  }

  static VectorSchemaRoot rows(String columns, String text, BufferAllocator allocator) {
    return rows(schema(columns), text, allocator);
  }

  static VectorSchemaRoot rows(Schema schema, String text, BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    String[] rows = text.isEmpty() ? new String[0] : text.split(" ", -1);
    for (int row = 0; row < rows.length; row++) {
      String[] values = rows[row].split(":", -1);
      for (int i = 0; i < values.length; i++) {
        set(root.getVector(i), row, values[i]);
      }
    }
    for (FieldVector vector : root.getFieldVectors()) {
      vector.setValueCount(rows.length);
    }
    root.setRowCount(rows.length);
    return root;
  }

  private static void set(FieldVector vector, int row, String value) {
    if (value.equals("-")) {
      return;
    }
    if (vector instanceof IntVector numbers) {
      numbers.setSafe(row, Integer.parseInt(value));
    } else {
      ((VarCharVector) vector).setSafe(row, value.getBytes(UTF_8));
    }
  }

  /** All rows of a scan as text, in order; closes the reader. */
  static List<String> text(ArrowReader reader) {
    List<String> lines = new ArrayList<>();
    try (reader) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        for (int row = 0; row < root.getRowCount(); row++) {
          List<String> values = new ArrayList<>();
          for (FieldVector vector : root.getFieldVectors()) {
            values.add(vector.isNull(row) ? "-" : vector.getObject(row).toString());
          }
          lines.add(String.join(":", values));
        }
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
