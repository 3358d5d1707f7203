package dev.lance4j.scan.internal.expr.json;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.json.JsonbValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * A path into JSON: {@code $.a."b c"[0][*] ? (@.x > 1)}. The leading {@code $} may be left out.
 * Where an array is asked for a field or a filter, its items are asked; where another value is
 * asked for items, it stands for its only item.
 */
public final class JsonPath {
  private static final int MAX_DEPTH = 100;

  private interface Step {
    void apply(JsonbValue value, List<JsonbValue> result);
  }

  private interface Condition {
    boolean test(JsonbValue current, JsonbValue root);
  }

  private final String text;
  private final List<Step> steps = new ArrayList<>();
  private int at;
  private JsonbValue root;
  private int depth;

  private JsonPath(String text) {
    this.text = text;
  }

  /**
   * Parses a path.
   *
   * @throws InvalidInputException if the text is no path
   */
  public static JsonPath parse(String text) {
    JsonPath path = new JsonPath(text);
    path.skipSpace();
    boolean rooted = path.accept('$');
    if (!rooted && path.at < text.length() && path.isNameStart()) {
      path.steps.add(field(path.name()));
    }
    path.readSteps();
    path.skipSpace();
    if (path.at != text.length()) {
      throw path.invalid();
    }
    return path;
  }

  /** The values that the path leads to. */
  public List<JsonbValue> select(JsonbValue value) {
    root = value;
    List<JsonbValue> values = List.of(value);
    for (Step step : steps) {
      List<JsonbValue> next = new ArrayList<>();
      for (JsonbValue current : values) {
        step.apply(current, next);
      }
      values = next;
    }
    return values;
  }

  private InvalidInputException invalid() {
    return new InvalidInputException("Invalid JSON path '" + text + "' at position " + (at + 1));
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private boolean accept(char c) {
    boolean found = peek() == c && at < text.length();
    at += found ? 1 : 0;
    return found;
  }

  private boolean accept(String token) {
    skipSpace();
    boolean found = text.startsWith(token, at);
    at += found ? token.length() : 0;
    return found;
  }

  private void expect(char c) {
    skipSpace();
    if (!accept(c)) {
      throw invalid();
    }
  }

  private boolean isNameStart() {
    char c = peek();
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private String name() {
    if (peek() == '"') {
      return quoted();
    }
    int start = at;
    while (at < text.length() && isNamePart(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw invalid();
    }
    return text.substring(start, at);
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private String quoted() {
    at++;
    StringBuilder result = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return result.toString();
      }
      if (c == '\\' && at < text.length()) {
        c = text.charAt(at++);
      }
      result.append(c);
    }
    throw invalid();
  }

  private void readSteps() {
    while (true) {
      skipSpace();
      if (accept('.') || accept(':')) {
        steps.add(accept('*') ? JsonPath::addFields : field(name()));
      } else if (accept('[')) {
        readBrackets();
      } else if (accept('?')) {
        expect('(');
        Condition condition = disjunction();
        expect(')');
        steps.add((value, result) -> addIf(condition, value, result));
      } else {
        return;
      }
    }
  }

  private void readBrackets() {
    skipSpace();
    if (accept('*')) {
      expect(']');
      steps.add(JsonPath::addItems);
    } else if (peek() == '"') {
      String name = quoted();
      expect(']');
      steps.add(field(name));
    } else {
      List<long[]> ranges = new ArrayList<>();
      do {
        long[] from = index();
        long[] to = accept("to") ? index() : from;
        ranges.add(new long[] {from[0], from[1], to[0], to[1]});
      } while (accept(","));
      expect(']');
      steps.add((value, result) -> addRanges(value, ranges, result));
    }
  }

  /** An index: 0 and a number from the start, or 1 and a number from the last item. */
  private long[] index() {
    skipSpace();
    if (accept("last")) {
      if (accept("-")) {
        return new long[] {1, -digits()};
      }
      return new long[] {1, accept("+") ? digits() : 0};
    }
    return new long[] {0, accept("-") ? -digits() : digits()};
  }

  private long digits() {
    skipSpace();
    int start = at;
    while (at < text.length() && at < start + 9 && Character.isDigit(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw invalid();
    }
    return Long.parseLong(text.substring(start, at));
  }

  private static Step field(String name) {
    return (value, result) -> {
      JsonbValue field = value.field(name);
      if (field != null) {
        result.add(field);
      }
    };
  }

  private static void addFields(JsonbValue value, List<JsonbValue> result) {
    if (value.kind() == JsonbValue.Kind.OBJECT) {
      result.addAll(List.of(value.children()));
    }
  }

  private static void addItems(JsonbValue value, List<JsonbValue> result) {
    if (value.kind() == JsonbValue.Kind.ARRAY) {
      result.addAll(List.of(value.children()));
    } else {
      result.add(value);
    }
  }

  private static void addRanges(JsonbValue value, List<long[]> ranges, List<JsonbValue> result) {
    if (value.kind() != JsonbValue.Kind.ARRAY) {
      return;
    }
    JsonbValue[] items = value.children();
    for (long[] range : ranges) {
      long from = range[1] + (range[0] == 1 ? items.length - 1 : 0);
      long to = Math.min(items.length - 1, range[3] + (range[2] == 1 ? items.length - 1 : 0));
      for (long i = Math.max(0, from); i <= to; i++) {
        result.add(items[(int) i]);
      }
    }
  }

  private void addIf(Condition condition, JsonbValue value, List<JsonbValue> result) {
    if (condition.test(value, root)) {
      result.add(value);
    }
  }

  private Condition disjunction() {
    Condition left = conjunction();
    while (accept("||")) {
      Condition first = left;
      Condition second = conjunction();
      left = (current, top) -> first.test(current, top) || second.test(current, top);
    }
    return left;
  }

  private Condition conjunction() {
    Condition left = condition();
    while (accept("&&")) {
      Condition first = left;
      Condition second = condition();
      left = (current, top) -> first.test(current, top) && second.test(current, top);
    }
    return left;
  }

  private Condition condition() {
    if (accept("(")) {
      if (++depth > MAX_DEPTH) {
        throw invalid();
      }
      Condition inner = disjunction();
      expect(')');
      depth--;
      return inner;
    } else if (accept("exists")) {
      expect('(');
      Operand operand = operand();
      expect(')');
      return (current, top) -> !operand.values(current, top).isEmpty();
    }
    Operand left = operand();
    if (accept("starts with")) {
      Operand prefix = operand();
      return (current, top) -> any(left, prefix, current, top, JsonPath::startsWith);
    }
    Comparison comparison = comparison();
    Operand right = operand();
    return (current, top) -> any(left, right, current, top, comparison);
  }

  private interface Comparison {
    boolean test(Object left, Object right);
  }

  private Comparison comparison() {
    if (accept("==")) {
      return (l, r) -> compare(l, r) == 0;
    } else if (accept("!=") || accept("<>")) {
      return (l, r) -> compare(l, r) != 0;
    } else if (accept("<=")) {
      return (l, r) -> ordered(l, r) && compare(l, r) <= 0;
    } else if (accept(">=")) {
      return (l, r) -> ordered(l, r) && compare(l, r) >= 0;
    } else if (accept("<")) {
      return (l, r) -> ordered(l, r) && compare(l, r) < 0;
    } else if (accept(">")) {
      return (l, r) -> ordered(l, r) && compare(l, r) > 0;
    }
    throw invalid();
  }

  private static boolean startsWith(Object left, Object right) {
    return left instanceof String text && right instanceof String prefix && text.startsWith(prefix);
  }

  private static boolean ordered(Object left, Object right) {
    return left != null && right != null && left.getClass() == right.getClass();
  }

  /** 0 if equal; values of different kinds are not. */
  private static int compare(Object left, Object right) {
    if (left instanceof BigDecimal l && right instanceof BigDecimal r) {
      return l.compareTo(r);
    } else if (left instanceof String l && right instanceof String r) {
      return l.compareTo(r);
    } else if (left instanceof Boolean l && right instanceof Boolean r) {
      return l.compareTo(r);
    }
    return left == null && right == null ? 0 : 1;
  }

  /** The scalars on one side of a comparison. */
  private interface Operand {
    List<Object> values(JsonbValue current, JsonbValue top);
  }

  private static boolean any(
      Operand left, Operand right, JsonbValue current, JsonbValue top, Comparison comparison) {
    List<Object> rights = right.values(current, top);
    for (Object l : left.values(current, top)) {
      for (Object r : rights) {
        if (comparison.test(l, r)) {
          return true;
        }
      }
    }
    return false;
  }

  private Operand operand() {
    skipSpace();
    if (peek() == '@' || peek() == '$') {
      boolean fromRoot = text.charAt(at++) == '$';
      JsonPath inner = new JsonPath(text);
      inner.at = at;
      inner.readSteps();
      at = inner.at;
      return (current, top) -> scalars(inner.select(fromRoot ? top : current));
    } else if (peek() == '"') {
      return constant(quoted());
    } else if (accept("true")) {
      return constant(true);
    } else if (accept("false")) {
      return constant(false);
    } else if (accept("null")) {
      return constant(null);
    }
    return constant(numberLiteral());
  }

  private static Operand constant(Object value) {
    List<Object> values = new ArrayList<>();
    values.add(value);
    return (current, top) -> values;
  }

  private BigDecimal numberLiteral() {
    int start = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    try {
      return new BigDecimal(text.substring(start, at));
    } catch (NumberFormatException e) {
      throw invalid();
    }
  }

  /** Arrays stand for their items. */
  private static List<Object> scalars(List<JsonbValue> values) {
    List<Object> result = new ArrayList<>();
    for (JsonbValue value : values) {
      if (value.kind() == JsonbValue.Kind.ARRAY) {
        for (JsonbValue item : value.children()) {
          result.add(scalar(item));
        }
      } else {
        result.add(scalar(value));
      }
    }
    return result;
  }

  private static Object scalar(JsonbValue value) {
    return switch (value.kind()) {
      case NULL -> null;
      case FALSE -> false;
      case TRUE -> true;
      case STRING -> value.string();
      case NUMBER -> finite(value.number());
      default -> value;
    };
  }

  private static Object finite(Number number) {
    boolean finite = !(number instanceof Double value) || Double.isFinite(value);
    return finite ? new BigDecimal(number.toString()) : number;
  }
}
