package dev.lance4j.format.internal.v21.item;

import java.nio.ByteBuffer;
import java.util.List;

/** Decoded items, in the bytes of the Arrow layout and without their own validity. */
public sealed interface Block {
  /**
   * Items of one width.
   *
   * @param bytes little-endian, from index 0; single bits are packed from the lowest on
   * @param bits width of an item: 1 or a multiple of 8
   * @param lasting whether the bytes are those of the file, which never change
   */
  record Fixed(ByteBuffer bytes, int bits, boolean lasting) implements Block {}

  /** Items of any length. */
  final class Variable implements Block {
    private final ByteBuffer bytes;
    private final int[] offsets;

    /**
     * Item {@code i} is the bytes from {@code offsets[i]} to {@code offsets[i + 1]}.
     *
     * @param offsets ascending and inside the bytes
     */
    public Variable(ByteBuffer bytes, int[] offsets) {
      this.bytes = bytes;
      this.offsets = offsets;
    }

    public ByteBuffer bytes() {
      return bytes;
    }

    /** Where each item begins, and the end; not to be changed. */
    public int[] offsets() {
      return offsets;
    }
  }

  /**
   * Lists of one length.
   *
   * @param dimension the number of items in each list
   * @param validity one bit for each item of the lists, or null when all of them are valid
   * @param items the items of all lists
   */
  record FixedList(int dimension, ByteBuffer validity, Block items) implements Block {}

  /**
   * Structs as one block for each child.
   *
   * @param children in the order of the fields
   */
  record Struct(List<Block> children) implements Block {}

  /** Items without any stored value: zeros and empty strings. */
  record Empty() implements Block {}
}
