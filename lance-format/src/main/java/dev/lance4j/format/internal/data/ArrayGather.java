package dev.lance4j.format.internal.data;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Picks values of an array by position, in any order and with repetitions. */
public final class ArrayGather {
  private final BufferAllocator allocator;

  private ArrayGather(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * A new array of the values at the given positions.
   *
   * @param field whose array it is
   * @param source still owned by the caller
   * @param positions in the source, each inside it
   */
  public static ArrayData gather(
      Field field, ArrayData source, int[] positions, BufferAllocator allocator) {
    return new ArrayGather(allocator).gather(field, source, positions);
  }

  private ArrayData gather(Field field, ArrayData source, int[] positions) {
    ArrayLayout layout = ArrayLayout.of(field);
    int length = positions.length;
    if (layout.kind() == ArrayLayout.Kind.NULL) {
      return new ArrayData(length, length, new ArrowBuf[0]);
    }
    Validity validity = validity(source, positions);
    return switch (layout.kind()) {
      case FIXED ->
          validity.array(
              fixed(source.buffer(1), layout.bits(), positions), retained(source.dictionary()));
      case VARIABLE -> variable(source, positions, validity);
      case LARGE_VARIABLE -> largeVariable(source, positions, validity);
      case LIST -> list(field, source, positions, validity);
      case LARGE_LIST -> largeList(field, source, positions, validity);
      case FIXED_SIZE_LIST -> {
        int[] items = items(positions, layout.bits());
        yield validity.nested(gather(field.getChildren().get(0), source.child(0), items));
      }
      case STRUCT -> {
        ArrayData[] children = new ArrayData[field.getChildren().size()];
        for (int i = 0; i < children.length; i++) {
          children[i] = gather(field.getChildren().get(i), source.child(i), positions);
        }
        yield validity.nested(children);
      }
      case NULL -> throw new IllegalStateException("handled above");
    };
  }

  private static ArrayData retained(ArrayData dictionary) {
    return dictionary == null ? null : dictionary.retain();
  }

  private static int[] items(int[] positions, int size) {
    int[] items = new int[Math.multiplyExact(positions.length, size)];
    int n = 0;
    for (int position : positions) {
      int first = position * size;
      for (int i = 0; i < size; i++) {
        items[n++] = first + i;
      }
    }
    return items;
  }

  /** The validity of the result. */
  private record Validity(int length, int nulls, ArrowBuf buffer) {
    ArrayData array(ArrowBuf values, ArrayData dictionary) {
      return new ArrayData(
          length, nulls, new ArrowBuf[] {buffer, values}, new ArrayData[0], dictionary);
    }

    ArrayData nested(ArrayData... children) {
      return new ArrayData(length, nulls, new ArrowBuf[] {buffer}, children);
    }
  }

  private Validity validity(ArrayData source, int[] positions) {
    if (source.nullCount() == 0) {
      return new Validity(positions.length, 0, null);
    }
    ArrowBuf from = source.validity();
    ArrowBuf to = bits(positions.length);
    int nulls = 0;
    for (int i = 0; i < positions.length; i++) {
      int position = positions[i];
      if ((from.getByte(position >> 3) >> (position & 7) & 1) != 0) {
        to.setByte(i >> 3, to.getByte(i >> 3) | (1 << (i & 7)));
      } else {
        nulls++;
      }
    }
    return new Validity(positions.length, nulls, to);
  }

  private ArrowBuf bits(int count) {
    ArrowBuf buffer = buffer((count + 7L) / 8);
    buffer.setZero(0, buffer.writerIndex());
    return buffer;
  }

  private ArrowBuf buffer(long bytes) {
    ArrowBuf buffer = allocator.buffer(bytes);
    buffer.writerIndex(bytes);
    return buffer;
  }

  private ArrowBuf fixed(ArrowBuf from, int bits, int[] positions) {
    if (bits == 1) {
      ArrowBuf to = bits(positions.length);
      for (int i = 0; i < positions.length; i++) {
        int position = positions[i];
        int bit = from.getByte(position >> 3) >> (position & 7) & 1;
        to.setByte(i >> 3, to.getByte(i >> 3) | (bit << (i & 7)));
      }
      return to;
    }
    int width = bits / 8;
    ArrowBuf to = buffer((long) positions.length * width);
    switch (width) {
      case 4 -> {
        for (int i = 0; i < positions.length; i++) {
          to.setInt(4L * i, from.getInt(4L * positions[i]));
        }
      }
      case 8 -> {
        for (int i = 0; i < positions.length; i++) {
          to.setLong(8L * i, from.getLong(8L * positions[i]));
        }
      }
      default -> {
        for (int i = 0; i < positions.length; i++) {
          to.setBytes((long) width * i, from, (long) width * positions[i], width);
        }
      }
    }
    return to;
  }

  private ArrayData variable(ArrayData source, int[] positions, Validity validity) {
    ArrowBuf offsets = source.buffer(1);
    ArrowBuf newOffsets = buffer(4L * (positions.length + 1));
    long total = 0;
    newOffsets.setInt(0, 0);
    for (int i = 0; i < positions.length; i++) {
      long at = 4L * positions[i];
      total += offsets.getInt(at + 4) - offsets.getInt(at);
      newOffsets.setInt(4L * (i + 1), Math.toIntExact(total));
    }
    ArrowBuf bytes = buffer(total);
    for (int i = 0; i < positions.length; i++) {
      int start = offsets.getInt(4L * positions[i]);
      int to = newOffsets.getInt(4L * i);
      bytes.setBytes(to, source.buffer(2), start, newOffsets.getInt(4L * (i + 1)) - to);
    }
    return new ArrayData(
        positions.length, validity.nulls(), new ArrowBuf[] {validity.buffer(), newOffsets, bytes});
  }

  private ArrayData largeVariable(ArrayData source, int[] positions, Validity validity) {
    ArrowBuf offsets = source.buffer(1);
    ArrowBuf newOffsets = buffer(8L * (positions.length + 1));
    long total = 0;
    newOffsets.setLong(0, 0);
    for (int i = 0; i < positions.length; i++) {
      long at = 8L * positions[i];
      total += offsets.getLong(at + 8) - offsets.getLong(at);
      newOffsets.setLong(8L * (i + 1), total);
    }
    ArrowBuf bytes = buffer(total);
    for (int i = 0; i < positions.length; i++) {
      long start = offsets.getLong(8L * positions[i]);
      long to = newOffsets.getLong(8L * i);
      bytes.setBytes(to, source.buffer(2), start, newOffsets.getLong(8L * (i + 1)) - to);
    }
    return new ArrayData(
        positions.length, validity.nulls(), new ArrowBuf[] {validity.buffer(), newOffsets, bytes});
  }

  private ArrayData list(Field field, ArrayData source, int[] positions, Validity validity) {
    ArrowBuf offsets = source.buffer(1);
    ArrowBuf newOffsets = buffer(4L * (positions.length + 1));
    long total = 0;
    newOffsets.setInt(0, 0);
    for (int i = 0; i < positions.length; i++) {
      long at = 4L * positions[i];
      total += offsets.getInt(at + 4) - offsets.getInt(at);
      newOffsets.setInt(4L * (i + 1), Math.toIntExact(total));
    }
    int[] items = new int[Math.toIntExact(total)];
    int n = 0;
    for (int position : positions) {
      int end = offsets.getInt(4L * position + 4);
      for (int item = offsets.getInt(4L * position); item < end; item++) {
        items[n++] = item;
      }
    }
    ArrayData child = gather(field.getChildren().get(0), source.child(0), items);
    return new ArrayData(
        positions.length, validity.nulls(), new ArrowBuf[] {validity.buffer(), newOffsets}, child);
  }

  private ArrayData largeList(Field field, ArrayData source, int[] positions, Validity validity) {
    ArrowBuf offsets = source.buffer(1);
    ArrowBuf newOffsets = buffer(8L * (positions.length + 1));
    long total = 0;
    newOffsets.setLong(0, 0);
    for (int i = 0; i < positions.length; i++) {
      long at = 8L * positions[i];
      total += offsets.getLong(at + 8) - offsets.getLong(at);
      newOffsets.setLong(8L * (i + 1), total);
    }
    int[] items = new int[Math.toIntExact(total)];
    int n = 0;
    for (int position : positions) {
      int end = Math.toIntExact(offsets.getLong(8L * position + 8));
      for (int item = (int) offsets.getLong(8L * position); item < end; item++) {
        items[n++] = item;
      }
    }
    ArrayData child = gather(field.getChildren().get(0), source.child(0), items);
    return new ArrayData(
        positions.length, validity.nulls(), new ArrowBuf[] {validity.buffer(), newOffsets}, child);
  }
}
