package dev.lance4j.scan.internal.expr.type;

import dev.lance4j.scan.expr.BinaryOperator;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.TimeUnit;

/** The types to which operands are converted before an operator applies. */
public final class Coercion {
  /** Operand types and result type of an arithmetic operator. */
  public record Arithmetic(Type left, Type right, Type result) {}

  private static final int DIVISION_SCALE = 4;

  private Coercion() {}

  /** The type in which two values are compared; null if there is none. */
  public static Type comparison(Type left, Type right) {
    Type l = left.decoded();
    Type r = right.decoded();
    if (l.equals(r) || r.is(Kind.NULL)) {
      return l;
    } else if (l.is(Kind.NULL)) {
      return r;
    } else if (l.kind().isNumeric() && r.kind().isNumeric()) {
      return numeric(l, r, false);
    }
    Type type = asymmetric(l, r);
    return type != null ? type : asymmetric(r, l);
  }

  private static Type asymmetric(Type l, Type r) {
    Kind left = l.kind();
    Kind right = r.kind();
    if (left.isString() && right.isString()) {
      return left == Kind.LARGE_UTF8 ? l : r;
    } else if (left.isString() && right.isNumeric()) {
      return l;
    } else if (left.isString() && right.isTemporal()) {
      return right == Kind.TIMESTAMP ? Type.timestamp(TimeUnit.NANOSECOND, r.zone()) : r;
    } else if (left.isBinary()
        && (right.isBinary() || (right.isString() && left != Kind.FIXED_BINARY))) {
      return binary(left, right);
    } else if (left == Kind.DATE32 && right == Kind.DATE64) {
      return r;
    } else if (isDate(left) && (right == Kind.INT32 || right == Kind.INT64)) {
      return l;
    } else if (isDate(left) && right == Kind.TIMESTAMP) {
      return Type.timestamp(TimeUnit.NANOSECOND, null);
    } else if (left == Kind.TIMESTAMP && right == Kind.TIMESTAMP) {
      return timestamp(l, r);
    } else if (left == Kind.DURATION && right == Kind.DURATION) {
      return l.ticksPerSecond() <= r.ticksPerSecond() ? l : r;
    } else if (left == Kind.DURATION && right == Kind.INTERVAL) {
      return r;
    } else if (left.isList() && right.isList()) {
      return list(l, r);
    } else if (left == Kind.STRUCT && right == Kind.STRUCT) {
      return struct(l, r);
    }
    return null;
  }

  private static boolean isDate(Kind kind) {
    return kind == Kind.DATE32 || kind == Kind.DATE64;
  }

  private static Type binary(Kind left, Kind right) {
    boolean large =
        left == Kind.LARGE_BINARY || right == Kind.LARGE_BINARY || right == Kind.LARGE_UTF8;
    return large ? Type.LARGE_BINARY : Type.BINARY;
  }

  private static Type timestamp(Type l, Type r) {
    Type coarser = l.ticksPerSecond() <= r.ticksPerSecond() ? l : r;
    return Type.timestamp(coarser.unit(), l.zone() != null ? l.zone() : r.zone());
  }

  private static Type list(Type l, Type r) {
    Type item = numberBeforeText(l.item(), r.item());
    if (item == null) {
      return null;
    }
    if (l.is(Kind.FIXED_LIST) && r.is(Kind.FIXED_LIST) && l.width() == r.width()) {
      return Type.list(Kind.FIXED_LIST, l.width(), item);
    }
    boolean large = l.is(Kind.LARGE_LIST) || r.is(Kind.LARGE_LIST);
    return Type.list(large ? Kind.LARGE_LIST : Kind.LIST, 0, item);
  }

  /** The common type of the items of two lists: texts become numbers, not the reverse. */
  public static Type numberBeforeText(Type l, Type r) {
    if (l.kind().isString() && r.kind().isNumeric()) {
      return r;
    } else if (r.kind().isString() && l.kind().isNumeric()) {
      return l;
    }
    return comparison(l, r);
  }

  private static Type struct(Type l, Type r) {
    if (l.children().size() != r.children().size()) {
      return null;
    }
    List<Type.Child> fields = new ArrayList<>();
    for (int i = 0; i < l.children().size(); i++) {
      Type.Child field = l.children().get(i);
      Type type = comparison(field.type(), r.children().get(i).type());
      if (type == null) {
        return null;
      }
      fields.add(new Type.Child(field.name(), type));
    }
    return Type.struct(fields);
  }

  /** The narrowest numeric type that holds both, as far as one does. */
  private static Type numeric(Type l, Type r, boolean floatWins) {
    if (l.kind().isDecimal() || r.kind().isDecimal()) {
      boolean floating = l.kind().isFloat() || r.kind().isFloat();
      return floating && floatWins ? wider(l, r) : commonDecimal(asDecimal(l), asDecimal(r));
    }
    if (l.kind().isFloat() || r.kind().isFloat()) {
      return wider(l, r);
    }
    return integer(l.kind(), r.kind());
  }

  private static Type wider(Type l, Type r) {
    if (l.is(Kind.FLOAT64) || r.is(Kind.FLOAT64)) {
      return Type.FLOAT64;
    }
    return l.is(Kind.FLOAT32) || r.is(Kind.FLOAT32) ? Type.FLOAT32 : Type.FLOAT16;
  }

  private static Type integer(Kind l, Kind r) {
    if (l.isSigned() == r.isSigned()) {
      return Type.of(l.bits() >= r.bits() ? l : r);
    }
    int signed = l.isSigned() ? l.bits() : r.bits();
    int unsigned = l.isSigned() ? r.bits() : l.bits();
    return switch (Math.max(signed, unsigned * 2)) {
      case 16 -> Type.INT16;
      case 32 -> Type.INT32;
      case 64 -> Type.INT64;
      default -> Type.decimal(20, 0);
    };
  }

  /** A decimal that holds every value of an integer type; a float's usual digits. */
  private static Type asDecimal(Type type) {
    return switch (type.kind()) {
      case INT8, UINT8 -> Type.decimal(3, 0);
      case INT16, UINT16 -> Type.decimal(5, 0);
      case INT32, UINT32 -> Type.decimal(10, 0);
      case INT64, UINT64 -> Type.decimal(20, 0);
      case FLOAT16 -> Type.decimal(6, 3);
      case FLOAT32 -> Type.decimal(14, 7);
      case FLOAT64 -> Type.decimal(30, 15);
      default -> type;
    };
  }

  private static Type commonDecimal(Type l, Type r) {
    int scale = Math.max(l.scale(), r.scale());
    int range = Math.max(l.width() - l.scale(), r.width() - r.scale());
    return decimal(l, r, range + scale, scale);
  }

  /** A decimal as wide as the wider operand, its precision capped. */
  private static Type decimal(Type l, Type r, int precision, int scale) {
    boolean wide = l.is(Kind.DECIMAL256) || r.is(Kind.DECIMAL256);
    int max = wide ? Type.MAX_PRECISION_256 : Type.MAX_PRECISION_128;
    int capped = Math.min(max, precision);
    return wide ? Type.decimal256(capped, scale) : Type.decimal(capped, scale);
  }

  /**
   * The type common to all values of a CASE, a list literal, coalesce, …; null if there is none.
   */
  public static Type union(List<Type> types) {
    Type result = Type.NULL;
    for (Type type : types) {
      result = comparison(result, type);
      if (result == null) {
        return null;
      }
    }
    return result;
  }

  /** The types of numeric arithmetic; null if the operator does not apply to the operands. */
  public static Arithmetic arithmetic(BinaryOperator operator, Type left, Type right) {
    Type l = left.is(Kind.NULL) ? right : left;
    Type r = right.is(Kind.NULL) ? left : right;
    if (l.is(Kind.NULL)) {
      return new Arithmetic(Type.INT64, Type.INT64, Type.INT64);
    }
    if (!l.kind().isNumeric() || !r.kind().isNumeric()) {
      return null;
    }
    Type common = l.equals(r) ? l : numeric(l, r, true);
    if (!common.kind().isDecimal()) {
      return new Arithmetic(common, common, common);
    }
    Type decimalLeft = asDecimal(l);
    Type decimalRight = asDecimal(r);
    return new Arithmetic(decimalLeft, decimalRight, result(operator, decimalLeft, decimalRight));
  }

  private static Type result(BinaryOperator operator, Type l, Type r) {
    int range = Math.max(l.width() - l.scale(), r.width() - r.scale());
    int scale = Math.max(l.scale(), r.scale());
    return switch (operator) {
      case MULTIPLY -> decimal(l, r, l.width() + r.width() + 1, l.scale() + r.scale());
      case DIVIDE -> {
        int digits = Math.min(l.scale() + DIVISION_SCALE, Type.MAX_PRECISION_128);
        yield decimal(l, r, l.width() - l.scale() + r.scale() + digits, digits);
      }
      case MODULO ->
          decimal(l, r, Math.min(l.width() - l.scale(), r.width() - r.scale()) + scale, scale);
      default -> decimal(l, r, range + scale + 1, scale);
    };
  }
}
