package dev.lance4j.compaction;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How the values of rows get into new files. */
public enum CompactionMode {
  /** They are decoded and encoded again. */
  REENCODE,
  /** Pages may be copied as they are; Lance4j decodes and encodes them again. */
  TRY_BINARY_COPY,
  /** Pages must be copied as they are, which Lance4j does not do. */
  FORCE_BINARY_COPY;

  /** The name in a table's settings, such as {@code try_binary_copy}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The mode of a name in a table's settings, if there is one. */
  static Optional<CompactionMode> of(String name) {
    return Arrays.stream(values()).filter(mode -> mode.toString().equals(name)).findFirst();
  }

  /** The names of all modes. */
  static List<String> names() {
    return Arrays.stream(values()).map(CompactionMode::toString).toList();
  }
}
