package dev.lance4j.format.internal.json;

import dev.lance4j.format.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Between JSON text and JSONB, the form in which JSON columns are stored. */
public final class Jsonb {
  private static final int MAX_DEPTH = 500;

  private final String text;
  private int at;
  private int depth;

  private Jsonb(String text) {
    this.text = text;
  }

  /**
   * JSON text as JSONB.
   *
   * @throws InvalidInputException if the text is no JSON, or an object has a key twice
   */
  public static byte[] encode(String json) {
    Jsonb parser = new Jsonb(json);
    Encoded value = parser.value();
    parser.skipSpace();
    if (parser.at != json.length()) {
      throw parser.error("unexpected text after the value");
    }
    return value.isContainer()
        ? value.bytes()
        : ByteBuffer.allocate(8 + value.bytes().length)
            .putInt(JsonbValue.SCALAR)
            .putInt(value.entry())
            .put(value.bytes())
            .array();
  }

  /** JSONB as JSON text; see {@link JsonbValue#root}. */
  public static String decode(byte[] jsonb) {
    return JsonbValue.root(jsonb, 0, jsonb.length).text();
  }

  /** The bytes of a value and the word that stands for it in its container. */
  private static final class Encoded {
    private final int kind;
    private final byte[] bytes;

    Encoded(int kind, byte[] bytes) {
      this.kind = kind;
      this.bytes = bytes;
    }

    byte[] bytes() {
      return bytes;
    }

    boolean isContainer() {
      return kind == JsonbValue.ENTRY_CONTAINER;
    }

    int entry() {
      return kind | bytes.length;
    }
  }

  private InvalidInputException error(String problem) {
    return new InvalidInputException("Not JSON: " + problem + " at position " + (at + 1));
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private Encoded value() {
    skipSpace();
    if (at == text.length()) {
      throw error("the text ends too early");
    }
    return switch (text.charAt(at)) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> new Encoded(JsonbValue.ENTRY_STRING, string().getBytes(StandardCharsets.UTF_8));
      case 't' -> word("true", JsonbValue.ENTRY_TRUE);
      case 'f' -> word("false", JsonbValue.ENTRY_FALSE);
      case 'n' -> word("null", JsonbValue.ENTRY_NULL);
      default -> number();
    };
  }

  private Encoded word(String word, int kind) {
    if (!text.startsWith(word, at)) {
      throw error("unexpected word");
    }
    at += word.length();
    return new Encoded(kind, new byte[0]);
  }

  private Encoded number() {
    int start = at;
    while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String digits = text.substring(start, at);
    if (!digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
      at = start;
      throw error("expected a value");
    }
    Number number = number(digits);
    if (number instanceof Double value && !Double.isFinite(value)) {
      return new Encoded(JsonbValue.ENTRY_NUMBER, new byte[] {0x20});
    }
    return new Encoded(JsonbValue.ENTRY_NUMBER, JsonbNumbers.write(number));
  }

  private static Number number(String digits) {
    if (digits.chars().allMatch(c -> c == '-' || Character.isDigit(c)) && digits.length() <= 20) {
      BigInteger integer = new BigInteger(digits);
      if (integer.bitLength() < Long.SIZE) {
        return integer.longValue();
      } else if (integer.signum() > 0 && integer.bitLength() <= Long.SIZE) {
        return integer;
      }
    }
    return Double.valueOf(digits);
  }

  private String string() {
    StringBuilder result = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return result.toString();
      }
      result.append(c == '\\' ? escape() : c);
    }
    throw error("a string without end");
  }

  private char escape() {
    if (at == text.length()) {
      throw error("a string without end");
    }
    char c = text.charAt(at++);
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case '"', '\\', '/' -> c;
      case 'u' -> {
        if (at + 4 > text.length()) {
          throw error("a string without end");
        }
        String digits = text.substring(at, at + 4);
        at += 4;
        try {
          yield (char) Integer.parseInt(digits, 16);
        } catch (NumberFormatException e) {
          throw error("a wrong escape");
        }
      }
      default -> throw error("a wrong escape");
    };
  }

  private void enter() {
    at++;
    if (++depth > MAX_DEPTH) {
      throw error("more than " + MAX_DEPTH + " levels");
    }
  }

  /** Whether a container goes on after a value, or ends. */
  private boolean more(char close) {
    skipSpace();
    char c = at < text.length() ? text.charAt(at++) : '\0';
    if (c != ',' && c != close) {
      throw error("expected a comma or " + close);
    }
    return c == ',';
  }

  private boolean isEmpty(char close) {
    skipSpace();
    boolean empty = at < text.length() && text.charAt(at) == close;
    at += empty ? 1 : 0;
    return empty;
  }

  private Encoded array() {
    enter();
    List<Encoded> items = new ArrayList<>();
    if (!isEmpty(']')) {
      do {
        items.add(value());
      } while (more(']'));
    }
    depth--;
    return container(JsonbValue.ARRAY | items.size(), List.of(), items);
  }

  private Encoded object() {
    enter();
    Map<byte[], Encoded> fields = new TreeMap<>(Arrays::compareUnsigned);
    if (!isEmpty('}')) {
      do {
        skipSpace();
        if (at == text.length() || text.charAt(at) != '"') {
          throw error("expected a key in quotes");
        }
        byte[] key = string().getBytes(StandardCharsets.UTF_8);
        skipSpace();
        if (at == text.length() || text.charAt(at++) != ':') {
          throw error("expected a colon");
        }
        if (fields.put(key, value()) != null) {
          throw error("the key '" + new String(key, StandardCharsets.UTF_8) + "' twice");
        }
      } while (more('}'));
    }
    depth--;
    List<Encoded> keys = new ArrayList<>();
    fields.keySet().forEach(key -> keys.add(new Encoded(JsonbValue.ENTRY_STRING, key)));
    return container(JsonbValue.OBJECT | fields.size(), keys, new ArrayList<>(fields.values()));
  }

  private static Encoded container(int header, List<Encoded> keys, List<Encoded> values) {
    List<Encoded> all = new ArrayList<>(keys);
    all.addAll(values);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writeWord(out, header);
    all.forEach(value -> writeWord(out, value.entry()));
    all.forEach(value -> out.writeBytes(value.bytes()));
    return new Encoded(JsonbValue.ENTRY_CONTAINER, out.toByteArray());
  }

  private static void writeWord(ByteArrayOutputStream out, int word) {
    out.writeBytes(ByteBuffer.allocate(4).putInt(word).array());
  }
}
