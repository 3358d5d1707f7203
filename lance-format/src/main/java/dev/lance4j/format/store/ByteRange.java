package dev.lance4j.format.store;

/**
 * A range of bytes of an object.
 *
 * @param offset first byte
 * @param length number of bytes
 */
public record ByteRange(long offset, int length) {
  /** The first byte after the range. */
  public long end() {
    return offset + length;
  }
}
