package dev.lance4j.format.internal.data;

import dev.lance4j.format.UnsupportedFormatException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/** Joins arrays of one type end to end. */
public final class ArrayConcat {
  private ArrayConcat() {}

  /**
   * One array with the values of all parts in order. Dictionaries become one, without repeats.
   *
   * @param field the type of the parts
   * @param parts of lists as readers make them: the first one starts at item 0, the last one ends
   *     at the last item; at least one; closed by this call, whatever happens
   * @throws UnsupportedFormatException if the result does not fit one Arrow array
   */
  public static ArrayData concat(Field field, List<ArrayData> parts, BufferAllocator allocator) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    try {
      return copy(field, parts, allocator);
    } finally {
      parts.forEach(ArrayData::close);
    }
  }

  /**
   * As above, always a copy, and the parts stay the caller's.
   *
   * @throws UnsupportedFormatException if the result does not fit one Arrow array
   */
  public static ArrayData copy(Field field, List<ArrayData> parts, BufferAllocator allocator) {
    if (field.getDictionary() != null) {
      return DictionaryConcat.copy(field, parts, allocator);
    }
    ArrayLayout layout = ArrayLayout.of(field);
    int length = length(rows(parts), field);
    if (layout.kind() == ArrayLayout.Kind.NULL) {
      return new ArrayData(length, length, new ArrowBuf[0]);
    }
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      ArrowBuf validity = validity(parts, length, owned);
      ArrowBuf[] buffers =
          switch (layout.kind()) {
            case FIXED ->
                new ArrowBuf[] {validity, values(parts, length, layout.bits(), field, owned)};
            case VARIABLE, LARGE_VARIABLE -> {
              boolean wide = layout.hasLongOffsets();
              ArrowBuf offsets = offsets(parts, length, wide, field, owned);
              yield new ArrowBuf[] {validity, offsets, bytes(parts, wide, field, owned)};
            }
            case LIST, LARGE_LIST ->
                new ArrowBuf[] {
                  validity, offsets(parts, length, layout.hasLongOffsets(), field, owned)
                };
            case STRUCT, FIXED_SIZE_LIST, NULL -> new ArrowBuf[] {validity};
          };
      ArrayData[] children = children(field, parts, owned, allocator);
      return owned.release(new ArrayData(length, nulls(parts), buffers, children));
    }
  }

  static long rows(List<ArrayData> parts) {
    long rows = 0;
    for (ArrayData part : parts) {
      rows += part.length();
    }
    return rows;
  }

  private static ArrayData[] children(
      Field field, List<ArrayData> parts, OwnedBuffers owned, BufferAllocator allocator) {
    List<Field> fields = field.getChildren();
    ArrayData[] children = new ArrayData[fields.size()];
    for (int i = 0; i < children.length; i++) {
      List<ArrayData> slices = new ArrayList<>(parts.size());
      for (ArrayData part : parts) {
        slices.add(part.child(i));
      }
      children[i] = owned.own(copy(fields.get(i), slices, allocator));
    }
    return children;
  }

  static int nulls(List<ArrayData> parts) {
    int nulls = 0;
    for (ArrayData part : parts) {
      nulls += part.nullCount();
    }
    return nulls;
  }

  static ArrowBuf validity(List<ArrayData> parts, int length, OwnedBuffers owned) {
    if (nulls(parts) == 0) {
      return null;
    }
    ArrowBuf validity = owned.allocate(Bitmaps.bytes(length));
    ByteBuffer target = validity.nioBuffer(0, (int) Bitmaps.bytes(length));
    long at = 0;
    for (ArrayData part : parts) {
      if (part.validity() == null) {
        Bitmaps.fillOnes(target, at, part.length());
      } else {
        Bitmaps.copy(view(part.validity()), 0, target, at, part.length());
      }
      at += part.length();
    }
    return validity;
  }

  private static ArrowBuf values(
      List<ArrayData> parts, int length, int bits, Field field, OwnedBuffers owned) {
    long size = Bitmaps.bytes((long) length * bits);
    ArrowBuf values = owned.allocate(size);
    if (bits == 1) {
      ByteBuffer target = values.nioBuffer(0, (int) size);
      long at = 0;
      for (ArrayData part : parts) {
        Bitmaps.copy(view(part.buffer(1)), 0, target, at, part.length());
        at += part.length();
      }
      return values;
    }
    length(size, field);
    long at = 0;
    for (ArrayData part : parts) {
      long bytes = (long) part.length() * bits / 8;
      values.setBytes(at, part.buffer(1), 0, bytes);
      at += bytes;
    }
    return values;
  }

  private static ArrowBuf offsets(
      List<ArrayData> parts, int length, boolean wide, Field field, OwnedBuffers owned) {
    if (length == 0) {
      return null;
    }
    ArrowBuf offsets = owned.allocate((length + 1L) * (wide ? Long.BYTES : Integer.BYTES));
    set(offsets, 0, 0, wide);
    long end = 0;
    int row = 0;
    for (ArrayData part : parts) {
      if (part.length() == 0) {
        continue;
      }
      long shift = end - offset(part, 0, wide);
      for (int i = 1; i <= part.length(); i++) {
        row++;
        set(offsets, row, offset(part, i, wide) + shift, wide);
      }
      end = offset(part, part.length(), wide) + shift;
    }
    if (!wide) {
      length(end, field);
    }
    return offsets;
  }

  private static ArrowBuf bytes(
      List<ArrayData> parts, boolean wide, Field field, OwnedBuffers owned) {
    long size = 0;
    for (ArrayData part : parts) {
      size += byteCount(part, wide);
    }
    if (!wide) {
      length(size, field);
    }
    ArrowBuf bytes = owned.allocate(size);
    long at = 0;
    for (ArrayData part : parts) {
      long count = byteCount(part, wide);
      if (count > 0) {
        bytes.setBytes(at, part.buffer(2), offset(part, 0, wide), count);
      }
      at += count;
    }
    return bytes;
  }

  private static long byteCount(ArrayData part, boolean wide) {
    return part.length() == 0 ? 0 : offset(part, part.length(), wide) - offset(part, 0, wide);
  }

  static long offset(ArrayData array, int i, boolean wide) {
    ArrowBuf offsets = array.buffer(1);
    return wide ? offsets.getLong((long) i * Long.BYTES) : offsets.getInt((long) i * Integer.BYTES);
  }

  private static void set(ArrowBuf offsets, long i, long value, boolean wide) {
    if (wide) {
      offsets.setLong(i * Long.BYTES, value);
    } else {
      offsets.setInt(i * Integer.BYTES, (int) value);
    }
  }

  static ByteBuffer view(ArrowBuf buffer) {
    return buffer.nioBuffer(0, Math.toIntExact(Math.min(buffer.capacity(), Integer.MAX_VALUE)));
  }

  static int length(long size, Field field) {
    if (size > Integer.MAX_VALUE) {
      throw new UnsupportedFormatException(
          "Field '"
              + field.getName()
              + "' would need "
              + size
              + " values or bytes in one array; read fewer rows at a time");
    }
    return (int) size;
  }
}
