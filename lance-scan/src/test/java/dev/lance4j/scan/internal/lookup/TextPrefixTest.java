package dev.lance4j.scan.internal.lookup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TextPrefixTest {
  private static final int[] CHARACTERS = {
    0, 'a', 'b', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10fffe, 0x10ffff
  };

  @Property(tries = 3_000)
  void textsFromTheStartToItsSuccessorAreThoseThatStartWithIt(@ForAll Random random) {
    String start = text(random, 1 + random.nextInt(3));
    String text = text(random, random.nextInt(5));
    Optional<String> successor = new TextPrefix(start, TextPrefix.Rest.ANYTHING).successor();
    boolean inRange =
        compare(text, start) >= 0 && (successor.isEmpty() || compare(text, successor.get()) < 0);
    assertThat(inRange).isEqualTo(text.startsWith(start));
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(CHARACTERS[random.nextInt(CHARACTERS.length)]);
    }
    return text.toString();
  }

  private static int compare(String a, String b) {
    return Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));
  }

  @Test
  void thereIsNothingAfterTheLastCharacters() {
    String last = Character.toString(Character.MAX_CODE_POINT);
    assertThat(new TextPrefix(last + last, TextPrefix.Rest.ANYTHING).successor()).isEmpty();
    assertThat(new TextPrefix("a" + last, TextPrefix.Rest.ANYTHING).successor()).contains("b");
  }

  @Test
  void patternsAreTakenApartAtTheirFirstWildcard() {
    assertThat(TextPrefix.ofPattern("ab")).isEqualTo(prefix("ab", TextPrefix.Rest.NOTHING));
    assertThat(TextPrefix.ofPattern("a\\%b%%")).isEqualTo(prefix("a%b", TextPrefix.Rest.ANYTHING));
    assertThat(TextPrefix.ofPattern("a_%")).isEqualTo(prefix("a", TextPrefix.Rest.PATTERN));
    assertThat(TextPrefix.ofPattern("%")).isEqualTo(prefix("", TextPrefix.Rest.ANYTHING));
    assertThat(TextPrefix.ofPattern("a\\")).isEqualTo(prefix("a\\", TextPrefix.Rest.NOTHING));
  }

  private static TextPrefix prefix(String text, TextPrefix.Rest rest) {
    return new TextPrefix(text, rest);
  }
}
