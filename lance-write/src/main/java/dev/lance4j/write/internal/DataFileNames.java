package dev.lance4j.write.internal;

import java.util.Locale;
import java.util.UUID;

/**
 * Names for data files: 24 binary and 26 hexadecimal digits of a random UUID, so that object stores
 * spread them well (specification of the table's directory).
 */
final class DataFileNames {
  private static final int BINARY_DIGITS = 24;

  private DataFileNames() {}

  static String next() {
    UUID uuid = UUID.randomUUID();
    long high = uuid.getMostSignificantBits();
    StringBuilder name = new StringBuilder(64);
    for (int i = 0; i < BINARY_DIGITS; i++) {
      name.append((high >>> (Long.SIZE - 1 - i) & 1) == 0 ? '0' : '1');
    }
    long rest = high & 0xFF_FFFF_FFFFL;
    name.append(String.format(Locale.ROOT, "%010x%016x", rest, uuid.getLeastSignificantBits()));
    return name.append(".lance").toString();
  }
}
