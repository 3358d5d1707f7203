package dev.lance4j.table.internal;

import dev.lance4j.format.internal.json.JsonText;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes JSON with a line for each value and two blanks for each level. */
final class PrettyJson {
  private final StringBuilder text = new StringBuilder();

  private PrettyJson() {}

  /** The text of a tree of maps, lists, strings, whole numbers and null. */
  static String of(Object value) {
    PrettyJson json = new PrettyJson();
    json.write(value, 0);
    return json.text.toString();
  }

  private void write(Object value, int level) {
    if (value instanceof Map<?, ?> map) {
      Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
      container(
          '{',
          '}',
          map.size(),
          level,
          () -> {
            Map.Entry<?, ?> entry = entries.next();
            JsonText.quote(entry.getKey().toString(), text);
            text.append(": ");
            write(entry.getValue(), level + 1);
          });
    } else if (value instanceof List<?> list) {
      Iterator<?> items = list.iterator();
      container('[', ']', list.size(), level, () -> write(items.next(), level + 1));
    } else if (value instanceof String string) {
      JsonText.quote(string, text);
    } else {
      text.append(value);
    }
  }

  private void container(char open, char close, int size, int level, Runnable item) {
    text.append(open);
    for (int i = 0; i < size; i++) {
      text.append(i > 0 ? ",\n" : "\n").append("  ".repeat(level + 1));
      item.run();
    }
    if (size > 0) {
      text.append('\n').append("  ".repeat(level));
    }
    text.append(close);
  }
}
