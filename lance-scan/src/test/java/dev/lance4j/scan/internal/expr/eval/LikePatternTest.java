package dev.lance4j.scan.internal.expr.eval;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class LikePatternTest {
  // Few letters, so that patterns are often found; one takes two bytes and one takes three.
  private static final String[] LETTERS = {"a", "b", "ab", "ba", "ü", "–"};
  private static final String[] PATTERN = {"a", "b", "ab", "ü", "–", "%", "%", "_", "\\%"};

  @Property
  void matchesWhatARegularExpressionMatches(@ForAll Random random) {
    String text = join(LETTERS, random.nextInt(40), random);
    String pattern = join(PATTERN, random.nextInt(7), random);
    byte[] bytes = ("a" + text + "b").getBytes(UTF_8);
    assertThat(new LikePattern(pattern, false).matches(bytes, 1, bytes.length - 1))
        .as("'%s' LIKE '%s'", text, pattern)
        .isEqualTo(regularExpression(pattern).matcher(text).matches());
  }

  @Property
  void matchesInOrderWithoutOverlap(@ForAll Random random) {
    String text = join(LETTERS, random.nextInt(40), random);
    StringBuilder pattern = new StringBuilder(random.nextBoolean() ? "%" : "");
    for (int i = random.nextInt(4); i > 0; i--) {
      pattern.append(join(LETTERS, random.nextInt(3), random)).append('%');
    }
    pattern.append(random.nextBoolean() ? join(LETTERS, 1, random) : "");
    byte[] bytes = text.getBytes(UTF_8);
    assertThat(new LikePattern(pattern.toString(), false).matches(bytes, 0, bytes.length))
        .as("'%s' LIKE '%s'", text, pattern)
        .isEqualTo(regularExpression(pattern.toString()).matcher(text).matches());
  }

  private static String join(String[] parts, int count, Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  private static Pattern regularExpression(String like) {
    StringBuilder expression = new StringBuilder();
    for (int i = 0; i < like.length(); i++) {
      switch (like.charAt(i)) {
        case '%' -> expression.append(".*");
        case '_' -> expression.append('.');
        case '\\' -> expression.append(Pattern.quote(like.substring(++i, i + 1)));
        default -> expression.append(Pattern.quote(like.substring(i, i + 1)));
      }
    }
    return Pattern.compile(expression.toString(), Pattern.DOTALL);
  }
}
