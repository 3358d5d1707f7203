package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.data.ArrayData;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.BufferAllocator;

/** What kind of values a leaf has, and how they are taken from Arrow arrays. */
sealed interface LeafType
    permits FixedType,
        VariableType,
        ListType,
        DictionaryType,
        EmptyType,
        PackedType,
        VariablePackedType,
        BlobType {
  /**
   * Checks that an array has the shape and the memory that the type needs.
   *
   * @throws dev.lance4j.format.InvalidInputException if not, naming {@code path}
   */
  void check(ArrayData array, String path);

  /** About how much memory the values from {@code from} to {@code to} take. */
  long bytes(ArrayData array, int from, int to);

  /** The validity of the values as bits, or null when none is null. */
  ByteBuffer validity(ArrayData array);

  /** The values in the slots of an array, sharing its memory where that is possible. */
  LeafBlock block(ArrayData array, Slots slots, String path);

  /** Memory that gathers blocks until a page is written. */
  BlockBuffer buffer(BufferAllocator allocator);
}
