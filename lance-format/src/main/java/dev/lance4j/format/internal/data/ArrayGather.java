package dev.lance4j.format.internal.data;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Picks values of an array by position, in any order and with repetitions, or nulls. */
public final class ArrayGather {
  /** In place of a position, for a null. */
  public static final int NULL = -1;

  private final BufferAllocator allocator;
  private final OwnedBuffers owned;

  private ArrayGather(BufferAllocator allocator, OwnedBuffers owned) {
    this.allocator = allocator;
    this.owned = owned;
  }

  /**
   * A new array of the values at the given positions.
   *
   * @param field whose array it is
   * @param source still owned by the caller
   * @param positions in the source, each inside it or {@link #NULL}, which also gives a null where
   *     the field may not be null
   */
  public static ArrayData gather(
      Field field, ArrayData source, int[] positions, BufferAllocator allocator) {
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      return owned.release(new ArrayGather(allocator, owned).gather(field, source, positions));
    }
  }

  private ArrayData gather(Field field, ArrayData source, int[] positions) {
    ArrayLayout layout = ArrayLayout.of(field);
    int length = positions.length;
    if (layout.kind() == ArrayLayout.Kind.NULL) {
      return new ArrayData(length, length, new ArrowBuf[0]);
    }
    int nulls = nulls(source, positions);
    ArrowBuf validity = nulls == 0 ? null : validity(source.validity(), positions);
    boolean wide = layout.hasLongOffsets();
    return switch (layout.kind()) {
      case FIXED -> {
        ArrowBuf values = fixed(source.buffer(1), layout.bits(), positions);
        ArrayData dictionary = source.dictionary();
        ArrayData kept = dictionary == null ? null : owned.own(dictionary.retain());
        yield new ArrayData(
            length, nulls, new ArrowBuf[] {validity, values}, new ArrayData[0], kept);
      }
      case VARIABLE, LARGE_VARIABLE -> {
        ArrowBuf offsets = offsets(source, positions, wide, field);
        ArrowBuf bytes = bytes(source, positions, offsets, wide);
        yield new ArrayData(length, nulls, new ArrowBuf[] {validity, offsets, bytes});
      }
      case LIST, LARGE_LIST -> {
        ArrowBuf offsets = offsets(source, positions, wide, field);
        int[] items = listItems(source, positions, (int) get(offsets, length, wide), wide);
        ArrayData child = child(field, 0, source, items);
        yield new ArrayData(length, nulls, new ArrowBuf[] {validity, offsets}, child);
      }
      case FIXED_SIZE_LIST -> {
        ArrayData child =
            areBlocks(field, source, positions)
                ? blocks(field.getChildren().get(0), source, positions, layout.bits())
                : child(field, 0, source, items(positions, layout.bits()));
        yield new ArrayData(length, nulls, new ArrowBuf[] {validity}, child);
      }
      case STRUCT -> {
        ArrayData[] children = new ArrayData[field.getChildren().size()];
        for (int i = 0; i < children.length; i++) {
          children[i] = child(field, i, source, positions);
        }
        yield new ArrayData(length, nulls, new ArrowBuf[] {validity}, children);
      }
      case NULL -> throw new IllegalStateException("handled above");
    };
  }

  private ArrayData child(Field field, int index, ArrayData source, int[] positions) {
    Field type = field.getChildren().get(index);
    return owned.own(gather(type, source.child(index), positions, allocator));
  }

  /** Whether the items of fixed-size lists lie side by side in whole bytes and none is null. */
  private static boolean areBlocks(Field field, ArrayData source, int[] positions) {
    ArrayLayout items = ArrayLayout.of(field.getChildren().get(0));
    if (items.kind() != ArrayLayout.Kind.FIXED
        || items.bits() % Byte.SIZE != 0
        || source.child(0).nullCount() > 0
        || source.child(0).dictionary() != null) {
      return false;
    }
    for (int position : positions) {
      if (position < 0) {
        return false;
      }
    }
    return true;
  }

  /** The items of fixed-size lists, each list copied as a whole. */
  private ArrayData blocks(Field item, ArrayData source, int[] positions, int size) {
    int count = Math.multiplyExact(positions.length, size);
    int width = Math.multiplyExact(size, ArrayLayout.of(item).bits() / Byte.SIZE);
    ArrowBuf values = owned.allocate((long) positions.length * width);
    copy(source.child(0).buffer(1), width, positions, values);
    return owned.own(new ArrayData(count, 0, new ArrowBuf[] {null, values}));
  }

  private static int nulls(ArrayData source, int[] positions) {
    int nulls = 0;
    boolean anyInSource = source.nullCount() > 0;
    for (int position : positions) {
      nulls += position < 0 || (anyInSource && !source.isValid(position)) ? 1 : 0;
    }
    return nulls;
  }

  private ArrowBuf validity(ArrowBuf from, int[] positions) {
    if (from != null) {
      return bits(from, positions);
    }
    ArrowBuf to = owned.zeros(Bitmaps.bytes(positions.length));
    for (int i = 0; i < positions.length; i++) {
      to.setByte(i >> 3, to.getByte(i >> 3) | ((positions[i] < 0 ? 0 : 1) << (i & 7)));
    }
    return to;
  }

  private ArrowBuf bits(ArrowBuf from, int[] positions) {
    ArrowBuf to = owned.zeros(Bitmaps.bytes(positions.length));
    for (int i = 0; i < positions.length; i++) {
      int position = positions[i];
      int bit = position < 0 ? 0 : from.getByte(position >> 3) >> (position & 7) & 1;
      to.setByte(i >> 3, to.getByte(i >> 3) | (bit << (i & 7)));
    }
    return to;
  }

  private ArrowBuf fixed(ArrowBuf from, int bits, int[] positions) {
    if (bits == 1) {
      return bits(from, positions);
    }
    int width = bits / 8;
    ArrowBuf to = owned.allocate((long) positions.length * width);
    switch (width) {
      case 4 -> {
        for (int i = 0; i < positions.length; i++) {
          to.setInt(4L * i, positions[i] < 0 ? 0 : from.getInt(4L * positions[i]));
        }
      }
      case 8 -> {
        for (int i = 0; i < positions.length; i++) {
          to.setLong(8L * i, positions[i] < 0 ? 0 : from.getLong(8L * positions[i]));
        }
      }
      default -> copy(from, width, positions, to);
    }
    return to;
  }

  /** Copies values that are several words wide, neighbours at once; zeros for nulls. */
  private static void copy(ArrowBuf from, int width, int[] positions, ArrowBuf to) {
    for (int i = 0; i < positions.length; ) {
      int end = endOfRun(positions, i);
      long bytes = (long) width * (end - i);
      if (positions[i] < 0) {
        to.setZero((long) width * i, bytes);
      } else {
        to.setBytes((long) width * i, from, (long) width * positions[i], bytes);
      }
      i = end;
    }
  }

  /** Where positions that follow each other in the source end; a null stands alone. */
  private static int endOfRun(int[] positions, int start) {
    int end = start + 1;
    if (positions[start] >= 0) {
      while (end < positions.length && positions[end] == positions[end - 1] + 1) {
        end++;
      }
    }
    return end;
  }

  private ArrowBuf offsets(ArrayData source, int[] positions, boolean wide, Field field) {
    ArrowBuf from = source.buffer(1);
    ArrowBuf to = owned.allocate((positions.length + 1L) * (wide ? Long.BYTES : Integer.BYTES));
    long end = 0;
    set(to, 0, 0, wide);
    for (int i = 0; i < positions.length; i++) {
      if (positions[i] >= 0) {
        end += get(from, positions[i] + 1, wide) - get(from, positions[i], wide);
      }
      set(to, i + 1, end, wide);
    }
    // Lists are gathered through an array of positions, whatever the width of their offsets.
    ArrayConcat.length(end, field);
    return to;
  }

  private ArrowBuf bytes(ArrayData source, int[] positions, ArrowBuf offsets, boolean wide) {
    ArrowBuf bytes = owned.allocate(get(offsets, positions.length, wide));
    for (int i = 0; i < positions.length; ) {
      int next = endOfRun(positions, i);
      long start = get(offsets, i, wide);
      long size = get(offsets, next, wide) - start;
      if (size > 0) {
        bytes.setBytes(start, source.buffer(2), get(source.buffer(1), positions[i], wide), size);
      }
      i = next;
    }
    return bytes;
  }

  private static int[] listItems(ArrayData source, int[] positions, int count, boolean wide) {
    int[] items = new int[count];
    int n = 0;
    for (int position : positions) {
      if (position < 0) {
        continue;
      }
      int end = (int) get(source.buffer(1), position + 1, wide);
      for (int item = (int) get(source.buffer(1), position, wide); item < end; item++) {
        items[n++] = item;
      }
    }
    return items;
  }

  private static int[] items(int[] positions, int size) {
    int[] items = new int[Math.multiplyExact(positions.length, size)];
    int n = 0;
    for (int position : positions) {
      int first = position * size;
      for (int i = 0; i < size; i++) {
        items[n++] = position < 0 ? NULL : first + i;
      }
    }
    return items;
  }

  private static long get(ArrowBuf offsets, int i, boolean wide) {
    return wide ? offsets.getLong(8L * i) : offsets.getInt(4L * i);
  }

  private static void set(ArrowBuf offsets, int i, long value, boolean wide) {
    if (wide) {
      offsets.setLong(8L * i, value);
    } else {
      offsets.setInt(4L * i, (int) value);
    }
  }
}
