package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.internal.data.DictionaryIndex;
import dev.lance4j.format.internal.data.Keys;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Writes the values of several columns, of any types, as one run of bytes for each row. */
final class KeyBytes {
  private static final int FIRST_CAPACITY = 1 << 12;

  private final Part[] parts;
  private final int rows;
  private byte[] bytes = new byte[FIRST_CAPACITY];
  private int length;

  /** The values of one column or of a nested one. */
  private static final class Part {
    final ArrayLayout layout;
    final ArrayData array;
    final Part[] children;
    final Part dictionary;
    final int keyWidth;

    Part(Field field, ArrayData array) {
      this.layout = ArrayLayout.of(field);
      this.array = array;
      if (field.getDictionary() == null) {
        this.dictionary = null;
        this.keyWidth = 0;
      } else {
        this.dictionary = new Part(DictionaryIndex.values(field), array.dictionary());
        ArrowType.Int keys = field.getDictionary().getIndexType();
        this.keyWidth = keys.getBitWidth() / Byte.SIZE;
      }
      List<Field> fields = field.getDictionary() == null ? field.getChildren() : List.of();
      this.children = new Part[fields.size()];
      for (int i = 0; i < children.length; i++) {
        children[i] = new Part(fields.get(i), array.child(i));
      }
    }

    long offset(int row) {
      ArrowBuf offsets = array.buffer(1);
      return layout.hasLongOffsets() ? offsets.getLong(8L * row) : offsets.getInt(4L * row);
    }
  }

  KeyBytes(List<Field> fields, List<ArrayData> columns, int rows) {
    this.rows = rows;
    this.parts = new Part[fields.size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Part(fields.get(i), columns.get(i));
    }
  }

  BytesKeys encode(long[] nulls) {
    int[] ends = new int[rows];
    for (int row = 0; row < rows; row++) {
      for (Part part : parts) {
        write(part, row);
      }
      ends[row] = length;
    }
    return new BytesKeys(Arrays.copyOf(bytes, length), ends, rows, nulls);
  }

  /** Writes whether a value is null, and it if not, so that no two values have the same bytes. */
  private void write(Part part, int row) {
    reserve(1);
    boolean valid = part.layout.kind() != ArrayLayout.Kind.NULL && part.array.isValid(row);
    bytes[length++] = (byte) (valid ? 1 : 0);
    if (!valid) {
      return;
    }
    if (part.dictionary != null) {
      write(part.dictionary, (int) Keys.get(part.array.buffer(1), row, part.keyWidth));
      return;
    }
    switch (part.layout.kind()) {
      case FIXED -> writeFixed(part, row);
      case VARIABLE, LARGE_VARIABLE -> writeVariable(part, row);
      case LIST, LARGE_LIST -> {
        int start = (int) part.offset(row);
        int end = (int) part.offset(row + 1);
        writeItems(part.children[0], start, end);
      }
      case FIXED_SIZE_LIST -> {
        int size = part.layout.bits();
        writeItems(part.children[0], row * size, (row + 1) * size);
      }
      case STRUCT -> {
        for (Part child : part.children) {
          write(child, row);
        }
      }
      case NULL -> throw new IllegalStateException("handled above");
    }
  }

  private void writeItems(Part items, int start, int end) {
    writeLength(end - start);
    for (int item = start; item < end; item++) {
      write(items, item);
    }
  }

  private void writeFixed(Part part, int row) {
    ArrowBuf values = part.array.buffer(1);
    if (part.layout.bits() == 1) {
      reserve(1);
      bytes[length++] = (byte) (values.getByte(row >> 3) >> (row & 7) & 1);
      return;
    }
    int width = part.layout.bits() / Byte.SIZE;
    append(values, (long) row * width, width);
  }

  private void writeVariable(Part part, int row) {
    long start = part.offset(row);
    int size = Math.toIntExact(part.offset(row + 1) - start);
    writeLength(size);
    if (size > 0) {
      append(part.array.buffer(2), start, size);
    }
  }

  private void writeLength(int size) {
    reserve(Integer.BYTES);
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      bytes[length++] = (byte) (size >>> shift);
    }
  }

  private void append(ArrowBuf values, long start, int size) {
    reserve(size);
    values.getBytes(start, bytes, length, size);
    length += size;
  }

  private void reserve(int more) {
    int needed = Math.addExact(length, more);
    if (needed > bytes.length) {
      long doubled = Math.min(2L * bytes.length, Integer.MAX_VALUE - 8L);
      bytes = Arrays.copyOf(bytes, Math.max(needed, (int) doubled));
    }
  }
}
