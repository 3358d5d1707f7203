package dev.lance4j.format.internal.json;

import java.math.BigInteger;
import java.nio.ByteBuffer;

/** Numbers in JSONB: a byte for the kind, then the digits, highest byte first. */
final class JsonbNumbers {
  private static final int ZERO = 0x00;
  private static final int NAN = 0x10;
  private static final int INFINITY = 0x20;
  private static final int NEGATIVE_INFINITY = 0x30;
  private static final int SIGNED = 0x40;
  private static final int UNSIGNED = 0x50;
  private static final int FLOAT = 0x60;
  private static final int KIND = 0xf0;

  private JsonbNumbers() {}

  static Number read(ByteBuffer bytes, int start, int end) {
    if (start >= end) {
      throw malformed();
    }
    int length = end - start - 1;
    return switch (bytes.get(start) & KIND) {
      case ZERO -> 0L;
      case NAN -> Double.NaN;
      case INFINITY -> Double.POSITIVE_INFINITY;
      case NEGATIVE_INFINITY -> Double.NEGATIVE_INFINITY;
      case SIGNED -> signed(bytes, start + 1, length);
      case UNSIGNED -> unsigned(bytes, start + 1, length);
      case FLOAT -> {
        if (length != Double.BYTES) {
          throw malformed();
        }
        yield bytes.getDouble(start + 1);
      }
      default -> throw malformed();
    };
  }

  private static MalformedJsonbException malformed() {
    return new MalformedJsonbException("A JSON column holds a number that is not JSONB");
  }

  private static Number signed(ByteBuffer bytes, int at, int length) {
    return switch (length) {
      case 1 -> (long) bytes.get(at);
      case 2 -> (long) bytes.getShort(at);
      case 4 -> (long) bytes.getInt(at);
      case 8 -> bytes.getLong(at);
      default -> throw malformed();
    };
  }

  private static Number unsigned(ByteBuffer bytes, int at, int length) {
    if (length < 1 || length > Long.BYTES) {
      throw malformed();
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      value = (value << 8) | (bytes.get(at + i) & 0xff);
    }
    return value >= 0 ? (Number) value : new BigInteger(Long.toUnsignedString(value));
  }

  /** The shortest form. */
  static byte[] write(Number number) {
    if (number instanceof Double value) {
      return ByteBuffer.allocate(1 + Double.BYTES).put((byte) FLOAT).putDouble(value).array();
    }
    long value = number.longValue();
    boolean negative = !(number instanceof BigInteger) && value < 0;
    if (value == 0) {
      return new byte[] {ZERO};
    }
    int bytes = negative ? signedBytes(value) : unsignedBytes(value);
    ByteBuffer result = ByteBuffer.allocate(1 + bytes).put((byte) (negative ? SIGNED : UNSIGNED));
    for (int i = bytes - 1; i >= 0; i--) {
      result.put((byte) (value >>> (8 * i)));
    }
    return result.array();
  }

  private static int signedBytes(long value) {
    if (value == (byte) value) {
      return 1;
    } else if (value == (short) value) {
      return 2;
    }
    return value == (int) value ? 4 : 8;
  }

  private static int unsignedBytes(long value) {
    if (value >>> 8 == 0) {
      return 1;
    } else if (value >>> 16 == 0) {
      return 2;
    }
    return (value & 0xFFFF_FFFFL) == value ? 4 : 8;
  }
}
