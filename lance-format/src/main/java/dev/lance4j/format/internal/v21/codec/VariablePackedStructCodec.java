package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Structs as values of any length: for each child in turn its bytes, preceded by their length when
 * the child has no fixed width.
 */
final class VariablePackedStructCodec implements ZipCodec {
  /**
   * A child of the struct. Exactly one of the codecs is set.
   *
   * @param bytes width of its values, or of its lengths
   * @param fixed decodes values of a fixed width
   * @param variable decodes values of any length
   */
  record Child(int bytes, ZipRowCodec fixed, ZipCodec variable) {}

  private final List<Child> children;

  VariablePackedStructCodec(List<Child> children) {
    this.children = children;
  }

  @Override
  public Block decode(ByteBuffer in, int[] starts, int[] lengths, int count) {
    int[] at = starts.clone();
    List<Block> blocks = new ArrayList<>(children.size());
    for (Child child : children) {
      blocks.add(
          child.fixed() != null
              ? fixed(child, in, starts, lengths, at, count)
              : variable(child, in, starts, lengths, at, count));
    }
    for (int i = 0; i < count; i++) {
      if (lengths[i] != NULL && at[i] != starts[i] + lengths[i]) {
        throw new IllegalArgumentException("a packed struct with bytes left over");
      }
    }
    return new Block.Struct(blocks);
  }

  private static Block fixed(
      Child child, ByteBuffer in, int[] starts, int[] lengths, int[] at, int count) {
    int bytes = child.bytes();
    ByteBuffer dense = Bytes.allocate(Math.multiplyExact(count, bytes));
    for (int i = 0; i < count; i++) {
      if (lengths[i] != NULL) {
        checkInside(at[i], bytes, starts[i] + lengths[i]);
        dense.put(i * bytes, in, at[i], bytes);
        at[i] += bytes;
      }
    }
    return child.fixed().decode(dense, count, false);
  }

  private static Block variable(
      Child child, ByteBuffer in, int[] starts, int[] lengths, int[] at, int count) {
    int[] childStarts = new int[count];
    int[] childLengths = new int[count];
    for (int i = 0; i < count; i++) {
      if (lengths[i] == NULL) {
        childLengths[i] = NULL;
        continue;
      }
      int end = starts[i] + lengths[i];
      checkInside(at[i], child.bytes(), end);
      long length =
          child.bytes() == Integer.BYTES
              ? Integer.toUnsignedLong(in.getInt(at[i]))
              : in.getLong(at[i]);
      at[i] += child.bytes();
      checkInside(at[i], length, end);
      childStarts[i] = at[i];
      childLengths[i] = (int) length;
      at[i] += (int) length;
    }
    return child.variable().decode(in, childStarts, childLengths, count);
  }

  private static void checkInside(int at, long length, int end) {
    if (length < 0 || length > end - at) {
      throw new IllegalArgumentException("a packed struct ends inside one of its values");
    }
  }
}
