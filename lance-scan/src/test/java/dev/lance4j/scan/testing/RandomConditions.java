package dev.lance4j.scan.testing;

import dev.lance4j.scan.expr.Literals;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Makes random rows of columns l, i, d, s, b and random conditions on them, each as text and as a
 * function of Java values.
 */
public final class RandomConditions {
  private static final long[] LONGS = {0, 1, -1, 2, 7, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40};
  private static final double[] DOUBLES = {
    0.0, -0.0, 1, -1.5, 1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 7
  };
  private static final String[] TEXTS = {"", "a", "ab", "abc", "b%", "a_c", "Abc", "日本", "x\ny"};
  private static final String[] PATTERNS = {
    "%", "a%", "%b%", "_", "a_c", "%c", "", "a\\\\_%", "%本"
  };

  /** A value of a row as the naive evaluator sees it, and its text. */
  public interface Naive {
    Object value(Object[] row);
  }

  /** A condition or a value. */
  public record Term(String text, Naive naive) {}

  private final Random random;

  public RandomConditions(Random random) {
    this.random = random;
  }

  /** Rows of random values. */
  public List<Object[]> rows(int size) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      rows.add(
          new Object[] {
            maybe(LONGS[random.nextInt(LONGS.length)]),
            maybe((int) LONGS[random.nextInt(5)]),
            maybe(DOUBLES[random.nextInt(DOUBLES.length)]),
            maybe(TEXTS[random.nextInt(TEXTS.length)]),
            maybe(random.nextBoolean())
          });
    }
    return rows;
  }

  /** Rows as vectors, which the caller closes. */
  public static VectorSchemaRoot batch(List<Object[]> rows, BufferAllocator allocator) {
    BigIntVector longs = new BigIntVector("l", allocator);
    IntVector ints = new IntVector("i", allocator);
    Float8Vector doubles = new Float8Vector("d", allocator);
    VarCharVector texts = new VarCharVector("s", allocator);
    BitVector flags = new BitVector("b", allocator);
    VectorSchemaRoot root = VectorSchemaRoot.of(longs, ints, doubles, texts, flags);
    root.allocateNew();
    for (int i = 0; i < rows.size(); i++) {
      Object[] row = rows.get(i);
      if (row[0] instanceof Long value) {
        longs.setSafe(i, value);
      }
      if (row[1] instanceof Integer value) {
        ints.setSafe(i, value);
      }
      if (row[2] instanceof Double value) {
        doubles.setSafe(i, value);
      }
      if (row[3] instanceof String value) {
        texts.setSafe(i, value.getBytes(StandardCharsets.UTF_8));
      }
      if (row[4] instanceof Boolean value) {
        flags.setSafe(i, value ? 1 : 0);
      }
    }
    root.setRowCount(rows.size());
    return root;
  }

  private Object maybe(Object value) {
    return random.nextInt(5) == 0 ? null : value;
  }

  /** A condition of at most the depth. */
  public Term condition(int depth) {
    if (depth == 0) {
      return random.nextBoolean() ? new Term("b", row -> row[4]) : comparison(0);
    }
    return switch (random.nextInt(9)) {
      case 0, 1 -> connective(depth, true);
      case 2, 3 -> connective(depth, false);
      case 4 -> negation(condition(depth - 1));
      case 5 -> isTest(condition(depth - 1));
      case 6 -> membership();
      case 7 -> like();
      default -> comparison(depth - 1);
    };
  }

  private Term connective(int depth, boolean and) {
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(2); i++) {
      terms.add(condition(depth - 1));
    }
    String text =
        String.join(and ? " AND " : " OR ", terms.stream().map(t -> "(" + t.text() + ")").toList());
    return new Term(
        text,
        row -> {
          Object result = and;
          for (Term term : terms) {
            Object value = term.naive().value(row);
            if (value != null && (boolean) value != and) {
              return !and;
            }
            result = value == null ? null : result;
          }
          return result;
        });
  }

  private static Term negation(Term term) {
    return new Term(
        "NOT (" + term.text() + ")",
        row -> term.naive().value(row) instanceof Boolean value ? !value : null);
  }

  private Term isTest(Term term) {
    boolean negated = random.nextBoolean();
    String not = negated ? " IS NOT " : " IS ";
    return switch (random.nextInt(3)) {
      case 0 ->
          new Term(
              "(" + term.text() + ")" + not + "NULL",
              row -> (term.naive().value(row) == null) != negated);
      case 1 ->
          new Term(
              "(" + term.text() + ")" + not + "TRUE",
              row -> Boolean.TRUE.equals(term.naive().value(row)) != negated);
      default ->
          new Term(
              "(" + term.text() + ")" + not + "FALSE",
              row -> Boolean.FALSE.equals(term.naive().value(row)) != negated);
    };
  }

  private Term membership() {
    boolean negated = random.nextBoolean();
    boolean withNull = random.nextInt(3) == 0;
    int kind = random.nextInt(3);
    List<Object> members = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      members.add(
          kind == 0
              ? (Object) LONGS[random.nextInt(5)]
              : kind == 1 ? TEXTS[random.nextInt(8)] : (Object) (random.nextInt(9) / 2.0));
    }
    String column = kind == 0 ? "l" : kind == 1 ? "s" : "d";
    int index = kind == 0 ? 0 : kind == 1 ? 3 : 2;
    String items = String.join(", ", members.stream().map(Literals::of).toList());
    return new Term(
        column + (negated ? " NOT" : "") + " IN (" + items + (withNull ? ", NULL)" : ")"),
        row -> {
          if (row[index] == null) {
            return null;
          }
          for (Object member : members) {
            if (compare(row[index], member) == 0) {
              return !negated;
            }
          }
          return withNull ? null : negated;
        });
  }

  private Term like() {
    String pattern = PATTERNS[random.nextInt(PATTERNS.length)].replace("\\\\", "\\");
    boolean ignoreCase = random.nextBoolean();
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\') {
        regex.append(Pattern.quote(pattern.substring(i + 1, ++i + 1)));
      } else {
        regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
      }
    }
    Pattern compiled =
        Pattern.compile(
            regex.toString(), Pattern.DOTALL | (ignoreCase ? Pattern.CASE_INSENSITIVE : 0));
    return new Term(
        "s " + (ignoreCase ? "ILIKE " : "LIKE ") + Literals.of(pattern),
        row -> row[3] instanceof String text ? compiled.matcher(text).matches() : null);
  }

  private Term comparison(int depth) {
    Term left;
    Term right;
    switch (random.nextInt(4)) {
      case 0 -> {
        left = new Term("s", row -> row[3]);
        String text = TEXTS[random.nextInt(TEXTS.length)];
        right = random.nextInt(3) == 0 ? left : new Term(Literals.of(text), row -> text);
      }
      case 1 -> {
        left = floating(depth);
        right = floating(depth);
      }
      case 2 -> {
        return between(depth);
      }
      default -> {
        left = integer(depth);
        right = integer(depth);
      }
    }
    return compared(left, right);
  }

  private Term between(int depth) {
    Term value = integer(depth);
    Term low = integer(0);
    Term high = integer(0);
    boolean negated = random.nextBoolean();
    return new Term(
        "("
            + value.text()
            + (negated ? ") NOT BETWEEN (" : ") BETWEEN (")
            + low.text()
            + ") AND ("
            + high.text()
            + ")",
        row -> {
          Object x = value.naive().value(row);
          Object least = low.naive().value(row);
          Object most = high.naive().value(row);
          Boolean above = (x == null || least == null) ? null : compare(x, least) >= 0;
          Boolean below = (x == null || most == null) ? null : compare(x, most) <= 0;
          if (Boolean.FALSE.equals(above) || Boolean.FALSE.equals(below)) {
            return negated;
          }
          return (above == null || below == null) ? null : !negated;
        });
  }

  private Term compared(Term left, Term right) {
    String operator = List.of("=", "!=", "<", "<=", ">", ">=").get(random.nextInt(6));
    return new Term(
        "(" + left.text() + ") " + operator + " (" + right.text() + ")",
        row -> {
          Object l = left.naive().value(row);
          Object r = right.naive().value(row);
          if (l == null || r == null) {
            return null;
          }
          int order = compare(l, r);
          return switch (operator) {
            case "=" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
          };
        });
  }

  /** The order of the language: floating-point numbers in total order, texts by their bytes. */
  private static int compare(Object left, Object right) {
    if (left instanceof String l && right instanceof String r) {
      return Arrays.compareUnsigned(
          l.getBytes(StandardCharsets.UTF_8), r.getBytes(StandardCharsets.UTF_8));
    } else if (left instanceof Double l && right instanceof Double r) {
      int order = Integer.compare(rank(l), rank(r));
      return order != 0 || Double.isNaN(l) ? order : Double.compare(l, r);
    }
    return Long.compare(((Number) left).longValue(), ((Number) right).longValue());
  }

  /** Negative NaN comes before all numbers, positive NaN after them. */
  private static int rank(double value) {
    if (!Double.isNaN(value)) {
      return 0;
    }
    return Double.doubleToRawLongBits(value) < 0 ? -1 : 1;
  }

  private Term integer(int depth) {
    int choice = random.nextInt(depth == 0 ? 3 : 6);
    if (choice == 0) {
      return new Term("l", row -> row[0]);
    } else if (choice == 1) {
      return new Term("i", row -> row[1] instanceof Integer value ? (long) value : null);
    } else if (choice == 2) {
      long value = LONGS[random.nextInt(5)];
      return new Term("(" + value + ")", row -> value);
    }
    return arithmetic(integer(depth - 1), new Term("l", row -> row[0]));
  }

  /** One operand is 64 bits wide, so that the arithmetic is. */
  private Term arithmetic(Term left, Term right) {
    String operator = List.of("+", "-", "*", "/", "%").get(random.nextInt(5));
    return new Term(
        "(" + left.text() + ") " + operator + " " + right.text(),
        row -> {
          Object l = left.naive().value(row);
          Object r = right.naive().value(row);
          if (l == null || r == null) {
            return null;
          }
          long x = (Long) l;
          long y = (Long) r;
          if (operator.equals("/") && x == Long.MIN_VALUE && y == -1) {
            throw new ArithmeticException("overflow");
          }
          return switch (operator) {
            case "+" -> x + y;
            case "-" -> x - y;
            case "*" -> x * y;
            case "/" -> x / y;
            default -> x % y;
          };
        });
  }

  private Term floating(int depth) {
    int choice = random.nextInt(depth == 0 ? 2 : 4);
    if (choice == 0) {
      return new Term("d", row -> row[2]);
    } else if (choice == 1) {
      double value = DOUBLES[random.nextInt(DOUBLES.length)];
      return new Term(Literals.of(value), row -> value);
    }
    Term left = floating(depth - 1);
    Term right = new Term("d", row -> row[2]);
    String operator = List.of("+", "-", "*", "/").get(random.nextInt(4));
    return new Term(
        "(" + left.text() + ") " + operator + " " + right.text(),
        row -> {
          if (!(left.naive().value(row) instanceof Double x) || !(row[2] instanceof Double y)) {
            return null;
          }
          if (Double.isNaN(x) || Double.isNaN(y)) {
            return Double.isNaN(x) ? x : y;
          }
          double value =
              switch (operator) {
                case "+" -> x + y;
                case "-" -> x - y;
                case "*" -> x * y;
                default -> x / y;
              };
          return Double.isNaN(value) ? Math.copySign(value, -1) : value;
        });
  }
}
