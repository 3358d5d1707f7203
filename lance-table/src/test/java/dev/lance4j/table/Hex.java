package dev.lance4j.table;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bytes as specifications write them: hexadecimal pairs, quoted text, {@code FF*9} for repeats. */
final class Hex {
  private static final Pattern TOKEN =
      Pattern.compile("\"([^\"]*)\"|([0-9A-Fa-f]{2})\\*(\\d+)|([0-9A-Fa-f]{2})");

  private Hex() {}

  static ByteBuffer bytes(String... text) {
    ByteBuffer out = ByteBuffer.allocate(1 << 12);
    Matcher matcher = TOKEN.matcher(String.join(" ", text));
    while (matcher.find()) {
      if (matcher.group(1) != null) {
        out.put(matcher.group(1).getBytes(StandardCharsets.UTF_8));
      } else if (matcher.group(2) != null) {
        for (int i = 0; i < Integer.parseInt(matcher.group(3)); i++) {
          out.put((byte) Integer.parseInt(matcher.group(2), 16));
        }
      } else {
        out.put((byte) Integer.parseInt(matcher.group(4), 16));
      }
    }
    return out.flip();
  }

  static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
