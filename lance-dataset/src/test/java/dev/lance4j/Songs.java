package dev.lance4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.Text;

/** Small tables of consecutive numbers {@code k} and the text {@code s} made of them. */
final class Songs {
  static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("k", new ArrowType.Int(64, true)),
              Field.nullable("s", ArrowType.Utf8.INSTANCE)));

  private Songs() {}

  /** Rows with {@code k} from {@code start} (inclusive) to {@code end} (exclusive). */
  static VectorSchemaRoot rows(int start, int end, BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    for (int k = start; k < end; k++) {
      ((BigIntVector) root.getVector("k")).setSafe(k - start, k);
      ((VarCharVector) root.getVector("s")).setSafe(k - start, ("song " + k).getBytes(UTF_8));
    }
    root.setRowCount(end - start);
    return root;
  }

  /** A table of consecutive rows in fragments of the given size. */
  static Dataset create(String uri, int rows, int rowsPerFile, BufferAllocator allocator) {
    try (VectorSchemaRoot root = rows(0, rows, allocator)) {
      return Dataset.write(uri).allocator(allocator).maxRowsPerFile(rowsPerFile).from(root);
    }
  }

  /** The values of a column of all batches; closes the reader. */
  static List<Object> column(ArrowReader reader, String name) throws Exception {
    List<Object> values = new ArrayList<>();
    try (reader) {
      while (reader.loadNextBatch()) {
        FieldVector vector = reader.getVectorSchemaRoot().getVector(name);
        for (int i = 0; i < reader.getVectorSchemaRoot().getRowCount(); i++) {
          Object value = vector.getObject(i);
          values.add(value instanceof Text ? value.toString() : value);
        }
      }
    }
    return values;
  }

  /** The rows of all batches; closes the reader. */
  static long count(ArrowReader reader) throws Exception {
    long rows = 0;
    try (reader) {
      while (reader.loadNextBatch()) {
        rows += reader.getVectorSchemaRoot().getRowCount();
      }
    }
    return rows;
  }
}
