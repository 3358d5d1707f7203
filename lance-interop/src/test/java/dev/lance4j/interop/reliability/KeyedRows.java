package dev.lance4j.interop.reliability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows of keys {@code k} and values {@code v}. */
final class KeyedRows {
  private static final ArrowType LONG = new ArrowType.Int(64, true);

  static final Schema SCHEMA =
      new Schema(List.of(Field.nullable("k", LONG), Field.nullable("v", LONG)));

  private KeyedRows() {}

  /** Rows in a batch, which the caller closes. */
  static VectorSchemaRoot batch(SortedMap<Long, Long> rows, BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    BigIntVector keys = (BigIntVector) root.getVector("k");
    BigIntVector values = (BigIntVector) root.getVector("v");
    int row = 0;
    for (Map.Entry<Long, Long> entry : rows.entrySet()) {
      keys.setSafe(row, entry.getKey());
      values.setSafe(row++, entry.getValue());
    }
    root.setRowCount(row);
    return root;
  }

  /** The condition that a row has one of the keys. */
  static String oneOf(Iterable<Long> keys) {
    List<String> texts = new ArrayList<>();
    keys.forEach(key -> texts.add(Long.toString(key)));
    return texts.stream().collect(Collectors.joining(", ", "k IN (", ")"));
  }

  /** Adds the rows of a batch as texts {@code key=value}, so that a doubled one is seen. */
  static void addTexts(VectorSchemaRoot batch, List<String> texts) {
    BigIntVector keys = (BigIntVector) batch.getVector("k");
    BigIntVector values = (BigIntVector) batch.getVector("v");
    for (int i = 0; i < batch.getRowCount(); i++) {
      texts.add(text(keys.get(i), values.get(i)));
    }
  }

  /** All rows as sorted texts; closes the reader. */
  static List<String> texts(ArrowReader reader) {
    List<String> texts = new ArrayList<>();
    try (reader) {
      while (reader.loadNextBatch()) {
        addTexts(reader.getVectorSchemaRoot(), texts);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    texts.sort(null);
    return texts;
  }

  /** As above, of a model. */
  static List<String> texts(Map<Long, Long> rows) {
    List<String> texts = new ArrayList<>();
    rows.forEach((key, value) -> texts.add(text(key, value)));
    texts.sort(null);
    return texts;
  }

  /** A row as text. */
  static String text(long key, long value) {
    return key + "=" + value;
  }
}
