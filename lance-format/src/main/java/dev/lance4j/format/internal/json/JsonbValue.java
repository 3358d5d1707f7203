package dev.lance4j.format.internal.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A value inside JSONB bytes. A container is a header (kind and number of entries), one word of
 * kind and length for each entry, and the entries' bytes; an object has the words and bytes of all
 * keys before those of the values, with the keys in byte order. Nothing is copied or decoded before
 * it is asked for, and every length is checked.
 */
public final class JsonbValue {
  /** What a value is. */
  public enum Kind {
    NULL,
    FALSE,
    TRUE,
    NUMBER,
    STRING,
    ARRAY,
    OBJECT
  }

  static final int ARRAY = 0x8000_0000;
  static final int OBJECT = 0x4000_0000;
  static final int SCALAR = 0x2000_0000;
  static final int HEADER_KIND = 0xe000_0000;
  static final int HEADER_COUNT = 0x1fff_ffff;

  static final int ENTRY_NULL = 0x0000_0000;
  static final int ENTRY_STRING = 0x1000_0000;
  static final int ENTRY_NUMBER = 0x2000_0000;
  static final int ENTRY_FALSE = 0x3000_0000;
  static final int ENTRY_TRUE = 0x4000_0000;
  static final int ENTRY_CONTAINER = 0x5000_0000;
  static final int ENTRY_KIND = 0x7000_0000;
  static final int ENTRY_LENGTH = 0x0fff_ffff;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private final Kind kind;
  private final int start;
  private final int end;
  private final int size;

  private JsonbValue(byte[] bytes, Kind kind, int start, int end, int size) {
    this.bytes = bytes;
    this.kind = kind;
    this.start = start;
    this.end = end;
    this.size = size;
  }

  /**
   * The outermost value of JSONB bytes.
   *
   * @throws MalformedJsonbException if the bytes are no JSONB
   */
  public static JsonbValue root(byte[] bytes, int start, int end) {
    int header = word(bytes, start, end);
    if ((header & HEADER_KIND) != SCALAR) {
      return container(bytes, start, end);
    }
    return entry(bytes, word(bytes, start + 4, end), start + 8, end);
  }

  private static int word(byte[] bytes, int at, int end) {
    if (at < 0 || at > end - 4) {
      throw malformed();
    }
    return (int) WORD.get(bytes, at);
  }

  private static MalformedJsonbException malformed() {
    return new MalformedJsonbException("A JSON column holds bytes that are not JSONB");
  }

  private static JsonbValue container(byte[] bytes, int start, int end) {
    int header = word(bytes, start, end);
    int kind = header & HEADER_KIND;
    int count = header & HEADER_COUNT;
    long words = kind == OBJECT ? 2L * count : count;
    if ((kind != ARRAY && kind != OBJECT) || start + 4 + 4 * words > end) {
      throw malformed();
    }
    return new JsonbValue(bytes, kind == ARRAY ? Kind.ARRAY : Kind.OBJECT, start, end, count);
  }

  private static JsonbValue entry(byte[] bytes, int entry, int start, int end) {
    int length = entry & ENTRY_LENGTH;
    if (length > end - start) {
      throw malformed();
    }
    int stop = start + length;
    return switch (entry & ENTRY_KIND) {
      case ENTRY_NULL -> new JsonbValue(bytes, Kind.NULL, start, stop, 0);
      case ENTRY_FALSE -> new JsonbValue(bytes, Kind.FALSE, start, stop, 0);
      case ENTRY_TRUE -> new JsonbValue(bytes, Kind.TRUE, start, stop, 0);
      case ENTRY_NUMBER -> new JsonbValue(bytes, Kind.NUMBER, start, stop, 0);
      case ENTRY_STRING -> new JsonbValue(bytes, Kind.STRING, start, stop, 0);
      case ENTRY_CONTAINER -> container(bytes, start, stop);
      default -> throw malformed();
    };
  }

  public Kind kind() {
    return kind;
  }

  /** The items of an array or the fields of an object; else 0. */
  public int size() {
    return size;
  }

  /** The items of an array, or the values of an object in the order of their keys. */
  public JsonbValue[] children() {
    JsonbValue[] result = new JsonbValue[size];
    int words = kind == Kind.OBJECT ? 2 * size : size;
    int at = start + 4 + 4 * words;
    for (int i = 0; i < words; i++) {
      int entry = (int) WORD.get(bytes, start + 4 + 4 * i);
      int length = entry & ENTRY_LENGTH;
      if (length > end - at) {
        throw malformed();
      }
      if (i >= words - size) {
        result[i - words + size] = entry(bytes, entry, at, end);
      }
      at += length;
    }
    return result;
  }

  /** The keys of an object. */
  public String[] keys() {
    String[] result = new String[size];
    int at = start + 4 + 8 * size;
    for (int i = 0; i < size; i++) {
      int length = (int) WORD.get(bytes, start + 4 + 4 * i) & ENTRY_LENGTH;
      if (length > end - at) {
        throw malformed();
      }
      result[i] = new String(bytes, at, length, StandardCharsets.UTF_8);
      at += length;
    }
    return result;
  }

  /** A field of an object; null if there is none. */
  public JsonbValue field(String name) {
    if (kind != Kind.OBJECT) {
      return null;
    }
    int index = Arrays.asList(keys()).indexOf(name);
    return index < 0 ? null : children()[index];
  }

  /** An item of an array; null if there is none. */
  public JsonbValue item(long index) {
    return kind == Kind.ARRAY && index >= 0 && index < size ? children()[(int) index] : null;
  }

  /** The text of a string, without quotes. */
  public String string() {
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  /** A number: {@code Long}, {@code BigInteger} (above the signed range) or {@code Double}. */
  public Number number() {
    return JsonbNumbers.read(ByteBuffer.wrap(bytes), start, end);
  }

  /** The JSON text. */
  public String text() {
    return JsonText.of(this);
  }

  /** The value as JSONB of its own. */
  public byte[] toBytes() {
    byte[] own = Arrays.copyOfRange(bytes, start, end);
    if (kind == Kind.ARRAY || kind == Kind.OBJECT) {
      return own;
    }
    int entry =
        switch (kind) {
          case NULL -> ENTRY_NULL;
          case FALSE -> ENTRY_FALSE;
          case TRUE -> ENTRY_TRUE;
          case NUMBER -> ENTRY_NUMBER;
          default -> ENTRY_STRING;
        };
    return ByteBuffer.allocate(8 + own.length)
        .putInt(SCALAR)
        .putInt(entry | own.length)
        .put(own)
        .array();
  }
}
