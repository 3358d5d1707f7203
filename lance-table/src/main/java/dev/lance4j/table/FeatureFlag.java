package dev.lance4j.table;

import dev.lance4j.format.UnsupportedFormatException;
import java.util.ArrayList;
import java.util.List;

/**
 * A bit in the two words of a manifest that say what a reader and a writer of the table must know.
 */
public enum FeatureFlag {
  DELETION_FILES(1, "deletion files", true),
  STABLE_ROW_IDS(1 << 1, "stable row ids", true),
  /** Marked files of version 2.0 until manifests recorded the version of their files. */
  V2_FORMAT(1 << 2, "v2 format", true),
  TABLE_CONFIG(1 << 3, "table config", true),
  BASE_PATHS(1 << 4, "base paths", true),
  /** The transaction is in the manifest's file only. */
  NO_TRANSACTION_FILE(1 << 5, "no transaction file", true),
  DATA_OVERLAYS(1 << 6, "data overlay files", false),
  COVERED_INDEX_METADATA(1 << 7, "covered index metadata", false),
  MIXED_FILE_VERSIONS(1 << 8, "mixed data-file versions", false),
  FRAGMENT_REUSE_WITH_STABLE_ROW_IDS(1 << 9, "fragment reuse with stable row ids", false),
  TAGGED_FRAGMENT_REUSE(1 << 10, "tagged fragment-reuse index", false),
  MANAGED_BLOBS(1 << 11, "managed blobs or semantic types", false);

  private final long mask;
  private final String text;
  private final boolean supported;

  FeatureFlag(long mask, String text, boolean supported) {
    this.mask = mask;
    this.text = text;
    this.supported = supported;
  }

  /** The bit. */
  public long mask() {
    return mask;
  }

  /** Whether the bit is set in a word of flags. */
  public boolean isIn(long flags) {
    return (flags & mask) != 0;
  }

  /**
   * Checks that this version knows all that a reader must know.
   *
   * @param flags the reader's word of a manifest
   * @param uri the table, for the error
   * @throws UnsupportedFormatException if it does not; the message names the features
   */
  public static void checkReadable(long flags, String uri) {
    check(flags, uri, "read");
  }

  /**
   * Checks that this version knows all that a writer must know.
   *
   * @param flags the writer's word of a manifest
   * @param uri the table, for the error
   * @throws UnsupportedFormatException if it does not; the message names the features
   */
  public static void checkWritable(long flags, String uri) {
    check(flags, uri, "write");
  }

  private static void check(long flags, String uri, String verb) {
    List<String> unsupported = new ArrayList<>();
    long known = 0;
    for (FeatureFlag flag : values()) {
      known |= flag.mask;
      if (flag.isIn(flags) && !flag.supported) {
        unsupported.add(flag.text + " (" + flag.mask + ")");
      }
    }
    long unknown = flags & ~known;
    if (unknown != 0) {
      unsupported.add("unknown flags (" + Long.toUnsignedString(unknown) + ")");
    }
    if (!unsupported.isEmpty()) {
      throw new UnsupportedFormatException(
          "This version of Lance4j cannot "
              + verb
              + " dataset "
              + uri
              + ", because it uses "
              + String.join(", ", unsupported)
              + "; use a newer version. Flags: "
              + Long.toUnsignedString(flags));
    }
  }
}
