package dev.lance4j.format.testing;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Joins rows of batches into one table without dictionaries. Its schema is the first batch's,
 * decoded.
 */
public final class TableBuilder implements AutoCloseable {
  private final BufferAllocator allocator;
  private VectorSchemaRoot built;
  private int rows;

  public TableBuilder(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** Adds all rows of a batch, which stays the caller's. */
  public TableBuilder append(VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    return append(batch, dictionaries, 0, batch.getRowCount());
  }

  /** Adds rows {@code from} to {@code to - 1} of a batch. */
  public TableBuilder append(
      VectorSchemaRoot batch, DictionaryProvider dictionaries, int from, int to) {
    int[] picked = new int[to - from];
    for (int i = 0; i < picked.length; i++) {
      picked[i] = from + i;
    }
    return append(batch, dictionaries, picked);
  }

  /** Adds the rows of a batch at the positions given, in that order, repeated if asked twice. */
  public TableBuilder append(
      VectorSchemaRoot batch, DictionaryProvider dictionaries, int[] positions) {
    ValueCopier copier = new ValueCopier(dictionaries);
    if (built == null) {
      built = newRoot(batch.getSchema(), copier);
    }
    for (int column = 0; column < batch.getFieldVectors().size(); column++) {
      FieldVector from = batch.getVector(column);
      FieldVector to = built.getVector(column);
      for (int i = 0; i < positions.length; i++) {
        copier.copy(from, positions[i], to, rows + i);
      }
    }
    rows += positions.length;
    return this;
  }

  private VectorSchemaRoot newRoot(Schema schema, ValueCopier copier) {
    List<Field> fields = new ArrayList<>();
    for (Field field : schema.getFields()) {
      fields.add(copier.decodedField(field));
    }
    VectorSchemaRoot root =
        VectorSchemaRoot.create(new Schema(fields, schema.getCustomMetadata()), allocator);
    root.allocateNew();
    return root;
  }

  /** The table, which is the caller's; at least one batch must have been added. */
  public ArrowTable build() {
    built.setRowCount(rows);
    ArrowTable table = ArrowTable.of(built);
    built = null;
    return table;
  }

  @Override
  public void close() {
    if (built != null) {
      built.close();
    }
  }
}
