package dev.lance4j.scan.internal.expr.eval;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BytesSearchTest {
  /** Bytes from 0 to 2 and from 127 to 129, where carries and signs could mislead. */
  @Property
  void findsTheFirstPlaceInsideTheBounds(
      @ForAll @IntRange(max = 60) int size,
      @ForAll @IntRange(max = 4) int length,
      @ForAll Random random) {
    byte[] bytes = bytes(size, random);
    byte[] wanted = bytes(length, random);
    int start = random.nextInt(size + 1);
    int end = start + random.nextInt(size - start + 1);
    int place = text(bytes).substring(start, end).indexOf(text(wanted));
    assertThat(new BytesSearch(wanted).find(bytes, start, end))
        .isEqualTo(place < 0 ? -1 : start + place);
  }

  private static byte[] bytes(int count, Random random) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (random.nextInt(3) + (random.nextBoolean() ? 127 : 0));
    }
    return bytes;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }
}
