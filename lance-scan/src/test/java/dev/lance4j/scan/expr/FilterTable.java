package dev.lance4j.scan.expr;

import dev.lance4j.format.internal.json.Jsonb;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.SeekableReadChannel;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.apache.arrow.vector.util.TransferPair;

/**
 * The table of the filter cases as a scan sees it: fragments of 10, 10 and 4 rows, JSON as JSONB,
 * and the virtual columns.
 */
final class FilterTable implements AutoCloseable {
  private static final int[] FRAGMENT_ROWS = {10, 10, 4};
  private static final List<String> VIRTUAL =
      List.of(
          "_rowid",
          "_rowaddr",
          "_rowoffset",
          "_row_created_at_version",
          "_row_last_updated_at_version");

  private final BufferAllocator allocator = new RootAllocator();
  private final ArrowFileReader reader;
  private final List<VectorSchemaRoot> fragments = new ArrayList<>();
  private final Schema schema;

  private FilterTable(byte[] file) throws IOException {
    reader =
        new ArrowFileReader(
            new SeekableReadChannel(new ByteArrayReadableSeekableByteChannel(file)), allocator);
    reader.loadNextBatch();
    schema = schema(reader.getVectorSchemaRoot().getSchema());
    int first = 0;
    for (int fragment = 0; fragment < FRAGMENT_ROWS.length; fragment++) {
      fragments.add(fragment(fragment, first, FRAGMENT_ROWS[fragment]));
      first += FRAGMENT_ROWS[fragment];
    }
  }

  static FilterTable open() throws IOException {
    try (InputStream in = FilterTable.class.getResourceAsStream("filter-table.arrow")) {
      return new FilterTable(in.readAllBytes());
    }
  }

  private Schema schema(Schema stored) throws IOException {
    List<Field> fields = new ArrayList<>();
    for (Field field : stored.getFields()) {
      if (field.getDictionary() != null) {
        Dictionary dictionary = reader.lookup(field.getDictionary().getId());
        fields.add(
            new Field(
                field.getName(),
                new FieldType(true, dictionary.getVectorType(), field.getDictionary()),
                null));
      } else if (field.getName().equals("js")) {
        fields.add(json());
      } else {
        fields.add(field);
      }
    }
    VIRTUAL.forEach(name -> fields.add(Field.nullable(name, new ArrowType.Int(64, false))));
    return new Schema(fields);
  }

  private static Field json() {
    return new Field(
        "js",
        new FieldType(
            true,
            ArrowType.LargeBinary.INSTANCE,
            null,
            Map.of("ARROW:extension:name", "lance.json")),
        null);
  }

  private VectorSchemaRoot fragment(int number, int first, int rows) throws IOException {
    List<FieldVector> vectors = new ArrayList<>();
    for (FieldVector vector : reader.getVectorSchemaRoot().getFieldVectors()) {
      TransferPair transfer = vector.getTransferPair(allocator);
      transfer.splitAndTransfer(first, rows);
      FieldVector slice = (FieldVector) transfer.getTo();
      vectors.add(vector.getName().equals("js") ? jsonb(slice) : slice);
    }
    for (String name : VIRTUAL) {
      vectors.add(virtual(name, number, first, rows));
    }
    VectorSchemaRoot root = new VectorSchemaRoot(vectors);
    root.setRowCount(rows);
    return root;
  }

  private FieldVector jsonb(FieldVector texts) {
    LargeVarBinaryVector vector = new LargeVarBinaryVector("js", allocator);
    for (int i = 0; i < texts.getValueCount(); i++) {
      if (!texts.isNull(i)) {
        vector.setSafe(i, Jsonb.encode(texts.getObject(i).toString()));
      }
    }
    vector.setValueCount(texts.getValueCount());
    texts.close();
    return vector;
  }

  private FieldVector virtual(String name, int fragment, int first, int rows) {
    UInt8Vector vector = new UInt8Vector(name, allocator);
    for (int i = 0; i < rows; i++) {
      long value =
          switch (name) {
            case "_rowid", "_rowaddr" -> ((long) fragment << 32) + i;
            case "_rowoffset" -> first + i;
            default -> 1;
          };
      vector.setSafe(i, value);
    }
    vector.setValueCount(rows);
    return vector;
  }

  Schema schema() {
    return schema;
  }

  BufferAllocator allocator() {
    return allocator;
  }

  List<VectorSchemaRoot> fragments() {
    return fragments;
  }

  /** The ids of the rows that pass a filter. */
  List<Integer> select(String filter) {
    return select(RowFilter.of(filter, schema));
  }

  List<Integer> select(RowFilter filter) {
    List<Integer> ids = new ArrayList<>();
    for (VectorSchemaRoot fragment : fragments) {
      for (int row : filter.select(fragment, reader)) {
        ids.add((Integer) fragment.getVector("id").getObject(row));
      }
    }
    return ids;
  }

  /** The values of an expression for all rows, as Arrow's Java objects. */
  List<Object> project(String expression) {
    BoundExpression bound = BoundExpression.bind(Expression.parse(expression), schema);
    List<Object> values = new ArrayList<>();
    for (VectorSchemaRoot fragment : fragments) {
      try (FieldVector vector = bound.evaluate("value", fragment, reader, allocator)) {
        for (int i = 0; i < vector.getValueCount(); i++) {
          values.add(vector.getObject(i));
        }
      }
    }
    return values;
  }

  @Override
  public void close() throws IOException {
    fragments.forEach(VectorSchemaRoot::close);
    reader.close();
    allocator.close();
  }
}
