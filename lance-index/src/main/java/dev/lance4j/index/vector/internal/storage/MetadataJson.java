package dev.lance4j.index.vector.internal.storage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lance4j.format.CorruptFileException;
import java.util.ArrayList;
import java.util.List;

/**
 * A JSON value in the metadata of an index file. What is missing or of another type is a {@link
 * CorruptFileException}.
 *
 * @param node the value
 * @param what it is, for errors
 * @param path of the file
 */
record MetadataJson(JsonNode node, String what, String path) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static MetadataJson parse(String text, String what, String path) {
    try {
      return new MetadataJson(MAPPER.readTree(text), what, path);
    } catch (JsonProcessingException e) {
      throw new CorruptFileException(path, -1, "the metadata '" + what + "' is no JSON", e);
    }
  }

  /** The text of an array of strings, as the metadata of files holds it. */
  static String array(List<String> strings) {
    return MAPPER.valueToTree(strings).toString();
  }

  /** The strings of an array. */
  List<String> strings() {
    if (!node.isArray()) {
      throw wrong("must be an array of strings");
    }
    List<String> strings = new ArrayList<>(node.size());
    for (JsonNode element : node) {
      if (!element.isTextual()) {
        throw wrong("must be an array of strings");
      }
      strings.add(element.textValue());
    }
    return strings;
  }

  /** Whether there is a value that is not null under a key. */
  boolean has(String key) {
    return node.hasNonNull(key);
  }

  MetadataJson get(String key) {
    JsonNode value = node.get(key);
    if (value == null) {
      throw wrong("has no '" + key + "'");
    }
    return new MetadataJson(value, what + "." + key, path);
  }

  String text(String key) {
    MetadataJson value = get(key);
    if (!value.node.isTextual()) {
      throw value.wrong("must be a string");
    }
    return value.node.textValue();
  }

  double number(String key) {
    MetadataJson value = get(key);
    if (!value.node.isNumber()) {
      throw value.wrong("must be a number");
    }
    return value.node.doubleValue();
  }

  /** A whole number from 0 to {@code max}. */
  int count(String key, int max) {
    return get(key).count(max);
  }

  /** A whole number from 0 to {@code max}, or what to take when there is none. */
  int count(String key, int max, int absent) {
    return has(key) ? count(key, max) : absent;
  }

  private int count(int max) {
    if (!node.canConvertToInt() || node.intValue() < 0 || node.intValue() > max) {
      throw wrong("must be a whole number from 0 to " + max);
    }
    return node.intValue();
  }

  boolean bool(String key, boolean absent) {
    if (!has(key)) {
      return absent;
    }
    MetadataJson value = get(key);
    if (!value.node.isBoolean()) {
      throw value.wrong("must be true or false");
    }
    return value.node.booleanValue();
  }

  /** Whole numbers from 0 to {@code max}. */
  int[] counts(String key, int max) {
    MetadataJson value = get(key);
    if (!value.node.isArray()) {
      throw value.wrong("must be an array");
    }
    int[] counts = new int[value.node.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new MetadataJson(value.node.get(i), value.what + "[" + i + "]", path).count(max);
    }
    return counts;
  }

  /** Bytes that are written as an array of numbers. */
  byte[] bytes(String key) {
    int[] values = counts(key, 255);
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  CorruptFileException wrong(String problem) {
    return new CorruptFileException(path, -1, "the metadata '" + what + "' " + problem);
  }
}
