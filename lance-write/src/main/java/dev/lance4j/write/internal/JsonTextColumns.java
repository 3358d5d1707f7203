package dev.lance4j.write.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.internal.json.Jsonb;
import dev.lance4j.write.BatchSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Batches in which the columns of JSON text, those of the extension type {@code arrow.json}, are
 * turned into the form in which tables store JSON. Closing frees what was turned, not the source.
 */
public final class JsonTextColumns implements BatchSource, AutoCloseable {
  private static final String EXTENSION_NAME = "ARROW:extension:name";
  private static final String TEXT = "arrow.json";
  private static final String STORED = "lance.json";

  private final BatchSource source;
  private final BufferAllocator allocator;
  private final List<LargeVarBinaryVector> converted = new ArrayList<>();

  public JsonTextColumns(BatchSource source, BufferAllocator allocator) {
    this.source = source;
    this.allocator = allocator;
  }

  /**
   * A schema with its columns of JSON text as they are stored.
   *
   * @throws SchemaMismatchException if there is JSON text inside of another column
   */
  public static Schema stored(Schema schema) {
    List<Field> fields = new ArrayList<>(schema.getFields().size());
    for (Field field : schema.getFields()) {
      field.getChildren().forEach(child -> refuse(child, field.getName()));
      fields.add(isText(field) ? stored(field) : field);
    }
    return new Schema(fields, schema.getCustomMetadata());
  }

  private static void refuse(Field field, String parent) {
    String path = parent + '.' + field.getName();
    if (isText(field)) {
      throw new SchemaMismatchException(
          "Field '"
              + path
              + "' is JSON text inside of another column, which is not supported; make it a column"
              + " of its own or plain text");
    }
    field.getChildren().forEach(child -> refuse(child, path));
  }

  private static boolean isText(Field field) {
    ArrowType type = field.getType();
    if (type instanceof ArrowType.ExtensionType extension) {
      return extension.extensionName().equals(TEXT) && isText(extension.storageType());
    }
    return TEXT.equals(field.getMetadata().get(EXTENSION_NAME))
        && field.getDictionary() == null
        && isText(type);
  }

  private static boolean isText(ArrowType type) {
    return type instanceof ArrowType.Utf8 || type instanceof ArrowType.LargeUtf8;
  }

  private static Field stored(Field field) {
    Map<String, String> metadata = new HashMap<>(field.getMetadata());
    metadata.put(EXTENSION_NAME, STORED);
    return new Field(
        field.getName(),
        new FieldType(field.isNullable(), ArrowType.LargeBinary.INSTANCE, null, metadata),
        null);
  }

  @Override
  public Schema schema() {
    return stored(source.schema());
  }

  @Override
  public VectorSchemaRoot next() {
    close();
    VectorSchemaRoot batch = source.next();
    if (batch == null
        || batch.getSchema().getFields().stream().noneMatch(JsonTextColumns::isText)) {
      return batch;
    }
    int rows = batch.getRowCount();
    List<FieldVector> vectors = new ArrayList<>();
    for (FieldVector vector : batch.getFieldVectors()) {
      vectors.add(isText(vector.getField()) ? convert(vector, rows) : vector);
    }
    return new VectorSchemaRoot(
        vectors.stream().map(FieldVector::getField).toList(), vectors, rows);
  }

  private LargeVarBinaryVector convert(FieldVector vector, int rows) {
    LargeVarBinaryVector target = encode(vector, rows, stored(vector.getField()), allocator);
    converted.add(target);
    return target;
  }

  /**
   * JSON texts in the form in which tables store them.
   *
   * @param vector of strings
   * @param stored the field of the result
   * @return a vector that the caller closes
   * @throws InvalidInputException if a text is no JSON
   */
  static LargeVarBinaryVector encode(
      FieldVector vector, int rows, Field stored, BufferAllocator allocator) {
    FieldVector texts =
        vector instanceof ExtensionTypeVector<?> extension
            ? (FieldVector) extension.getUnderlyingVector()
            : vector;
    LargeVarBinaryVector target = new LargeVarBinaryVector(stored, allocator);
    try {
      for (int row = 0; row < rows; row++) {
        if (texts.isNull(row)) {
          target.setNull(row);
        } else {
          target.setSafe(row, encode(text(texts, row), stored.getName(), row));
        }
      }
      target.setValueCount(rows);
      return target;
    } catch (RuntimeException | Error e) {
      target.close();
      throw e;
    }
  }

  private static String text(FieldVector vector, int row) {
    byte[] bytes =
        vector instanceof VarCharVector texts
            ? texts.get(row)
            : ((LargeVarCharVector) vector).get(row);
    return new String(bytes, UTF_8);
  }

  private static byte[] encode(String text, String column, int row) {
    try {
      return Jsonb.encode(text);
    } catch (InvalidInputException e) {
      throw new InvalidInputException(
          "Column '" + column + "', row " + row + " of a batch: " + e.getMessage(), e);
    }
  }

  @Override
  public DictionaryProvider dictionaries() {
    return source.dictionaries();
  }

  @Override
  public void close() {
    converted.forEach(LargeVarBinaryVector::close);
    converted.clear();
  }
}
