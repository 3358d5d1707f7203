package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Gathers the decoded items of one column into Arrow buffers. Blocks that do not fit the column's
 * type give an {@link IllegalArgumentException}.
 */
public abstract sealed class ItemSink implements BlockSink, AutoCloseable
    permits BitSink, FixedSink, VariableSink, FixedListSink, PackedSink, KeysSink, CountSink {
  private int count;

  /**
   * The sink of a column.
   *
   * @param expected the number of items that are sure to come, for which memory is reserved; 0 when
   *     unknown
   */
  public static ItemSink of(ItemType type, BufferAllocator allocator, int expected) {
    if (type instanceof ItemType.Fixed fixed) {
      return fixed.bits() == 1
          ? new BitSink(allocator, expected)
          : new FixedSink(allocator, fixed.bits(), expected);
    }
    if (type instanceof ItemType.Variable variable) {
      return new VariableSink(allocator, variable.offsetBits(), expected);
    }
    if (type instanceof ItemType.FixedList list) {
      return new FixedListSink(allocator, list, expected);
    }
    if (type instanceof ItemType.Packed struct) {
      return new PackedSink(allocator, struct, expected);
    }
    if (type instanceof ItemType.Keys keys) {
      return new KeysSink(allocator, keys, expected);
    }
    return new CountSink(type instanceof ItemType.EmptyStruct);
  }

  /** The number of items so far. */
  public final int count() {
    return count;
  }

  @Override
  public final void append(Block block, int from, int to) {
    advance(to - from);
    if (block instanceof Block.Empty) {
      addEmpty(to - from);
    } else if (to > from) {
      add(block, from, to);
    }
  }

  @Override
  public final void appendIndexed(int[] indices, int from, int to, Dictionary dictionary) {
    advance(to - from);
    if (to > from) {
      addIndexed(indices, from, to, dictionary);
    }
  }

  @Override
  public final void appendEmpty(int n) {
    advance(n);
    addEmpty(n);
  }

  private void advance(int n) {
    if (n > Integer.MAX_VALUE - count) {
      throw new InvalidInputException(
          "One batch would hold more than "
              + Integer.MAX_VALUE
              + " items; read fewer rows at once");
    }
    count += n;
  }

  abstract void add(Block block, int from, int to);

  abstract void addEmpty(int n);

  void addIndexed(int[] indices, int from, int to, Dictionary dictionary) {
    add(dictionary.gather(indices, from, to), 0, to - from);
  }

  /**
   * The array of all items. Called once.
   *
   * @param validity taken over unless this fails; null when there are no nulls
   * @param nulls the number of nulls
   */
  public abstract ArrayData finish(ArrowBuf validity, int nulls);

  /** Frees what was not handed over. */
  @Override
  public abstract void close();

  static IllegalArgumentException misfit(Block block, String column) {
    return new IllegalArgumentException(
        "the page holds " + block.getClass().getSimpleName() + " values in a column of " + column);
  }
}
