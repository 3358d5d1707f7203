package dev.lance4j.index.internal.scalar.btree;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import dev.lance4j.index.internal.query.ScalarValue;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** How the values of a column become keys. Without state. */
abstract sealed class KeyType permits NumberType, BytesType {
  /** The type of the keys of a column that {@linkplain #has has} one. */
  static KeyType of(Field field) {
    ArrayLayout layout = ArrayLayout.of(field);
    ArrowType type = field.getType();
    boolean isNumber =
        layout.kind() == ArrayLayout.Kind.FIXED
            && layout.bits() <= Long.SIZE
            && !(type instanceof ArrowType.FixedSizeBinary);
    return isNumber ? NumberType.of(type, layout.bits()) : new BytesType(layout, type);
  }

  /** Whether the values of a column have an order. */
  static boolean has(Field field) {
    if (field.getDictionary() != null) {
      return false;
    }
    return switch (field.getType().getTypeID()) {
      case Bool, Int, FloatingPoint, Decimal, Date, Time, Timestamp, Duration -> true;
      case Utf8, LargeUtf8, Binary, LargeBinary, FixedSizeBinary -> true;
      default -> false;
    };
  }

  /**
   * The keys of some values, none of which is null.
   *
   * @param from the row of the first value
   * @param to the row after the last one
   */
  abstract Keys keys(ArrayData values, int from, int to);

  /** The key of a value of the column. */
  abstract SearchKey key(ScalarValue value);
}
