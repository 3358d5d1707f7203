package dev.lance4j.format.internal.data;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Dictionary keys of any width in memory; never negative. */
public final class Keys {
  private Keys() {}

  /** Key {@code i}, read without a sign. */
  public static long get(ArrowBuf keys, long i, int width) {
    return switch (width) {
      case 1 -> keys.getByte(i) & 0xFFL;
      case 2 -> keys.getShort(i * 2) & 0xFFFFL;
      case 4 -> keys.getInt(i * 4) & 0xFFFF_FFFFL;
      default -> keys.getLong(i * 8);
    };
  }

  /** Replaces key {@code i}. */
  public static void set(ArrowBuf keys, long i, int width, int key) {
    switch (width) {
      case 1 -> keys.setByte(i, key);
      case 2 -> keys.setShort(i * 2, key);
      case 4 -> keys.setInt(i * 4, key);
      default -> keys.setLong(i * 8, key);
    }
  }

  /** The largest key of a type, as far as an array can have so many values. */
  public static long max(ArrowType.Int type) {
    int bits = type.getBitWidth() - (type.getIsSigned() ? 1 : 0);
    return bits >= 31 ? Integer.MAX_VALUE : (1L << bits) - 1;
  }
}
