package dev.lance4j.format.internal.blob;

import java.util.Optional;

/** Where the bytes of a blob are. */
public enum BlobKind {
  /** In the data file itself. */
  INLINE,
  /** Beside others in an object next to the data file. */
  PACKED,
  /** Alone in an object next to the data file. */
  DEDICATED,
  /** In an object that the table does not own. */
  EXTERNAL;

  private static final BlobKind[] KINDS = {INLINE, PACKED, DEDICATED, EXTERNAL};

  /** The number that descriptors hold. */
  byte code() {
    for (int code = 0; code < KINDS.length; code++) {
      if (KINDS[code] == this) {
        return (byte) code;
      }
    }
    throw new AssertionError(this);
  }

  /** The kind of a number; absent if there is none. */
  public static Optional<BlobKind> of(int code) {
    return code >= 0 && code < KINDS.length ? Optional.of(KINDS[code]) : Optional.empty();
  }
}
