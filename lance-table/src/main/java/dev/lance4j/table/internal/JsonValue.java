package dev.lance4j.table.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import dev.lance4j.format.InvalidInputException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A value in a JSON document that somebody else wrote. What is not of the expected type is an
 * {@link InvalidInputException} that says where it is.
 *
 * @param node the value
 * @param where its place in the document, such as {@code fragment.files[0].path}
 */
public record JsonValue(JsonNode node, String where) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * Parses a document.
   *
   * @param what the document is, for errors
   */
  public static JsonValue parse(String json, String what) {
    try {
      return new JsonValue(MAPPER.readTree(json), what);
    } catch (JsonProcessingException e) {
      throw new InvalidInputException(
          "The JSON of a " + what + " is malformed: " + e.getOriginalMessage(), e);
    }
  }

  /** Whether the value is null. */
  public boolean isNull() {
    return node.isNull();
  }

  /** Whether the value says nothing: null, or an array or object without content. */
  public boolean isVoid() {
    return node.isNull() || (node.isContainerNode() && node.isEmpty());
  }

  /** The value, which must be text. */
  public String text() {
    if (!node.isTextual()) {
      throw expected("text");
    }
    return node.textValue();
  }

  /** The value, which must be true or false. */
  public boolean bool() {
    if (!node.isBoolean()) {
      throw expected("true or false");
    }
    return node.booleanValue();
  }

  /** The value, which must be a number. */
  public double number() {
    if (!node.isNumber()) {
      throw expected("a number");
    }
    return node.doubleValue();
  }

  /** A whole number that fits in an int, or in an unsigned one. */
  public int intNumber(boolean unsigned) {
    return whole(unsigned, Integer.SIZE).intValue();
  }

  /** A whole number that fits in a long, or in an unsigned one. */
  public long longNumber(boolean unsigned) {
    return whole(unsigned, Long.SIZE).longValue();
  }

  private BigInteger whole(boolean unsigned, int bits) {
    if (!node.isIntegralNumber()) {
      throw expected("a whole number");
    }
    BigInteger value = node.bigIntegerValue();
    boolean fits =
        unsigned ? value.signum() >= 0 && value.bitLength() <= bits : value.bitLength() <= bits - 1;
    if (!fits) {
      throw new InvalidInputException(
          where + " is " + value + ", which does not fit in " + bits + " bits");
    }
    return value;
  }

  /** The elements of the value, which must be an array. */
  public List<JsonValue> elements() {
    if (!node.isArray()) {
      throw expected("an array");
    }
    List<JsonValue> elements = new ArrayList<>(node.size());
    for (JsonNode element : node) {
      elements.add(new JsonValue(element, where + '[' + elements.size() + ']'));
    }
    return elements;
  }

  /** The members of the value, which must be an object, in their order. */
  public Map<String, JsonValue> members() {
    if (!node.isObject()) {
      throw expected("an object");
    }
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      members.put(member.getKey(), new JsonValue(member.getValue(), where + '.' + member.getKey()));
    }
    return members;
  }

  /** For a key that has no meaning here; one that says nothing is tolerated. */
  public void refuseUnknown() {
    if (!isVoid()) {
      throw new InvalidInputException(
          where + " is not known to this version of Lance4j; use the version that wrote it");
    }
  }

  /** What to throw when the value is of another kind than expected. */
  public InvalidInputException expected(String what) {
    String found = node.getNodeType() == JsonNodeType.MISSING ? "nothing" : node.getNodeType() + "";
    return new InvalidInputException(
        where + " must be " + what + ", not " + found.toLowerCase(Locale.ROOT));
  }
}
