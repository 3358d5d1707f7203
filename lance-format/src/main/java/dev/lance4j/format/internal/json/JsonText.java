package dev.lance4j.format.internal.json;

/** Writes JSONB as JSON text. */
public final class JsonText {
  private static final int MAX_DEPTH = 500;

  private final StringBuilder text = new StringBuilder();
  private int depth;

  private JsonText() {}

  static String of(JsonbValue value) {
    JsonText writer = new JsonText();
    writer.write(value);
    return writer.text.toString();
  }

  private void write(JsonbValue value) {
    switch (value.kind()) {
      case NULL -> text.append("null");
      case FALSE -> text.append("false");
      case TRUE -> text.append("true");
      case NUMBER -> text.append(number(value.number()));
      case STRING -> quote(value.string(), text);
      default -> writeContainer(value);
    }
  }

  private void writeContainer(JsonbValue value) {
    if (++depth > MAX_DEPTH) {
      throw new MalformedJsonbException(
          "A JSON value is nested more than " + MAX_DEPTH + " levels deep");
    }
    boolean object = value.kind() == JsonbValue.Kind.OBJECT;
    String[] keys = object ? value.keys() : null;
    JsonbValue[] children = value.children();
    text.append(object ? '{' : '[');
    for (int i = 0; i < children.length; i++) {
      text.append(i > 0 ? "," : "");
      if (object) {
        quote(keys[i], text);
        text.append(':');
      }
      write(children[i]);
    }
    text.append(object ? '}' : ']');
    depth--;
  }

  static String number(Number number) {
    return number instanceof Double value ? NumberText.of((double) value) : number.toString();
  }

  /** Appends a string in quotes, with its escapes. */
  public static void quote(String string, StringBuilder text) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        case '\b' -> text.append("\\b");
        case '\f' -> text.append("\\f");
        default -> {
          if (c < 0x20) {
            text.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
