package dev.lance4j.scan.internal.expr.type;

import dev.lance4j.format.UnsupportedFormatException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Between Arrow fields and the types of expressions. */
public final class ArrowTypes {
  private ArrowTypes() {}

  /**
   * The type of a field. A field with a dictionary has the type of its values, as in a schema, or
   * of its keys, as in a vector; both give a dictionary of the values' type when that is known.
   */
  public static Type of(Field field) {
    if (field.getDictionary() != null) {
      ArrowType.Int index = field.getDictionary().getIndexType();
      Type keys = index == null ? Type.INT32 : integer(index);
      return Type.dictionary(keys, plain(field));
    }
    return plain(field);
  }

  private static Type plain(Field field) {
    ArrowType type = field.getType();
    if (type instanceof ArrowType.ExtensionType extension) {
      type = extension.storageType();
    }
    return switch (type.getTypeID()) {
      case Null -> Type.NULL;
      case Bool -> Type.BOOLEAN;
      case Int -> integer((ArrowType.Int) type);
      case FloatingPoint -> floating((ArrowType.FloatingPoint) type);
      case Decimal -> decimal((ArrowType.Decimal) type);
      case Utf8 -> Type.UTF8;
      case LargeUtf8 -> Type.LARGE_UTF8;
      case Binary -> Type.BINARY;
      case LargeBinary -> Type.LARGE_BINARY;
      case FixedSizeBinary -> Type.fixedBinary(((ArrowType.FixedSizeBinary) type).getByteWidth());
      case Date -> ((ArrowType.Date) type).getUnit() == DateUnit.DAY ? Type.DATE32 : Type.DATE64;
      case Time -> Type.time(((ArrowType.Time) type).getUnit());
      case Timestamp -> timestamp((ArrowType.Timestamp) type);
      case Duration -> Type.duration(((ArrowType.Duration) type).getUnit());
      case Interval -> Type.INTERVAL;
      case List -> Type.list(item(field));
      case LargeList -> Type.list(Kind.LARGE_LIST, 0, item(field));
      case FixedSizeList ->
          Type.list(Kind.FIXED_LIST, ((ArrowType.FixedSizeList) type).getListSize(), item(field));
      case Struct -> struct(field);
      case Map -> map(field);
      default ->
          throw new UnsupportedFormatException(
              "Expressions do not know the type " + type + " of field '" + field.getName() + "'");
    };
  }

  private static Type integer(ArrowType.Int type) {
    return switch (type.getBitWidth()) {
      case 8 -> type.getIsSigned() ? Type.INT8 : Type.UINT8;
      case 16 -> type.getIsSigned() ? Type.INT16 : Type.UINT16;
      case 32 -> type.getIsSigned() ? Type.INT32 : Type.UINT32;
      default -> type.getIsSigned() ? Type.INT64 : Type.UINT64;
    };
  }

  private static Type floating(ArrowType.FloatingPoint type) {
    return switch (type.getPrecision()) {
      case HALF -> Type.FLOAT16;
      case SINGLE -> Type.FLOAT32;
      case DOUBLE -> Type.FLOAT64;
    };
  }

  private static Type decimal(ArrowType.Decimal type) {
    return type.getBitWidth() > 128
        ? Type.decimal256(type.getPrecision(), type.getScale())
        : Type.decimal(type.getPrecision(), type.getScale());
  }

  private static Type timestamp(ArrowType.Timestamp type) {
    String zone = type.getTimezone();
    return Type.timestamp(type.getUnit(), zone == null || zone.isEmpty() ? null : zone);
  }

  private static Type item(Field field) {
    return of(field.getChildren().get(0));
  }

  private static Type struct(Field field) {
    List<Type.Child> fields = new ArrayList<>();
    for (Field child : field.getChildren()) {
      fields.add(new Type.Child(child.getName(), of(child)));
    }
    return Type.struct(fields);
  }

  private static Type map(Field field) {
    List<Field> entry = field.getChildren().get(0).getChildren();
    return Type.map(of(entry.get(0)), of(entry.get(1)));
  }

  /** A nullable field of a type; dictionaries are decoded. */
  public static Field field(String name, Type type) {
    return new Field(name, FieldType.nullable(arrow(type.decoded())), children(type.decoded()));
  }

  private static List<Field> children(Type type) {
    List<Field> fields = new ArrayList<>();
    for (Type.Child child : type.children()) {
      fields.add(field(child.name(), child.type()));
    }
    if (type.is(Kind.MAP)) {
      Field key =
          new Field(
              "key", FieldType.notNullable(fields.get(0).getType()), fields.get(0).getChildren());
      return List.of(
          new Field(
              "entries",
              FieldType.notNullable(ArrowType.Struct.INSTANCE),
              List.of(key, fields.get(1))));
    }
    return fields;
  }

  private static ArrowType arrow(Type type) {
    return switch (type.kind()) {
      case NULL -> ArrowType.Null.INSTANCE;
      case BOOLEAN -> ArrowType.Bool.INSTANCE;
      case INT8, INT16, INT32, INT64 -> new ArrowType.Int(type.kind().bits(), true);
      case UINT8, UINT16, UINT32, UINT64 -> new ArrowType.Int(type.kind().bits(), false);
      case FLOAT16 -> new ArrowType.FloatingPoint(FloatingPointPrecision.HALF);
      case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case DECIMAL128 -> new ArrowType.Decimal(type.width(), type.scale(), 128);
      case DECIMAL256 -> new ArrowType.Decimal(type.width(), type.scale(), 256);
      case UTF8 -> ArrowType.Utf8.INSTANCE;
      case LARGE_UTF8 -> ArrowType.LargeUtf8.INSTANCE;
      case BINARY -> ArrowType.Binary.INSTANCE;
      case LARGE_BINARY -> ArrowType.LargeBinary.INSTANCE;
      case FIXED_BINARY -> new ArrowType.FixedSizeBinary(type.width());
      case DATE32 -> new ArrowType.Date(DateUnit.DAY);
      case DATE64 -> new ArrowType.Date(DateUnit.MILLISECOND);
      case TIME ->
          new ArrowType.Time(
              type.unit(),
              type.unit() == TimeUnit.SECOND || type.unit() == TimeUnit.MILLISECOND ? 32 : 64);
      case TIMESTAMP -> new ArrowType.Timestamp(type.unit(), type.zone());
      case DURATION -> new ArrowType.Duration(type.unit());
      case INTERVAL -> new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO);
      case LIST -> ArrowType.List.INSTANCE;
      case LARGE_LIST -> ArrowType.LargeList.INSTANCE;
      case FIXED_LIST -> new ArrowType.FixedSizeList(type.width());
      case STRUCT -> ArrowType.Struct.INSTANCE;
      case MAP -> new ArrowType.Map(false);
      case DICTIONARY -> throw new IllegalStateException("Dictionaries are decoded first");
    };
  }
}
