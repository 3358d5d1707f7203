package dev.lance4j.scan.internal.column;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.LanceException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.GrowableBuffer;
import dev.lance4j.format.internal.data.OwnedBuffers;
import dev.lance4j.format.internal.json.Jsonb;
import dev.lance4j.format.schema.LanceField;
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
   * @throws InvalidInputException if a value is not binary JSON
   */
  public static ArrayData toText(LanceField field, ArrayData stored, BufferAllocator allocator) {
    int rows = stored.length();
    try (OwnedBuffers owned = new OwnedBuffers(allocator);
        GrowableBuffer texts = new GrowableBuffer(allocator, 0)) {
      ArrowBuf offsets = owned.allocate((rows + 1L) * Integer.BYTES);
      offsets.setInt(0, 0);
      for (int row = 0; row < rows; row++) {
        if (stored.isValid(row)) {
          byte[] text = decode(field, value(stored, row));
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

  private static byte[] decode(LanceField field, byte[] value) {
    try {
      return Jsonb.decode(value).getBytes(UTF_8);
    } catch (InvalidInputException e) {
      throw new InvalidInputException("Column '" + field.name() + "': " + e.getMessage(), e);
    }
  }
}
