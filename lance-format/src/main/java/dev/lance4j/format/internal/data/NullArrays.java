package dev.lance4j.format.internal.data;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Arrays of nothing but nulls. */
public final class NullArrays {
  private NullArrays() {}

  /**
   * An array of nulls of a field's type, whether or not the field is nullable.
   *
   * @param length number of nulls
   */
  public static ArrayData of(Field field, int length, BufferAllocator allocator) {
    ArrayLayout layout = ArrayLayout.of(field);
    ArrowBuf empty = allocator.getEmpty();
    return switch (layout.kind()) {
      case NULL -> new ArrayData(length, length, new ArrowBuf[0]);
      case FIXED ->
          new ArrayData(
              length,
              length,
              new ArrowBuf[] {
                zeros(allocator, (length + 7L) / 8),
                zeros(allocator, ((long) length * layout.bits() + 7) / 8)
              },
              new ArrayData[0],
              dictionary(field, allocator));
      case VARIABLE -> nulls(length, allocator, 4, new ArrowBuf[] {empty});
      case LARGE_VARIABLE -> nulls(length, allocator, 8, new ArrowBuf[] {empty});
      case LIST -> nulls(length, allocator, 4, new ArrowBuf[0], child(field, 0, allocator));
      case LARGE_LIST -> nulls(length, allocator, 8, new ArrowBuf[0], child(field, 0, allocator));
      case FIXED_SIZE_LIST ->
          new ArrayData(
              length,
              length,
              new ArrowBuf[] {zeros(allocator, (length + 7L) / 8)},
              child(field, Math.multiplyExact(length, layout.bits()), allocator));
      case STRUCT -> {
        ArrayData[] children = new ArrayData[field.getChildren().size()];
        for (int i = 0; i < children.length; i++) {
          children[i] = of(field.getChildren().get(i), length, allocator);
        }
        yield new ArrayData(
            length, length, new ArrowBuf[] {zeros(allocator, (length + 7L) / 8)}, children);
      }
    };
  }

  private static ArrayData child(Field field, int length, BufferAllocator allocator) {
    return of(field.getChildren().get(0), length, allocator);
  }

  private static ArrayData dictionary(Field field, BufferAllocator allocator) {
    if (field.getDictionary() == null) {
      return null;
    }
    Field values = new Field(field.getName(), FieldType.nullable(field.getType()), null);
    return of(values, 0, allocator);
  }

  private static ArrayData nulls(
      int length,
      BufferAllocator allocator,
      int offsetWidth,
      ArrowBuf[] rest,
      ArrayData... children) {
    ArrowBuf[] buffers = new ArrowBuf[2 + rest.length];
    buffers[0] = zeros(allocator, (length + 7L) / 8);
    buffers[1] = zeros(allocator, (length + 1L) * offsetWidth);
    System.arraycopy(rest, 0, buffers, 2, rest.length);
    return new ArrayData(length, length, buffers, children);
  }

  private static ArrowBuf zeros(BufferAllocator allocator, long bytes) {
    ArrowBuf buffer = allocator.buffer(bytes);
    buffer.setZero(0, bytes);
    buffer.writerIndex(bytes);
    return buffer;
  }
}
