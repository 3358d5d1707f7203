package dev.lance4j.table;

import java.util.Optional;

/** How the manifest of a version is named in {@code _versions}. */
public enum ManifestNaming {
  /** The version in decimal. */
  V1,
  /** The complement of the version with 20 digits, so that the newest one is listed first. */
  V2,
  /** A version outside the table's history, {@code d} and its number. */
  DETACHED;

  private static final String SUFFIX = ".manifest";
  private static final int V2_DIGITS = 20;
  private static final int V2_LENGTH = V2_DIGITS + SUFFIX.length();

  /**
   * A manifest recognised by its name.
   *
   * @param naming the scheme of the name
   * @param version the version, unsigned
   */
  public record Named(ManifestNaming naming, long version) {}

  /** Whether this is the number of a detached version, which have the highest bit set. */
  public static boolean isDetached(long version) {
    return version < 0;
  }

  /** The name of a version's manifest. */
  public String fileName(long version) {
    return switch (this) {
      case V1 -> Long.toUnsignedString(version) + SUFFIX;
      case V2 -> {
        String digits = Long.toUnsignedString(~version);
        yield "0".repeat(V2_DIGITS - digits.length()) + digits + SUFFIX;
      }
      case DETACHED -> "d" + Long.toUnsignedString(version) + SUFFIX;
    };
  }

  /**
   * Recognises a manifest. Manifests that are only staged, temporary files, the version hint and
   * anything else give nothing.
   */
  public static Optional<Named> classify(String fileName) {
    if (!fileName.endsWith(SUFFIX)) {
      return Optional.empty();
    }
    String digits = fileName.substring(0, fileName.length() - SUFFIX.length());
    ManifestNaming naming = V1;
    if (digits.startsWith("d")) {
      naming = DETACHED;
      digits = digits.substring(1);
    } else if (fileName.length() == V2_LENGTH) {
      naming = V2;
    }
    if (!isNumber(digits)) {
      return Optional.empty();
    }
    try {
      long number = Long.parseUnsignedLong(digits);
      return Optional.of(new Named(naming, naming == V2 ? ~number : number));
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  private static boolean isNumber(String digits) {
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
        return false;
      }
    }
    return !digits.isEmpty();
  }
}
