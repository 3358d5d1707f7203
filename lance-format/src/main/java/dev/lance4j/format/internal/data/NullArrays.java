package dev.lance4j.format.internal.data;

import dev.lance4j.format.InvalidInputException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Arrays of nothing but nulls, or of blank values where nulls are not allowed. */
public final class NullArrays {
  private final OwnedBuffers owned;
  private final boolean everywhere;

  private NullArrays(OwnedBuffers owned, boolean everywhere) {
    this.owned = owned;
    this.everywhere = everywhere;
  }

  /**
   * An array of nulls of a field's type, whether or not the field is nullable.
   *
   * @param length number of nulls
   * @throws InvalidInputException if the items of fixed-size lists are more than an array holds
   */
  public static ArrayData of(Field field, int length, BufferAllocator allocator) {
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      return owned.release(new NullArrays(owned, true).nulls(field, length));
    }
  }

  /**
   * An array of nulls where the field and its children may be null, and of zeros, empty values and
   * empty lists where they may not.
   *
   * @throws InvalidInputException as above, or if a dictionary field may not be null
   */
  public static ArrayData orBlanks(Field field, int length, BufferAllocator allocator) {
    try (OwnedBuffers owned = new OwnedBuffers(allocator)) {
      return owned.release(new NullArrays(owned, false).nulls(field, length));
    }
  }

  private ArrayData nulls(Field field, int length) {
    ArrayLayout layout = ArrayLayout.of(field);
    if (layout.kind() == ArrayLayout.Kind.NULL) {
      return new ArrayData(length, length, new ArrowBuf[0]);
    }
    boolean isNull = everywhere || field.isNullable();
    int count = isNull ? length : 0;
    ArrowBuf validity = isNull ? zeros((length + 7L) / 8) : null;
    return switch (layout.kind()) {
      case NULL -> throw new IllegalStateException("handled above");
      case FIXED -> {
        ArrowBuf[] buffers = {validity, zeros(((long) length * layout.bits() + 7) / 8)};
        yield new ArrayData(length, count, buffers, new ArrayData[0], dictionary(field));
      }
      case VARIABLE, LARGE_VARIABLE -> {
        ArrowBuf[] buffers = {validity, offsets(layout, length), zeros(0)};
        yield new ArrayData(length, count, buffers);
      }
      case LIST, LARGE_LIST -> {
        ArrowBuf[] buffers = {validity, offsets(layout, length)};
        yield new ArrayData(length, count, buffers, nulls(onlyChild(field), 0));
      }
      case FIXED_SIZE_LIST -> {
        ArrayData items = nulls(onlyChild(field), items(field, length, layout.bits()));
        yield new ArrayData(length, count, new ArrowBuf[] {validity}, items);
      }
      case STRUCT -> {
        ArrayData[] children = new ArrayData[field.getChildren().size()];
        for (int i = 0; i < children.length; i++) {
          children[i] = nulls(field.getChildren().get(i), length);
        }
        yield new ArrayData(length, count, new ArrowBuf[] {validity}, children);
      }
    };
  }

  private static Field onlyChild(Field field) {
    return field.getChildren().get(0);
  }

  private static int items(Field field, int length, int size) {
    long items = (long) length * size;
    if (items > Integer.MAX_VALUE) {
      throw new InvalidInputException(
          String.format(
              "%d nulls of field '%s' would have %d items, more than one array holds; read fewer"
                  + " rows at a time",
              length, field.getName(), items));
    }
    return (int) items;
  }

  private ArrayData dictionary(Field field) {
    if (field.getDictionary() == null) {
      return null;
    }
    if (!everywhere && !field.isNullable()) {
      throw new InvalidInputException(
          "Field '" + field.getName() + "' may not be null, but its dictionary has no values");
    }
    return nulls(new Field(field.getName(), FieldType.nullable(field.getType()), null), 0);
  }

  private ArrowBuf offsets(ArrayLayout layout, int length) {
    return zeros((length + 1L) * (layout.hasLongOffsets() ? Long.BYTES : Integer.BYTES));
  }

  private ArrowBuf zeros(long bytes) {
    ArrowBuf buffer = owned.zeros(bytes);
    buffer.writerIndex(bytes);
    return buffer;
  }
}
