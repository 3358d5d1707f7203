package dev.lance4j.scan.internal.expr.function;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions that match regular expressions, in time linear in the text. */
final class RegexFunctions {
  private RegexFunctions() {}

  static void register(Map<String, FunctionBinder> functions) {
    functions.put("regexp_like", RegexFunctions::like);
    functions.put("regexp_match", RegexFunctions::match);
    functions.put("regexp_replace", RegexFunctions::replace);
    functions.put("regexp_count", RegexFunctions::count);
    functions.put("regexp_instr", RegexFunctions::position);
  }

  /** Compiles each pattern once; patterns are mostly constant. */
  private static final class Patterns {
    private static final int MAX_KEPT = 64;

    private final Map<String, Pattern> compiled = new LinkedHashMap<>();

    Pattern get(String pattern, String flags) {
      String key = flags + "/" + pattern;
      Pattern known = compiled.get(key);
      if (known == null) {
        if (compiled.size() >= MAX_KEPT) {
          compiled.clear();
        }
        known = RegexSyntax.compile(pattern, flags);
        compiled.put(key, known);
      }
      return known;
    }
  }

  private interface RegexKernel {
    void apply(Patterns patterns, Row row, ValuesBuilder out);
  }

  private static Node regex(Type type, List<Node> nodes, boolean seesNulls, RegexKernel kernel) {
    return RowFunction.perBatch(
        type,
        nodes,
        seesNulls,
        () -> {
          Patterns patterns = new Patterns();
          return (row, out) -> kernel.apply(patterns, row, out);
        });
  }

  private static String flags(Row row, int index) {
    return row.count() > index && !row.isNull(index) ? row.text(index) : "";
  }

  private static Node like(Arguments a) {
    a.require(2, 3);
    List<Node> nodes = new ArrayList<>(List.of(a.text(0), a.text(1)));
    if (a.count() == 3) {
      nodes.add(a.text(2));
    }
    return regex(
        Type.BOOLEAN,
        nodes,
        false,
        (patterns, row, out) ->
            out.append(patterns.get(row.text(1), flags(row, 2)).matcher(row.text(0)).find()));
  }

  /** The groups of the first match, or the match if the pattern has no groups; else null. */
  private static Node match(Arguments a) {
    a.require(2, 3);
    List<Node> nodes = new ArrayList<>(List.of(a.anyText(0), a.anyText(1)));
    if (a.count() == 3) {
      nodes.add(a.anyText(2));
    }
    return regex(
        Type.list(Type.UTF8),
        nodes,
        false,
        (patterns, row, out) -> {
          Matcher matcher = patterns.get(row.text(1), flags(row, 2)).matcher(row.text(0));
          if (matcher.find()) {
            appendGroups(matcher, out);
          } else {
            out.appendNull();
          }
        });
  }

  private static void appendGroups(Matcher matcher, ValuesBuilder out) {
    int first = out.items().size();
    int groups = matcher.groupCount();
    for (int i = groups == 0 ? 0 : 1; i <= groups; i++) {
      String group = matcher.group(i);
      if (group == null) {
        out.items().appendNull();
      } else {
        out.items().append(group);
      }
    }
    out.appendList(first);
  }

  private static Node replace(Arguments a) {
    a.require(3, 4);
    List<Node> nodes = new ArrayList<>(List.of(a.anyText(0), a.anyText(1), a.anyText(2)));
    if (a.count() == 4) {
      nodes.add(a.anyText(3));
    }
    return regex(
        Type.UTF8,
        nodes,
        false,
        (patterns, row, out) -> {
          String flags = flags(row, 3);
          Pattern pattern = patterns.get(row.text(1), flags.replace("g", ""));
          out.append(replace(pattern, row.text(0), row.text(2), flags.contains("g")));
        });
  }

  private static String replace(Pattern pattern, String text, String by, boolean all) {
    Matcher matcher = pattern.matcher(text);
    StringBuilder result = new StringBuilder();
    int end = 0;
    while (matcher.find()) {
      result.append(text, end, matcher.start());
      RegexSyntax.appendReplacement(matcher, by, result);
      end = matcher.end();
      if (!all) {
        break;
      }
    }
    return result.append(text.substring(end)).toString();
  }

  private static Node count(Arguments a) {
    a.require(2, 4);
    List<Node> nodes = new ArrayList<>(List.of(a.anyText(0), a.anyText(1)));
    if (a.count() > 2) {
      nodes.add(a.integer(2));
    }
    if (a.count() > 3) {
      nodes.add(a.anyText(3));
    }
    return regex(
        Type.INT64,
        nodes,
        true,
        (patterns, row, out) -> {
          boolean missing = row.isNull(0) || row.isNull(1);
          out.append(missing ? 0L : count(patterns.get(row.text(1), flags(row, 3)), from(row)));
        });
  }

  /** The text from the character that the third argument names. */
  private static String from(Row row) {
    String text = row.text(0);
    long start = row.count() > 2 && !row.isNull(2) ? row.integer(2) : 1;
    if (start < 1) {
      throw new InvalidInputException(
          "A regular expression starts at a position from 1, not " + start);
    }
    int characters = text.codePointCount(0, text.length());
    return start > characters ? "" : text.substring(text.offsetByCodePoints(0, (int) start - 1));
  }

  private static long count(Pattern pattern, String text) {
    if (pattern.pattern().isEmpty()) {
      return 0;
    }
    Matcher matcher = pattern.matcher(text);
    long count = 0;
    while (matcher.find()) {
      count++;
    }
    return count;
  }

  private static Node position(Arguments a) {
    a.require(2, 3);
    List<Node> nodes = new ArrayList<>(List.of(a.anyText(0), a.anyText(1)));
    if (a.count() == 3) {
      nodes.add(a.integer(2));
    }
    return regex(
        Type.INT64,
        nodes,
        false,
        (patterns, row, out) -> {
          String rest = from(row);
          Matcher matcher = patterns.get(row.text(1), "").matcher(rest);
          long skipped = row.count() > 2 ? row.integer(2) - 1 : 0;
          out.append(
              !row.text(1).isEmpty() && matcher.find()
                  ? rest.codePointCount(0, matcher.start()) + 1 + skipped
                  : 0L);
        });
  }
}
