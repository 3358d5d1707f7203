package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.json.JsonbValue;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.json.JsonPath;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Functions on JSON columns, which hold JSONB in large binary. */
final class JsonFunctions {
  private static final int MAX_INDEX_DIGITS = 9;

  private JsonFunctions() {}

  static void register(Map<String, FunctionBinder> functions) {
    functions.put("json_get", a -> access(a, Type.LARGE_BINARY, JsonFunctions::appendJson));
    functions.put("json_get_string", a -> access(a, Type.UTF8, JsonFunctions::appendString));
    functions.put("json_get_int", a -> access(a, Type.INT64, JsonFunctions::appendInteger));
    functions.put("json_get_float", a -> access(a, Type.FLOAT64, JsonFunctions::appendFloat));
    functions.put("json_get_bool", a -> access(a, Type.BOOLEAN, JsonFunctions::appendTruth));
    functions.put("json_extract", a -> select(a, Type.UTF8, JsonFunctions::appendText));
    functions.put(
        "json_exists", a -> select(a, Type.BOOLEAN, (found, out) -> out.append(!found.isEmpty())));
    functions.put("json_array_length", a -> select(a, Type.INT64, JsonFunctions::appendLength));
    functions.put("json_array_contains", JsonFunctions::arrayContains);
    functions.put("json_extract_with_type", JsonFunctions::extractWithType);
  }

  private interface Access {
    void append(JsonbValue value, ValuesBuilder out);
  }

  private interface Selection {
    void append(List<JsonbValue> found, ValuesBuilder out);
  }

  private static Node json(Arguments a) {
    if (!a.type(0).is(Kind.LARGE_BINARY)) {
      throw a.wrongType(0, "a JSON column");
    }
    return a.get(0);
  }

  private static JsonbValue root(Row row) {
    BytesValues values = row.bytesValues(0);
    return JsonbValue.root(
        values.bytes(), values.starts()[row.position()], values.ends()[row.position()]);
  }

  private static Node access(Arguments a, Type type, Access access) {
    a.require(2);
    return RowFunction.strict(
        type,
        List.of(json(a), a.anyText(1)),
        (row, out) -> {
          JsonbValue value = child(root(row), row.text(1));
          if (value == null) {
            out.appendNull();
          } else {
            access.append(value, out);
          }
        });
  }

  /** A field by name, or an item by its position. */
  private static JsonbValue child(JsonbValue value, String key) {
    if (value.kind() == JsonbValue.Kind.OBJECT) {
      return value.field(key);
    }
    boolean number =
        !key.isEmpty()
            && key.length() <= MAX_INDEX_DIGITS
            && key.chars().allMatch(c -> c >= '0' && c <= '9');
    return number ? value.item(Long.parseLong(key)) : null;
  }

  private static void appendJson(JsonbValue value, ValuesBuilder out) {
    byte[] bytes = value.toBytes();
    out.append(bytes, 0, bytes.length);
  }

  private static InvalidInputException cannotConvert(JsonbValue value, String type) {
    return new InvalidInputException("Cannot convert JSON " + value.text() + " to " + type);
  }

  private static void appendString(JsonbValue value, ValuesBuilder out) {
    switch (value.kind()) {
      case NULL -> out.appendNull();
      case STRING -> out.append(value.string());
      case NUMBER, TRUE, FALSE -> out.append(value.text());
      default -> throw cannotConvert(value, "a string");
    }
  }

  private static void appendInteger(JsonbValue value, ValuesBuilder out) {
    if (value.kind() == JsonbValue.Kind.NULL) {
      out.appendNull();
      return;
    }
    BigDecimal number = number(value, "an integer");
    BigDecimal whole = number.setScale(0, RoundingMode.HALF_UP);
    if (whole.toBigInteger().bitLength() >= Long.SIZE) {
      throw cannotConvert(value, "an integer");
    }
    out.append(whole.longValue());
  }

  private static void appendFloat(JsonbValue value, ValuesBuilder out) {
    if (value.kind() == JsonbValue.Kind.NULL) {
      out.appendNull();
    } else if (value.kind() == JsonbValue.Kind.NUMBER && value.number() instanceof Double number) {
      out.append((double) number);
    } else {
      out.append(number(value, "a float").doubleValue());
    }
  }

  /** A number, or a text that is one. */
  private static BigDecimal number(JsonbValue value, String type) {
    try {
      return switch (value.kind()) {
        case NUMBER -> new BigDecimal(value.number().toString());
        case STRING -> new BigDecimal(value.string());
        case TRUE -> BigDecimal.ONE;
        case FALSE -> BigDecimal.ZERO;
        default -> throw cannotConvert(value, type);
      };
    } catch (NumberFormatException e) {
      throw new InvalidInputException("Cannot convert JSON " + value.text() + " to " + type, e);
    }
  }

  private static void appendTruth(JsonbValue value, ValuesBuilder out) {
    switch (value.kind()) {
      case NULL -> out.appendNull();
      case TRUE -> out.append(true);
      case FALSE -> out.append(false);
      case STRING -> {
        String text = value.string();
        if (!text.equals("true") && !text.equals("false")) {
          throw cannotConvert(value, "a boolean");
        }
        out.append(text.equals("true"));
      }
      default -> throw cannotConvert(value, "a boolean");
    }
  }

  /** Parses each path once; paths are mostly constant. */
  private static final class Paths {
    private static final int MAX_KEPT = 64;

    private final Map<String, JsonPath> parsed = new HashMap<>();

    JsonPath get(String text) {
      if (parsed.size() >= MAX_KEPT) {
        parsed.clear();
      }
      return parsed.computeIfAbsent(text, JsonPath::parse);
    }
  }

  private static Node select(Arguments a, Type type, Selection selection) {
    a.require(2);
    return RowFunction.perBatch(
        type,
        List.of(json(a), a.anyText(1)),
        false,
        () -> {
          Paths paths = new Paths();
          return (row, out) -> selection.append(paths.get(row.text(1)).select(root(row)), out);
        });
  }

  /** Several matches become an array. */
  private static void appendText(List<JsonbValue> found, ValuesBuilder out) {
    if (found.isEmpty()) {
      out.appendNull();
    } else if (found.size() == 1) {
      out.append(found.get(0).text());
    } else {
      out.append(found.stream().map(JsonbValue::text).collect(Collectors.joining(",", "[", "]")));
    }
  }

  private static void appendLength(List<JsonbValue> found, ValuesBuilder out) {
    if (found.isEmpty()) {
      out.appendNull();
    } else if (found.size() > 1) {
      out.append((long) found.size());
    } else {
      JsonbValue value = found.get(0);
      out.append(value.kind() == JsonbValue.Kind.ARRAY ? (long) value.size() : 0L);
    }
  }

  private static Node arrayContains(Arguments a) {
    a.require(3);
    return RowFunction.perBatch(
        Type.BOOLEAN,
        List.of(json(a), a.anyText(1), a.anyText(2)),
        false,
        () -> {
          Paths paths = new Paths();
          return (row, out) ->
              out.append(contains(paths.get(row.text(1)).select(root(row)), row.text(2)));
        });
  }

  private static boolean contains(List<JsonbValue> found, String wanted) {
    List<JsonbValue> items = new ArrayList<>();
    for (JsonbValue value : found) {
      if (value.kind() == JsonbValue.Kind.ARRAY) {
        items.addAll(List.of(value.children()));
      }
    }
    for (JsonbValue item : items) {
      String text = item.text();
      if (text.equals(wanted) || text.equals("\"" + wanted + "\"")) {
        return true;
      }
    }
    return false;
  }

  /** Never null: a missing value has no bytes and the tag of null. */
  private static Node extractWithType(Arguments a) {
    a.require(2);
    return RowFunction.perBatch(
        typedValue(),
        List.of(json(a), a.anyText(1)),
        true,
        () -> {
          Paths paths = new Paths();
          return (row, out) -> {
            boolean missing = row.isNull(0) || row.isNull(1);
            appendTyped(missing ? List.of() : paths.get(row.text(1)).select(root(row)), out);
          };
        });
  }

  private static Type typedValue() {
    return Type.struct(
        List.of(
            new Type.Child("value", Type.LARGE_BINARY), new Type.Child("type_tag", Type.UINT8)));
  }

  private static void appendTyped(List<JsonbValue> found, ValuesBuilder out) {
    if (found.isEmpty()) {
      out.field(0).appendNull();
      out.field(1).append(0L);
    } else {
      appendJson(found.get(0), out.field(0));
      out.field(1).append(tag(found.get(0)));
    }
    out.appendStruct();
  }

  private static long tag(JsonbValue value) {
    return switch (value.kind()) {
      case NULL -> 0;
      case FALSE, TRUE -> 1;
      case NUMBER -> value.number() instanceof Double ? 3 : 2;
      case STRING -> 4;
      case ARRAY -> 5;
      case OBJECT -> 6;
    };
  }
}
