package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.SchemaMismatchException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** The leaf types of Arrow types. */
final class LeafTypes {
  private LeafTypes() {}

  static ArrowType storage(ArrowType type) {
    return type instanceof ArrowType.ExtensionType extension ? extension.storageType() : type;
  }

  /**
   * The leaf type of a field, for dictionary fields that of their values.
   *
   * @throws SchemaMismatchException if the format has no such leaf
   */
  static LeafType of(Field field, String path) {
    ArrowType type = storage(field.getType());
    return switch (type.getTypeID()) {
      case Null -> EmptyType.NULL;
      case Utf8 -> new VariableType(Integer.SIZE, true);
      case LargeUtf8 -> new VariableType(Long.SIZE, true);
      case Binary -> new VariableType(Integer.SIZE, false);
      case LargeBinary -> new VariableType(Long.SIZE, false);
      case FixedSizeList -> list(field, path);
      default -> new FixedType(bits(type, path));
    };
  }

  private static int bits(ArrowType type, String path) {
    return switch (type.getTypeID()) {
      case Bool -> 1;
      case Int -> ((ArrowType.Int) type).getBitWidth();
      case FloatingPoint -> bits(((ArrowType.FloatingPoint) type).getPrecision());
      case Decimal -> decimalBits((ArrowType.Decimal) type, path);
      case FixedSizeBinary -> binaryBits((ArrowType.FixedSizeBinary) type, path);
      case Date ->
          switch (((ArrowType.Date) type).getUnit()) {
            case DAY -> Integer.SIZE;
            case MILLISECOND -> Long.SIZE;
          };
      case Time -> ((ArrowType.Time) type).getBitWidth();
      case Timestamp, Duration -> Long.SIZE;
      default -> throw unsupported(type, path);
    };
  }

  private static int bits(FloatingPointPrecision precision) {
    return switch (precision) {
      case HALF -> Short.SIZE;
      case SINGLE -> Integer.SIZE;
      case DOUBLE -> Long.SIZE;
    };
  }

  private static int decimalBits(ArrowType.Decimal decimal, String path) {
    if (decimal.getBitWidth() < 2 * Long.SIZE) {
      throw unsupported(decimal, path);
    }
    return decimal.getBitWidth();
  }

  private static int binaryBits(ArrowType.FixedSizeBinary binary, String path) {
    if (binary.getByteWidth() < 1) {
      throw unsupported(binary, path);
    }
    return Math.multiplyExact(binary.getByteWidth(), Byte.SIZE);
  }

  private static ListType list(Field field, String path) {
    List<ListType.Layer> layers = new ArrayList<>();
    Field at = field;
    while (storage(at.getType()) instanceof ArrowType.FixedSizeList list) {
      requireDimension(list.getListSize(), path);
      at = at.getChildren().get(0);
      layers.add(
          new ListType.Layer(list.getListSize(), at.isNullable(), path + '.' + at.getName()));
    }
    if (at.getDictionary() == null && of(at, path) instanceof FixedType items) {
      return new ListType(layers, items);
    }
    throw new SchemaMismatchException(
        "Field '"
            + path
            + "' is a fixed-size list of "
            + at.getType()
            + ", which the format cannot store; use a list instead");
  }

  static void requireDimension(int dimension, String path) {
    if (dimension < 1) {
      throw new SchemaMismatchException(
          "Field '" + path + "' is a fixed-size list of " + dimension + " items; at least 1");
    }
  }

  private static SchemaMismatchException unsupported(ArrowType type, String path) {
    return new SchemaMismatchException(
        "Field '" + path + "' has the type " + type + ", which the format cannot store");
  }
}
