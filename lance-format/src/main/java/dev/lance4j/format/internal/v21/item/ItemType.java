package dev.lance4j.format.internal.v21.item;

import dev.lance4j.format.UnsupportedFormatException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** The physical kind of the values of one column. */
public sealed interface ItemType {
  /** The width of an item that has no fixed one. */
  int NO_WIDTH = -1;

  /**
   * Values of one width.
   *
   * @param bits 1 or a multiple of 8
   */
  record Fixed(int bits) implements ItemType {}

  /**
   * Strings and binary values.
   *
   * @param offsetBits width of the Arrow offsets, 32 or 64
   */
  record Variable(int offsetBits) implements ItemType {}

  /**
   * Lists of one length, of items that share the column.
   *
   * @param dimension items in each list, at least 1
   */
  record FixedList(int dimension, ItemType item) implements ItemType {}

  /** Structs whose children share the column. */
  record Packed(List<ItemType> children) implements ItemType {}

  /**
   * Keys into a dictionary.
   *
   * @param bits width of the keys in memory
   * @param signed whether the keys' type has a sign
   * @param values the kind of the dictionary's values
   */
  record Keys(int bits, boolean signed, ItemType values) implements ItemType {}

  /** The null type: no values at all. */
  record Null() implements ItemType {}

  /** A struct without children: only validity. */
  record EmptyStruct() implements ItemType {}

  /**
   * The kind of values in the column of a field.
   *
   * @throws UnsupportedFormatException if no column can hold the field's type
   */
  static ItemType of(Field field) {
    if (field.getDictionary() != null) {
      ArrowType.Int keys = field.getDictionary().getIndexType();
      Field values = new Field(field.getName(), FieldType.nullable(field.getType()), null);
      return new Keys(keys.getBitWidth(), keys.getIsSigned(), of(values));
    }
    ArrowType type = field.getType();
    if (type instanceof ArrowType.ExtensionType extension) {
      type = extension.storageType();
    }
    return switch (type.getTypeID()) {
      case Null -> new Null();
      case Utf8, Binary -> new Variable(32);
      case LargeUtf8, LargeBinary -> new Variable(64);
      case FixedSizeList -> {
        int dimension = ((ArrowType.FixedSizeList) type).getListSize();
        yield new FixedList(dimension, of(field.getChildren().get(0)));
      }
      case Struct -> ofStruct(field);
      default -> new Fixed(bits(type, field.getName()));
    };
  }

  private static ItemType ofStruct(Field field) {
    if (field.getChildren().isEmpty()) {
      return new EmptyStruct();
    }
    List<ItemType> children = new ArrayList<>();
    for (Field child : field.getChildren()) {
      children.add(of(child));
    }
    return new Packed(children);
  }

  private static int bits(ArrowType type, String name) {
    return switch (type.getTypeID()) {
      case Bool -> 1;
      case Int -> ((ArrowType.Int) type).getBitWidth();
      case FloatingPoint ->
          switch (((ArrowType.FloatingPoint) type).getPrecision()) {
            case HALF -> 16;
            case SINGLE -> 32;
            case DOUBLE -> 64;
          };
      case Decimal -> ((ArrowType.Decimal) type).getBitWidth();
      case FixedSizeBinary ->
          Math.multiplyExact(8, ((ArrowType.FixedSizeBinary) type).getByteWidth());
      case Date ->
          switch (((ArrowType.Date) type).getUnit()) {
            case DAY -> 32;
            case MILLISECOND -> 64;
          };
      case Time -> ((ArrowType.Time) type).getBitWidth();
      case Timestamp, Duration -> 64;
      case Interval -> intervalBits(((ArrowType.Interval) type).getUnit());
      default ->
          throw new UnsupportedFormatException(
              "Field '" + name + "' has the type " + type + ", which no column can hold");
    };
  }

  private static int intervalBits(IntervalUnit unit) {
    return switch (unit) {
      case YEAR_MONTH -> 32;
      case DAY_TIME -> 64;
      case MONTH_DAY_NANO -> 128;
    };
  }

  /**
   * The width in bits of an item of this type when nothing is null inside it, or {@link #NO_WIDTH}.
   */
  default long width() {
    if (this instanceof Fixed fixed) {
      return fixed.bits();
    }
    if (this instanceof FixedList list) {
      long item = list.item().width();
      return item == NO_WIDTH ? NO_WIDTH : Math.multiplyExact(item, list.dimension());
    }
    if (this instanceof Packed struct) {
      long sum = 0;
      for (ItemType child : struct.children()) {
        long width = child.width();
        if (width == NO_WIDTH) {
          return NO_WIDTH;
        }
        sum = Math.addExact(sum, width);
      }
      return sum;
    }
    return NO_WIDTH;
  }
}
