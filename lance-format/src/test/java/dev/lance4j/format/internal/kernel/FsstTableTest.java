package dev.lance4j.format.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FsstTableTest {
  private static final String WORDS =
      "the of and to in a is that it was for on are with as his they be at one have this from or "
          + "had by hot but some what there we can out other were all your when up use word how "
          + "said an each she which do their time if will way about many then them would write "
          + "like so these her long make thing see him two has look more day could go come did my "
          + "sound no most number who over know water than call first people may down side been "
          + "now find any new work part take get place made live where after back little only "
          + "round man year came show every good me give our under name very through just form";

  @Test
  void decodesAHandMadeTable() {
    FsstTable table = FsstTable.parse(handMade(1, "hello ", "wor", "ld"));

    assertThat(table.isCoded()).isTrue();
    assertThat(decodeHex(table, "000102")).isEqualTo("hello world");
    assertThat(decodeHex(table, "ff7800ff21")).isEqualTo("xhello !");
    assertThat(decodeHex(table, "")).isEmpty();
  }

  @Test
  void codesWithTheLongestSymbols() {
    FsstTable table =
        FsstTable.parse(handMade(1, "a", "ab", "abcdefgh", "abc", "bcdefghi", "\0\0"));

    assertThat(encodeHex(table, "abcdefgh")).isEqualTo("02");
    assertThat(encodeHex(table, "abcdefg")).isEqualTo("03ff64ff65ff66ff67");
    assertThat(encodeHex(table, "aabaabcdefghi")).isEqualTo("00010002ff69");
    assertThat(encodeHex(table, "\0")).as("not beyond the end of the string").isEqualTo("ff00");
    assertThat(encodeHex(table, "\0\0\0")).isEqualTo("05ff00");
  }

  @Test
  void copiesVerbatimWhenTheTableSaysSo() {
    FsstTable table = FsstTable.parse(handMade(0));

    assertThat(table.isCoded()).isFalse();
    assertThat(decodeHex(table, "ff00fe")).isEqualTo("\u00ff\0\u00fe");
    assertThat(encodeHex(table, "\u00ff\0\u00fe")).isEqualTo("ff00fe");
    assertThat(FsstTable.parse(table.serialize()).isCoded()).isFalse();
  }

  @Test
  void testsOnlyTheLowestBitOfTheSwitch() {
    assertThat(FsstTable.parse(handMade(0xFE)).isCoded()).isFalse();
    assertThat(FsstTable.parse(handMade(0xFF)).isCoded()).isTrue();
  }

  @Test
  void readsATableFromTheMiddleOfABuffer() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(2400);
    bytes.position(40).put(handMade(1, "hello ", "wor", "ld")).limit(2352).position(40);

    assertThat(decodeHex(FsstTable.parse(bytes), "000102")).isEqualTo("hello world");
    assertThat(bytes.position()).isEqualTo(40);
  }

  @Test
  void serializesIntoTheStoredLayout() {
    ByteBuffer buffer = train(List.of(ascii("abcabcabcabcabcabcabcabcabcabc"))).serialize();
    byte[] bytes = toBytes(buffer);
    int count = bytes[0] & 0xFF;

    assertThat(buffer.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(bytes).hasSize(2312);
    assertThat(count).isPositive();
    assertThat(bytes[3]).isEqualTo((byte) 1);
    assertThat(hex(bytes, 4, 4)).isEqualTo("54535346");
    for (int code = 0; code < count; code++) {
      int length = bytes[8 + 8 * count + code];
      assertThat(length).isBetween(1, 8);
      String symbol = new String(bytes, 8 + 8 * code, length, StandardCharsets.ISO_8859_1);
      assertThat("abcabcabcabc").contains(symbol);
      assertThat(hex(bytes, 8 + 8 * code + length, 8 - length)).isEqualTo("00".repeat(8 - length));
    }
    assertThat(Arrays.copyOfRange(bytes, 8 + 9 * count, 2312))
        .isEqualTo(new byte[2312 - 8 - 9 * count]);
  }

  @Property(tries = 200)
  void restoresEveryString(@ForAll("strings") List<byte[]> strings) {
    assertRestored(strings);
  }

  @Provide
  Arbitrary<List<byte[]>> strings() {
    Arbitrary<byte[]> anyBytes = Arbitraries.bytes().array(byte[].class).ofMaxSize(40);
    Arbitrary<byte[]> fewBytes =
        Arbitraries.bytes().between((byte) 0, (byte) 3).array(byte[].class).ofMaxSize(200);
    return Arbitraries.oneOf(anyBytes, fewBytes).list().ofMaxSize(60);
  }

  @Test
  void restoresAllByteValuesAndEmptyStringsOfALargePage() {
    SplittableRandom random = new SplittableRandom(5);
    List<byte[]> strings = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      byte[] string = new byte[i % 3 == 0 ? 0 : random.nextInt(90)];
      random.nextBytes(string);
      strings.add(string);
    }
    assertRestored(strings);
  }

  @Test
  void restoresLongStrings() {
    assertRestored(List.of(ascii(englishText(100_000)), new byte[50_000], ascii("end")));
  }

  @Test
  void trainsWithoutAnyBytes() {
    for (List<byte[]> strings : List.of(List.<byte[]>of(), List.of(new byte[0], new byte[0]))) {
      FsstTable table = train(strings);
      assertThat(decodeHex(table, encodeHex(table, "any"))).isEqualTo("any");
    }
  }

  @Test
  void trainsTheSameTableAgain() {
    List<byte[]> strings = urls();

    assertThat(train(strings).serialize()).isEqualTo(train(strings).serialize());
  }

  @Test
  void trainsOnTheGivenStringsOnly() {
    byte[] bytes = ascii("zzzzzzzz" + "abab".repeat(100) + "zzzzzzzz");
    byte[] table = toBytes(FsstTable.train(bytes, new int[] {8, 208, 408}, 2).serialize());

    assertThat(new String(table, 8, 2040, StandardCharsets.ISO_8859_1)).doesNotContain("z");
  }

  @Test
  void makesEnglishTextLessThanHalfAsLarge() {
    List<byte[]> lines = new ArrayList<>();
    String text = englishText(200_000);
    for (int i = 0; i + 80 <= text.length(); i += 80) {
      lines.add(ascii(text.substring(i, i + 80)));
    }
    assertThat(compressedShare(lines)).isLessThan(0.5);
  }

  @Test
  void makesUrlsLessThanAThirdAsLarge() {
    assertThat(compressedShare(urls())).isLessThan(0.33);
  }

  @ParameterizedTest
  @ValueSource(strings = {"03", "00fe", "0001ff", "ff"})
  void refusesCodesWithoutASymbolAndADanglingEscape(String coded) {
    FsstTable table = FsstTable.parse(handMade(1, "hello ", "wor", "ld"));

    assertThatThrownBy(() -> decodeHex(table, coded)).isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void decodesGarbageOrRefusesIt(@ForAll @Size(max = 100) byte[] garbage) {
    FsstTable table = train(List.of(ascii(WORDS)));
    byte[] out = new byte[8 * garbage.length];
    try {
      assertThat(table.decode(garbage, 0, garbage.length, out, 0)).isLessThanOrEqualTo(out.length);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("FSST");
    }
  }

  @Test
  void refusesATableOfTheWrongLength() {
    for (int length : new int[] {0, 2311, 2313}) {
      assertThatThrownBy(() -> FsstTable.parse(ByteBuffer.allocate(length)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("2312");
    }
  }

  @Test
  void refusesATableWithoutTheMagicNumber() {
    ByteBuffer bytes = handMade(1, "hello ");

    assertThatThrownBy(() -> FsstTable.parse(bytes.put(7, (byte) 'f')))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("magic");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9, -1})
  void refusesASymbolOfAnImpossibleLength(int length) {
    ByteBuffer bytes = handMade(1, "hello ", "wor");

    assertThatThrownBy(() -> FsstTable.parse(bytes.put(8 + 2 * 8 + 1, (byte) length)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("symbol 1");
  }

  /** A serialized table: header, symbols of 8 bytes, their lengths. */
  private static ByteBuffer handMade(int codedSwitch, String... symbols) {
    ByteBuffer bytes = ByteBuffer.allocate(2312);
    bytes.put(0, (byte) symbols.length).put(3, (byte) codedSwitch).put(4, ascii("TSSF"));
    for (int i = 0; i < symbols.length; i++) {
      bytes.put(8 + 8 * i, ascii(symbols[i]));
      bytes.put(8 + 8 * symbols.length + i, (byte) symbols[i].length());
    }
    return bytes;
  }

  /** Codes the strings, decodes them as the format defines it, and with the class under test. */
  private static void assertRestored(List<byte[]> strings) {
    FsstTable table = train(strings);
    byte[] serialized = toBytes(table.serialize());
    FsstTable parsed = FsstTable.parse(ByteBuffer.wrap(serialized));
    for (byte[] string : strings) {
      byte[] padded = new byte[string.length + 8];
      Arrays.fill(padded, (byte) 'x');
      System.arraycopy(string, 0, padded, 3, string.length);
      byte[] out = new byte[2 * string.length + 8];
      int length = table.encode(padded, 3, string.length, out, 1);
      byte[] coded = Arrays.copyOfRange(out, 1, 1 + length);

      assertThat(naiveDecode(serialized, coded)).isEqualTo(string);
      byte[] decoded = new byte[8 * length + 1];
      int restored = parsed.decode(out, 1, length, decoded, 1);
      assertThat(Arrays.copyOfRange(decoded, 1, 1 + restored)).isEqualTo(string);
    }
  }

  private static byte[] naiveDecode(byte[] table, byte[] coded) {
    int count = table[0] & 0xFF;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < coded.length; i++) {
      int code = coded[i] & 0xFF;
      if (code == 255) {
        i++;
        out.write(coded[i]);
      } else {
        out.write(table, 8 + 8 * code, table[8 + 8 * count + code]);
      }
    }
    return out.toByteArray();
  }

  private static FsstTable train(List<byte[]> strings) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int[] offsets = new int[strings.size() + 1];
    for (int i = 0; i < strings.size(); i++) {
      bytes.writeBytes(strings.get(i));
      offsets[i + 1] = bytes.size();
    }
    return FsstTable.train(bytes.toByteArray(), offsets, strings.size());
  }

  private static double compressedShare(List<byte[]> strings) {
    FsstTable table = train(strings);
    long before = 0;
    long after = 0;
    for (byte[] string : strings) {
      before += string.length;
      after += table.encode(string, 0, string.length, new byte[2 * string.length + 7], 0);
    }
    return (double) after / before;
  }

  private static String englishText(int length) {
    String[] words = WORDS.split(" ", -1);
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      // Common words come first in the list and more often in the text.
      double skewed = random.nextDouble() * random.nextDouble();
      text.append(words[(int) (skewed * words.length)]).append(' ');
    }
    return text.toString();
  }

  private static List<byte[]> urls() {
    List<byte[]> urls = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      urls.add(ascii("https://www.example.com/products/" + i * 7919 % 100_000 + "/index.html"));
    }
    return urls;
  }

  private static String encodeHex(FsstTable table, String text) {
    byte[] in = ascii(text);
    byte[] out = new byte[2 * in.length + 7];
    return hex(out, 0, table.encode(in, 0, in.length, out, 0));
  }

  private static String decodeHex(FsstTable table, String coded) {
    byte[] in = HexFormat.of().parseHex(coded);
    byte[] out = new byte[8 * in.length];
    int length = table.decode(in, 0, in.length, out, 0);
    return new String(out, 0, length, StandardCharsets.ISO_8859_1);
  }

  private static byte[] toBytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String hex(byte[] bytes, int offset, int length) {
    return HexFormat.of().formatHex(bytes, offset, offset + length);
  }
}
