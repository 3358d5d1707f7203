package dev.lance4j.format.internal.data;

import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * How the buffers of a type are laid out.
 *
 * @param kind which buffers there are
 * @param bits of one value, for fixed-width kinds; values per list, for fixed-size lists
 */
public record ArrayLayout(Kind kind, int bits) {
  /** The families of layouts. */
  public enum Kind {
    NULL,
    /** {validity, values}, one bit or whole bytes for each. */
    FIXED,
    /** {validity, 32-bit offsets, bytes}. */
    VARIABLE,
    /** {validity, 64-bit offsets, bytes}. */
    LARGE_VARIABLE,
    /** {validity, 32-bit offsets}, one child; maps too. */
    LIST,
    /** {validity, 64-bit offsets}, one child. */
    LARGE_LIST,
    /** {validity}, one child. */
    FIXED_SIZE_LIST,
    /** {validity}, a child for each field. */
    STRUCT
  }

  /**
   * The layout of the array that a field is held in: for dictionary fields that of the keys.
   *
   * @throws IllegalArgumentException for types that Lance does not have
   */
  public static ArrayLayout of(Field field) {
    ArrowType type =
        field.getDictionary() == null ? field.getType() : field.getDictionary().getIndexType();
    if (type instanceof ArrowType.ExtensionType extension) {
      type = extension.storageType();
    }
    return switch (type.getTypeID()) {
      case Null -> new ArrayLayout(Kind.NULL, 0);
      case Bool -> new ArrayLayout(Kind.FIXED, 1);
      case Int -> new ArrayLayout(Kind.FIXED, ((ArrowType.Int) type).getBitWidth());
      case FloatingPoint -> new ArrayLayout(Kind.FIXED, bits((ArrowType.FloatingPoint) type));
      case Decimal -> new ArrayLayout(Kind.FIXED, ((ArrowType.Decimal) type).getBitWidth());
      case Date -> new ArrayLayout(Kind.FIXED, bits((ArrowType.Date) type));
      case Time -> new ArrayLayout(Kind.FIXED, ((ArrowType.Time) type).getBitWidth());
      case Timestamp, Duration -> new ArrayLayout(Kind.FIXED, 64);
      case FixedSizeBinary ->
          new ArrayLayout(
              Kind.FIXED, Math.multiplyExact(8, ((ArrowType.FixedSizeBinary) type).getByteWidth()));
      case Utf8, Binary -> new ArrayLayout(Kind.VARIABLE, 0);
      case LargeUtf8, LargeBinary -> new ArrayLayout(Kind.LARGE_VARIABLE, 0);
      case List, Map -> new ArrayLayout(Kind.LIST, 0);
      case LargeList -> new ArrayLayout(Kind.LARGE_LIST, 0);
      case FixedSizeList ->
          new ArrayLayout(Kind.FIXED_SIZE_LIST, ((ArrowType.FixedSizeList) type).getListSize());
      case Struct -> new ArrayLayout(Kind.STRUCT, 0);
      default -> throw new IllegalArgumentException("no layout for the type " + type);
    };
  }

  /** Whether offsets have 64 bits. */
  public boolean hasLongOffsets() {
    return kind == Kind.LARGE_VARIABLE || kind == Kind.LARGE_LIST;
  }

  /** Whether values are strings or bytes of any length. */
  public boolean isVariable() {
    return kind == Kind.VARIABLE || kind == Kind.LARGE_VARIABLE;
  }

  private static int bits(ArrowType.FloatingPoint type) {
    return switch (type.getPrecision()) {
      case HALF -> 16;
      case SINGLE -> 32;
      case DOUBLE -> 64;
    };
  }

  private static int bits(ArrowType.Date type) {
    return switch (type.getUnit()) {
      case DAY -> 32;
      case MILLISECOND -> 64;
    };
  }
}
