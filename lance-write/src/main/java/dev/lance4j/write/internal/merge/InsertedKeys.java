package dev.lance4j.write.internal.merge;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.table.KeyFilter;
import dev.lance4j.table.KeyFilterBuilder;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Records the keys of inserted rows for the conflict check of concurrent merges, in the bytes that
 * all writers use: numbers as 8 bytes, strings and binary values as they are, and each part of a
 * key of several columns followed by a zero byte. Keys with a null part, and those of nested types,
 * are left out.
 */
final class InsertedKeys {
  private final KeyFilterBuilder filter;
  private final List<Field> fields;
  private byte[] bytes = new byte[64];
  private int length;

  InsertedKeys(KeyColumns keys) {
    this.filter = new KeyFilterBuilder(keys.fieldIds());
    this.fields = keys.fields().stream().map(LanceField::toArrow).toList();
  }

  /** Adds the keys of rows. */
  void add(SourcePart part, int[] rows) {
    for (int row : rows) {
      length = 0;
      boolean complete = true;
      for (int i = 0; i < fields.size() && complete; i++) {
        complete = append(fields.get(i), part.keyColumns().get(i), row);
        if (fields.size() > 1) {
          reserve(1);
          bytes[length++] = 0;
        }
      }
      if (complete) {
        filter.add(bytes, 0, length);
      }
    }
  }

  private boolean append(Field field, ArrayData column, int row) {
    ArrayLayout layout = ArrayLayout.of(field);
    if (!column.isValid(row) || column.dictionary() != null) {
      return false;
    }
    if (layout.isVariable()) {
      ArrowBuf offsets = column.buffer(1);
      boolean wide = layout.hasLongOffsets();
      long start = wide ? offsets.getLong(8L * row) : offsets.getInt(4L * row);
      long end = wide ? offsets.getLong(8L * row + 8) : offsets.getInt(4L * row + 4);
      append(column.buffer(2), start, Math.toIntExact(end - start));
      return true;
    } else if (layout.kind() != ArrayLayout.Kind.FIXED) {
      return false;
    }
    switch (layout.bits()) {
      case 1 -> appendNumber(column.buffer(1).getByte(row >> 3) >> (row & 7) & 1);
      case 8, 16, 32, 64 ->
          appendNumber(number(field.getType(), column.buffer(1), layout.bits(), row));
      default -> {
        int width = layout.bits() / Byte.SIZE;
        append(column.buffer(1), (long) width * row, width);
      }
    }
    return true;
  }

  private static long number(ArrowType type, ArrowBuf values, int bits, int row) {
    boolean signed = !(type instanceof ArrowType.Int integer) || integer.getIsSigned();
    return switch (bits) {
      case 8 -> signed ? values.getByte(row) : values.getByte(row) & 0xFFL;
      case 16 -> signed ? values.getShort(2L * row) : values.getShort(2L * row) & 0xFFFFL;
      case 32 -> signed ? values.getInt(4L * row) : values.getInt(4L * row) & 0xFFFF_FFFFL;
      default -> values.getLong(8L * row);
    };
  }

  private void appendNumber(long value) {
    reserve(Long.BYTES);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  private void append(ArrowBuf values, long start, int size) {
    reserve(size);
    if (size > 0) {
      values.getBytes(start, bytes, length, size);
      length += size;
    }
  }

  private void reserve(int more) {
    int needed = Math.addExact(length, more);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
  }

  KeyFilter filter() {
    return filter.build();
  }
}
