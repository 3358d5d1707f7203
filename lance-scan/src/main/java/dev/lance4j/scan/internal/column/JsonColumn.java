package dev.lance4j.scan.internal.column;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.json.Jsonb;
import dev.lance4j.format.internal.json.MalformedJsonbException;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.scan.Scan;
import dev.lance4j.table.FragmentMetadata;
import dev.lance4j.table.FragmentReader;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** A column of JSON: binary in files, text for users. */
public final class JsonColumn {
  private static final String EXTENSION_NAME = "ARROW:extension:name";

  private JsonColumn() {}

  /** Whether a field holds binary JSON. */
  public static boolean isJson(LanceField field) {
    return field.logicalType().equals("json")
        && "lance.json".equals(field.metadata().get(EXTENSION_NAME));
  }

  /**
   * The error for a stored value that is not binary JSON.
   *
   * @param fragment which the value is in
   */
  public static CorruptFileException corrupt(
      Scan.Source source,
      FragmentMetadata fragment,
      LanceField field,
      MalformedJsonbException cause) {
    return new CorruptFileException(
        FragmentReader.path(source.version(), fragment, field),
        -1,
        "column '" + field.name() + "': " + cause.getMessage(),
        cause);
  }

  /** The column as users see it. */
  static Field text(LanceField field) {
    Map<String, String> metadata = new HashMap<>(field.metadata());
    metadata.put(EXTENSION_NAME, "arrow.json");
    return new Field(
        field.name(),
        new FieldType(field.nullable(), ArrowType.Utf8.INSTANCE, null, metadata),
        null);
  }

  /**
   * The text of binary JSON.
   *
   * @param stored large binary values; stay the caller's
   * @return owned by the caller
   * @throws MalformedJsonbException if a value is not binary JSON
   */
  public static ArrayData toText(LanceField field, ArrayData stored, BufferAllocator allocator) {
    int rows = stored.length();
    try (OwnedBuffers owned = new OwnedBuffers(allocator);
        GrowableBuffer texts = new GrowableBuffer(allocator, 0)) {
      ArrowBuf offsets = owned.allocate((rows + 1L) * Integer.BYTES);
      offsets.setInt(0, 0);
      for (int row = 0; row < rows; row++) {
        if (stored.isValid(row)) {
          byte[] text = Jsonb.decode(value(stored, row)).getBytes(UTF_8);
          texts.append(ByteBuffer.wrap(text), 0, text.length);
        }
        if (texts.size() > Integer.MAX_VALUE) {
          throw new LanceException(
              "A batch of column '" + field.name() + "' has more than 2 GiB; read fewer rows");
        }
        offsets.setInt((row + 1L) * Integer.BYTES, (int) texts.size());
      }
      ArrowBuf validity = stored.validity();
      if (validity != null) {
        validity.getReferenceManager().retain();
        owned.own(validity);
      }
      ArrowBuf[] buffers = {validity, offsets, texts.take()};
      return owned.release(new ArrayData(rows, stored.nullCount(), buffers));
    }
  }

  private static byte[] value(ArrayData stored, int row) {
    ArrowBuf offsets = stored.buffer(1);
    long start = offsets.getLong((long) row * Long.BYTES);
    long end = offsets.getLong((row + 1L) * Long.BYTES);
    byte[] value = new byte[Math.toIntExact(end - start)];
    stored.buffer(2).getBytes(start, value);
    return value;
  }
}
