package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Functions on texts and bytes. Positions and lengths count Unicode characters. */
final class StringFunctions {
  private static final int MAX_TEXT = 256 << 20;

  private StringFunctions() {}

  static void register(Map<String, FunctionBinder> functions) {
    registerCase(functions);
    registerMeasures(functions);
    registerSearch(functions);
    registerParts(functions);
    registerChanges(functions);
    registerCodes(functions);
  }

  private static void registerCase(Map<String, FunctionBinder> functions) {
    functions.put("lower", a -> unary(a, text -> text.toLowerCase(Locale.ROOT)));
    functions.put("upper", a -> unary(a, text -> text.toUpperCase(Locale.ROOT)));
    functions.put("initcap", a -> unary(a, StringFunctions::capitalize));
    functions.put("btrim", a -> trim(a, true, true));
    functions.put("trim", a -> trim(a, true, true));
    functions.put("ltrim", a -> trim(a, true, false));
    functions.put("rtrim", a -> trim(a, false, true));
  }

  private static void registerMeasures(Map<String, FunctionBinder> functions) {
    for (String name : List.of("length", "char_length", "character_length")) {
      functions.put(
          name,
          a -> {
            a.require(1);
            Node text = a.anyText(0);
            return RowFunction.strict(
                lengthType(text), List.of(text), (row, out) -> out.append((long) characters(row)));
          });
    }
    functions.put("octet_length", a -> measure(a, (row, out) -> out.append(byteLength(row))));
    functions.put("bit_length", a -> measure(a, (row, out) -> out.append(byteLength(row) * 8)));
    functions.put(
        "ascii",
        a -> {
          a.require(1);
          return RowFunction.strict(
              Type.INT32,
              List.of(a.text(0)),
              (row, out) -> {
                String text = row.text(0);
                out.append(text.isEmpty() ? 0L : text.codePointAt(0));
              });
        });
  }

  private static Node measure(Arguments a, RowFunction.Kernel kernel) {
    a.require(1);
    Node text = a.text(0);
    return RowFunction.strict(lengthType(text), List.of(text), kernel);
  }

  private static Type lengthType(Node text) {
    return text.type().is(Kind.LARGE_UTF8) ? Type.INT64 : Type.INT32;
  }

  /** UTF-8 bytes that do not continue a character. */
  private static int characters(Row row) {
    byte[] bytes = row.bytesValues(0).bytes();
    int end = row.bytesValues(0).ends()[row.position()];
    int count = 0;
    for (int i = row.bytesValues(0).starts()[row.position()]; i < end; i++) {
      count += (bytes[i] & 0xc0) == 0x80 ? 0 : 1;
    }
    return count;
  }

  private static long byteLength(Row row) {
    return row.bytesValues(0).length(row.position());
  }

  private static void registerSearch(Map<String, FunctionBinder> functions) {
    functions.put("starts_with", a -> test(a, String::startsWith).named("starts_with"));
    functions.put("ends_with", a -> test(a, String::endsWith));
    functions.put("contains", a -> test(a, String::contains));
    for (String name : List.of("strpos", "instr", "position")) {
      functions.put(name, StringFunctions::position);
    }
    functions.put("find_in_set", StringFunctions::findInSet);
    functions.put("levenshtein", StringFunctions::levenshtein);
    functions.put("contains_tokens", StringFunctions::containsTokens);
  }

  private interface TextTest {
    boolean test(String text, String argument);
  }

  private static RowFunction test(Arguments a, TextTest test) {
    a.require(2);
    return RowFunction.strict(
        Type.BOOLEAN,
        List.of(a.text(0), a.text(1)),
        (row, out) -> out.append(test.test(row.text(0), row.text(1))));
  }

  private static Node position(Arguments a) {
    a.require(2);
    Node text = a.text(0);
    return RowFunction.strict(
        lengthType(text),
        List.of(text, a.text(1)),
        (row, out) -> {
          String value = row.text(0);
          int index = value.indexOf(row.text(1));
          out.append(index < 0 ? 0L : value.codePointCount(0, index) + 1L);
        });
  }

  private static Node findInSet(Arguments a) {
    a.require(2);
    return RowFunction.strict(
        Type.INT32,
        List.of(a.anyText(0), a.anyText(1)),
        (row, out) -> out.append(List.of(row.text(1).split(",", -1)).indexOf(row.text(0)) + 1L));
  }

  private static Node levenshtein(Arguments a) {
    a.require(2);
    Node text = a.text(0);
    return RowFunction.strict(
        lengthType(text),
        List.of(text, a.text(1)),
        (row, out) ->
            out.append(
                (long)
                    distance(
                        row.text(0).codePoints().toArray(), row.text(1).codePoints().toArray())));
  }

  private static int distance(int[] left, int[] right) {
    int[] previous = new int[right.length + 1];
    int[] current = new int[right.length + 1];
    for (int j = 0; j <= right.length; j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= left.length; i++) {
      current[0] = i;
      for (int j = 1; j <= right.length; j++) {
        int change = previous[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
        current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
      }
      int[] swap = previous;
      previous = current;
      current = swap;
    }
    return previous[right.length];
  }

  private static Node containsTokens(Arguments a) {
    a.require(2);
    return RowFunction.nullAware(
        Type.BOOLEAN,
        List.of(a.anyText(0), a.anyText(1)),
        (row, out) -> {
          if (row.isNull(0)) {
            out.appendNull();
          } else {
            Set<String> wanted = row.isNull(1) ? Set.of() : Tokens.of(row.text(1));
            out.append(Tokens.of(row.text(0)).containsAll(wanted));
          }
        });
  }

  private static void registerParts(Map<String, FunctionBinder> functions) {
    functions.put("left", a -> edge(a, true));
    functions.put("right", a -> edge(a, false));
    functions.put("substr", StringFunctions::substring);
    functions.put("substring", StringFunctions::substring);
    functions.put("split_part", StringFunctions::splitPart);
    functions.put("substr_index", StringFunctions::substringIndex);
    functions.put("substring_index", StringFunctions::substringIndex);
    functions.put("string_to_array", StringFunctions::split);
    functions.put("string_to_list", StringFunctions::split);
  }

  private static Node edge(Arguments a, boolean left) {
    a.require(2);
    Node text = a.anyText(0);
    return RowFunction.strict(
        text.type(),
        List.of(text, a.integer(1)),
        (row, out) -> {
          int[] characters = row.text(0).codePoints().toArray();
          long wanted = row.integer(1);
          int size = characters.length;
          int count = (int) (wanted >= 0 ? Math.min(wanted, size) : Math.max(0, size + wanted));
          out.append(new String(characters, left ? 0 : size - count, count));
        });
  }

  private static Node substring(Arguments a) {
    a.require(2, 3);
    Node text = a.text(0);
    List<Node> nodes = new ArrayList<>(List.of(text, a.integer(1)));
    if (a.count() == 3) {
      nodes.add(a.integer(2));
    }
    return RowFunction.strict(
        text.type(),
        nodes,
        (row, out) -> {
          int[] characters = row.text(0).codePoints().toArray();
          long start = row.integer(1) - 1;
          long end = characters.length;
          if (row.count() == 3) {
            if (row.integer(2) < 0) {
              throw new InvalidInputException(
                  "substr needs a length that is not negative; got " + row.integer(2));
            }
            end = Math.min(end, saturatedAdd(start, row.integer(2)));
          }
          int from = (int) Math.max(0, Math.min(start, characters.length));
          out.append(new String(characters, from, (int) Math.max(0, end - from)));
        });
  }

  private static long saturatedAdd(long left, long right) {
    long sum = left + right;
    return right > 0 && sum < left ? Long.MAX_VALUE : sum;
  }

  private static Node splitPart(Arguments a) {
    a.require(3);
    Node text = a.text(0);
    return RowFunction.strict(
        text.type(),
        List.of(text, a.text(1), a.integer(2)),
        (row, out) -> {
          List<String> parts = split(row.text(0), row.text(1));
          long wanted = row.integer(2);
          if (wanted == 0) {
            throw new InvalidInputException("split_part counts from 1 or from -1, not from 0");
          }
          long index = wanted > 0 ? wanted - 1 : parts.size() + wanted;
          out.append(index >= 0 && index < parts.size() ? parts.get((int) index) : "");
        });
  }

  private static List<String> split(String text, String delimiter) {
    if (delimiter.isEmpty()) {
      return List.of(text);
    }
    List<String> parts = new ArrayList<>();
    int from = 0;
    for (int at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, from)) {
      parts.add(text.substring(from, at));
      from = at + delimiter.length();
    }
    parts.add(text.substring(from));
    return parts;
  }

  private static Node substringIndex(Arguments a) {
    a.require(3);
    return RowFunction.strict(
        Type.UTF8,
        List.of(a.anyText(0), a.anyText(1), a.integer(2)),
        (row, out) -> {
          String delimiter = row.text(1);
          List<String> parts = split(row.text(0), delimiter);
          long wanted = row.integer(2);
          int size = parts.size();
          int count = (int) Math.min(size, Math.abs(Math.max(wanted, -Long.MAX_VALUE)));
          if (delimiter.isEmpty() || wanted == 0) {
            out.append("");
          } else {
            out.append(
                String.join(
                    delimiter,
                    wanted > 0 ? parts.subList(0, count) : parts.subList(size - count, size)));
          }
        });
  }

  private static Node split(Arguments a) {
    a.require(2, 3);
    Node text = a.text(0);
    List<Node> nodes = new ArrayList<>(List.of(text, a.text(1)));
    if (a.count() == 3) {
      nodes.add(a.text(2));
    }
    return RowFunction.nullAware(
        Type.list(text.type()),
        nodes,
        (row, out) -> {
          if (row.isNull(0)) {
            out.appendNull();
            return;
          }
          String absent = row.count() == 3 && !row.isNull(2) ? row.text(2) : null;
          List<String> parts =
              row.isNull(1) ? characters(row.text(0)) : split(row.text(0), row.text(1));
          int first = out.items().size();
          for (String part : parts) {
            if (part.equals(absent)) {
              out.items().appendNull();
            } else {
              out.items().append(part);
            }
          }
          out.appendList(first);
        });
  }

  private static List<String> characters(String text) {
    return text.codePoints().mapToObj(Character::toString).toList();
  }

  private static void registerChanges(Map<String, FunctionBinder> functions) {
    functions.put("lpad", a -> pad(a, true));
    functions.put("rpad", a -> pad(a, false));
    functions.put("repeat", StringFunctions::repeat);
    functions.put("replace", StringFunctions::replace);
    functions.put("translate", StringFunctions::translate);
    functions.put("reverse", StringFunctions::reverse);
    functions.put("concat", StringFunctions::concat);
    functions.put("concat_ws", StringFunctions::concatWithSeparator);
  }

  private static Node pad(Arguments a, boolean left) {
    a.require(2, 3);
    Node text = a.anyText(0);
    List<Node> nodes = new ArrayList<>(List.of(text, a.integer(1)));
    nodes.add(a.count() == 3 ? a.anyText(2) : Constant.of(" "));
    return RowFunction.strict(
        text.type(),
        nodes,
        (row, out) -> {
          int[] characters = row.text(0).codePoints().toArray();
          int[] fill = row.text(2).codePoints().toArray();
          int length = checkedLength(Math.max(0, row.integer(1)));
          if (length <= characters.length || fill.length == 0) {
            out.append(new String(characters, 0, Math.min(length, characters.length)));
            return;
          }
          StringBuilder padding = new StringBuilder();
          for (int i = 0; i < length - characters.length; i++) {
            padding.appendCodePoint(fill[i % fill.length]);
          }
          out.append(left ? padding + row.text(0) : row.text(0) + padding);
        });
  }

  private static int checkedLength(long length) {
    if (length > MAX_TEXT) {
      throw new InvalidInputException("A text of " + length + " characters is too long");
    }
    return (int) length;
  }

  private static Node repeat(Arguments a) {
    a.require(2);
    Node text = a.text(0);
    return RowFunction.strict(
        text.type(),
        List.of(text, a.integer(1)),
        (row, out) -> {
          String value = row.text(0);
          long count = value.isEmpty() ? 0 : Math.max(0, row.integer(1));
          checkedLength(count);
          checkedLength(count * value.length());
          out.append(value.repeat((int) count));
        });
  }

  private static Node replace(Arguments a) {
    a.require(3);
    Node text = a.text(0);
    return RowFunction.strict(
        text.type(),
        List.of(text, a.text(1), a.text(2)),
        (row, out) -> out.append(row.text(0).replace(row.text(1), row.text(2))));
  }

  private static Node translate(Arguments a) {
    a.require(3);
    Node text = a.anyText(0);
    return RowFunction.strict(
        text.type(),
        List.of(text, a.anyText(1), a.anyText(2)),
        (row, out) -> {
          int[] from = row.text(1).codePoints().toArray();
          int[] to = row.text(2).codePoints().toArray();
          StringBuilder result = new StringBuilder();
          row.text(0).codePoints().forEach(c -> appendTranslated(c, from, to, result));
          out.append(result.toString());
        });
  }

  private static void appendTranslated(int character, int[] from, int[] to, StringBuilder result) {
    for (int i = 0; i < from.length; i++) {
      if (from[i] == character) {
        if (i < to.length) {
          result.appendCodePoint(to[i]);
        }
        return;
      }
    }
    result.appendCodePoint(character);
  }

  private static Node reverse(Arguments a) {
    a.require(1);
    Node text = a.anyText(0);
    return RowFunction.strict(
        text.type(),
        List.of(text),
        (row, out) -> out.append(new StringBuilder(row.text(0)).reverse().toString()));
  }

  private static Node concat(Arguments a) {
    a.require(1, Integer.MAX_VALUE);
    List<Node> texts = new ArrayList<>();
    boolean large = false;
    for (int i = 0; i < a.count(); i++) {
      requireTextIfConstant(a, i);
      texts.add(a.anyText(i));
      large |= texts.get(i).type().is(Kind.LARGE_UTF8);
    }
    return RowFunction.nullAware(
        large ? Type.LARGE_UTF8 : Type.UTF8,
        texts,
        (row, out) -> {
          StringBuilder result = new StringBuilder();
          for (int i = 0; i < row.count(); i++) {
            result.append(row.isNull(i) ? "" : row.text(i));
          }
          out.append(result.toString());
        });
  }

  private static void requireTextIfConstant(Arguments a, int index) {
    if (a.get(index) instanceof Constant && !a.type(index).kind().isString()) {
      throw a.wrongType(index, "a string when it is a constant");
    }
  }

  private static Node concatWithSeparator(Arguments a) {
    a.require(2, Integer.MAX_VALUE);
    List<Node> texts = new ArrayList<>();
    for (int i = 0; i < a.count(); i++) {
      requireTextIfConstant(a, i);
      texts.add(a.anyText(i));
    }
    return RowFunction.nullAware(
        Type.UTF8,
        texts,
        (row, out) -> {
          if (row.isNull(0)) {
            out.appendNull();
            return;
          }
          List<String> parts = new ArrayList<>();
          for (int i = 1; i < row.count(); i++) {
            if (!row.isNull(i)) {
              parts.add(row.text(i));
            }
          }
          out.append(String.join(row.text(0), parts));
        });
  }

  private static void registerCodes(Map<String, FunctionBinder> functions) {
    functions.put("chr", StringFunctions::character);
    functions.put("to_hex", StringFunctions::toHex);
    functions.put("encode", StringFunctions::encode);
    functions.put("decode", StringFunctions::decode);
    functions.put("md5", a -> hashText(a, "MD5"));
    functions.put("sha224", a -> hash(a, "SHA-224"));
    functions.put("sha256", a -> hash(a, "SHA-256"));
    functions.put("sha384", a -> hash(a, "SHA-384"));
    functions.put("sha512", a -> hash(a, "SHA-512"));
    functions.put("digest", StringFunctions::digest);
    functions.put("uuid", UuidNode::bind);
  }

  private static Node character(Arguments a) {
    a.require(1);
    return RowFunction.strict(
        Type.UTF8,
        List.of(signed(a, 0)),
        (row, out) -> {
          long code = row.integer(0);
          if (code < 0 || code > Character.MAX_CODE_POINT || (code >= 0xd800 && code < 0xe000)) {
            throw new InvalidInputException("No character has the code " + code);
          }
          out.append(Character.toString((int) code));
        });
  }

  private static Node signed(Arguments a, int index) {
    if (a.type(index).kind().isUnsigned() && a.type(index).is(Kind.UINT64)) {
      throw a.wrongType(index, "a signed integer");
    }
    return a.integer(index);
  }

  private static Node toHex(Arguments a) {
    a.require(1);
    Kind kind = a.type(0).kind();
    if (!kind.isInteger() && kind != Kind.NULL) {
      throw a.wrongType(0, "an integer");
    }
    return RowFunction.strict(
        Type.UTF8,
        List.of(kind == Kind.UINT64 ? a.get(0) : a.integer(0)),
        (row, out) -> out.append(Long.toHexString(row.integer(0))));
  }

  private static Node encode(Arguments a) {
    a.require(2);
    Node bytes = a.textOrBinary(0);
    boolean hexadecimal = isHexadecimal(a);
    return RowFunction.strict(
        bytes.type().is(Kind.LARGE_BINARY) || bytes.type().is(Kind.LARGE_UTF8)
            ? Type.LARGE_UTF8
            : Type.UTF8,
        List.of(bytes),
        (row, out) ->
            out.append(
                hexadecimal
                    ? HexFormat.of().formatHex(row.bytes(0))
                    : Base64.getEncoder().withoutPadding().encodeToString(row.bytes(0))));
  }

  private static Node decode(Arguments a) {
    a.require(2);
    boolean hexadecimal = isHexadecimal(a);
    return RowFunction.strict(
        Type.BINARY,
        List.of(a.textOrBinary(0)),
        (row, out) -> {
          byte[] bytes = decode(row.text(0), hexadecimal);
          out.append(bytes, 0, bytes.length);
        });
  }

  private static boolean isHexadecimal(Arguments a) {
    String encoding = a.constantText(1).toLowerCase(Locale.ROOT);
    return switch (encoding) {
      case "hex" -> true;
      case "base64" -> false;
      default ->
          throw new InvalidInputException("Unknown encoding '" + encoding + "'; use hex or base64");
    };
  }

  private static byte[] decode(String text, boolean hexadecimal) {
    try {
      return hexadecimal ? HexFormat.of().parseHex(text) : Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException("Cannot decode '" + text + "'", e);
    }
  }

  private static Node hashText(Arguments a, String algorithm) {
    a.require(1);
    return RowFunction.strict(
        Type.UTF8,
        List.of(a.textOrBinary(0)),
        (row, out) -> out.append(HexFormat.of().formatHex(hash(algorithm, row.bytes(0)))));
  }

  private static Node hash(Arguments a, String algorithm) {
    a.require(1);
    return binaryHash(a, algorithm);
  }

  private static Node binaryHash(Arguments a, String algorithm) {
    return RowFunction.strict(
        Type.BINARY,
        List.of(a.textOrBinary(0)),
        (row, out) -> {
          byte[] digest = hash(algorithm, row.bytes(0));
          out.append(digest, 0, digest.length);
        });
  }

  private static Node digest(Arguments a) {
    a.require(2);
    String name = a.constantText(1).toLowerCase(Locale.ROOT);
    String algorithm =
        switch (name) {
          case "md5" -> "MD5";
          case "sha224" -> "SHA-224";
          case "sha256" -> "SHA-256";
          case "sha384" -> "SHA-384";
          case "sha512" -> "SHA-512";
          default ->
              throw new InvalidInputException(
                  "Unknown digest '" + name + "'; use md5, sha224, sha256, sha384 or sha512");
        };
    return binaryHash(a, algorithm);
  }

  private static byte[] hash(String algorithm, byte[] bytes) {
    try {
      return MessageDigest.getInstance(algorithm).digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new InvalidInputException("This Java runtime has no " + algorithm, e);
    }
  }

  private interface TextChange {
    String apply(String text);
  }

  private static Node unary(Arguments a, TextChange change) {
    a.require(1);
    Node text = a.text(0);
    return RowFunction.strict(
        text.type(), List.of(text), (row, out) -> out.append(change.apply(row.text(0))));
  }

  /** The first letter of each word in upper case, the rest in lower case. */
  private static String capitalize(String text) {
    StringBuilder result = new StringBuilder(text.length());
    boolean inWord = false;
    for (int c : text.codePoints().toArray()) {
      result.append(
          inWord
              ? Character.toString(c).toLowerCase(Locale.ROOT)
              : Character.toString(c).toUpperCase(Locale.ROOT));
      inWord = Character.isLetterOrDigit(c);
    }
    return result.toString();
  }

  private static Node trim(Arguments a, boolean left, boolean right) {
    a.require(1, 2);
    Node text = a.text(0);
    Node characters = a.count() == 2 ? a.text(1) : Constant.of(" ");
    return RowFunction.strict(
        text.type(),
        List.of(text, characters),
        (row, out) -> trim(row.text(0), row.text(1), left, right, out));
  }

  private static void trim(
      String text, String characters, boolean left, boolean right, ValuesBuilder out) {
    int[] codes = text.codePoints().toArray();
    int from = 0;
    int to = codes.length;
    while (left && from < to && characters.indexOf(codes[from]) >= 0) {
      from++;
    }
    while (right && to > from && characters.indexOf(codes[to - 1]) >= 0) {
      to--;
    }
    byte[] bytes = new String(codes, from, to - from).getBytes(StandardCharsets.UTF_8);
    out.append(bytes, 0, bytes.length);
  }
}
