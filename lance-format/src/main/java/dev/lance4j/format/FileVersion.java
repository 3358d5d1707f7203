package dev.lance4j.format;

import java.util.Locale;

/**
 * A version of the data-file format. The pair in a file's footer and the pair in a manifest's
 * {@code DataFile} differ for 2.0; the version's {@linkplain #toString() name} is what a manifest's
 * data format records.
 */
public enum FileVersion {
  /** The legacy format, also called 0.1: read only. */
  V0_1("0.1", 0, 2, 0, 2),
  /** 2.0, whose footer says (0, 3). */
  V2_0("2.0", 0, 3, 2, 0),
  /** 2.1, the default for new tables. */
  V2_1("2.1", 2, 1, 2, 1),
  V2_2("2.2", 2, 2, 2, 2),
  /** 2.3, which is not stable yet: read only as far as it equals 2.2. */
  V2_3("2.3", 2, 3, 2, 3);

  private final String text;
  private final int footerMajor;
  private final int footerMinor;
  private final int manifestMajor;
  private final int manifestMinor;

  FileVersion(String text, int footerMajor, int footerMinor, int manifestMajor, int manifestMinor) {
    this.text = text;
    this.footerMajor = footerMajor;
    this.footerMinor = footerMinor;
    this.manifestMajor = manifestMajor;
    this.manifestMinor = manifestMinor;
  }

  /** The version that new tables and files get unless asked otherwise. */
  public static FileVersion defaultVersion() {
    return V2_1;
  }

  /**
   * The version with this number pair, as found in a footer or in a manifest.
   *
   * @throws UnsupportedFormatException if no known version has it
   */
  public static FileVersion of(int major, int minor) {
    if (major == 0 && minor >= 0 && minor <= 2) {
      return V0_1;
    }
    for (FileVersion version : values()) {
      if ((version.footerMajor == major && version.footerMinor == minor)
          || (version.manifestMajor == major && version.manifestMinor == minor)) {
        return version;
      }
    }
    throw new UnsupportedFormatException(
        "Unknown Lance file version " + major + "." + minor + "; known are 0.1 and 2.0 to 2.3");
  }

  /**
   * The version of this name: {@code 0.1}, {@code legacy}, {@code 0.3}, {@code 2.0} to {@code 2.3},
   * {@code stable} or {@code next}, in any case.
   *
   * @throws InvalidInputException if there is no such version
   */
  public static FileVersion parse(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "0.1", "legacy" -> V0_1;
      case "0.3", "2.0" -> V2_0;
      case "2.1", "stable" -> V2_1;
      case "2.2" -> V2_2;
      case "2.3", "next" -> V2_3;
      default -> throw new InvalidInputException("Unknown Lance storage version: " + name);
    };
  }

  /** The major number in the footer of a file. */
  public int footerMajor() {
    return footerMajor;
  }

  /** The minor number in the footer of a file. */
  public int footerMinor() {
    return footerMinor;
  }

  /** The major number in the {@code DataFile} of a manifest. */
  public int manifestMajor() {
    return manifestMajor;
  }

  /** The minor number in the {@code DataFile} of a manifest. */
  public int manifestMinor() {
    return manifestMinor;
  }

  /** Whether this version is at least {@code other}. */
  public boolean atLeast(FileVersion other) {
    return compareTo(other) >= 0;
  }

  /** The name that a manifest records, such as {@code 2.1}. */
  @Override
  public String toString() {
    return text;
  }
}
