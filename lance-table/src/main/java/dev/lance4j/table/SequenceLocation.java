package dev.lance4j.table;

import com.google.protobuf.ByteString;

/** Where one of a fragment's serialised sequences (row ids or row versions) is. */
public sealed interface SequenceLocation {
  /** In the manifest itself. */
  record Inline(ByteString bytes) implements SequenceLocation {}

  /**
   * In a part of a file.
   *
   * @param path relative to the table's root
   * @param offset first byte
   * @param size number of bytes
   */
  record External(String path, long offset, long size) implements SequenceLocation {}
}
