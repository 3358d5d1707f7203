package dev.lance4j.scan.internal.expr.type;

/** The families of types that expressions compute with. */
public enum Kind {
  NULL,
  BOOLEAN,
  INT8,
  INT16,
  INT32,
  INT64,
  UINT8,
  UINT16,
  UINT32,
  UINT64,
  FLOAT16,
  FLOAT32,
  FLOAT64,
  DECIMAL128,
  DECIMAL256,
  UTF8,
  LARGE_UTF8,
  BINARY,
  LARGE_BINARY,
  FIXED_BINARY,
  DATE32,
  DATE64,
  TIME,
  TIMESTAMP,
  DURATION,
  INTERVAL,
  LIST,
  LARGE_LIST,
  FIXED_LIST,
  STRUCT,
  MAP,
  DICTIONARY;

  public boolean isSigned() {
    return this == INT8 || this == INT16 || this == INT32 || this == INT64;
  }

  public boolean isUnsigned() {
    return this == UINT8 || this == UINT16 || this == UINT32 || this == UINT64;
  }

  public boolean isInteger() {
    return isSigned() || isUnsigned();
  }

  public boolean isFloat() {
    return this == FLOAT16 || this == FLOAT32 || this == FLOAT64;
  }

  public boolean isDecimal() {
    return this == DECIMAL128 || this == DECIMAL256;
  }

  public boolean isNumeric() {
    return isInteger() || isFloat() || isDecimal();
  }

  public boolean isString() {
    return this == UTF8 || this == LARGE_UTF8;
  }

  public boolean isBinary() {
    return this == BINARY || this == LARGE_BINARY || this == FIXED_BINARY;
  }

  public boolean isList() {
    return this == LIST || this == LARGE_LIST || this == FIXED_LIST;
  }

  public boolean isTemporal() {
    return this == DATE32 || this == DATE64 || this == TIME || this == TIMESTAMP;
  }

  /** Bits of an integer. */
  public int bits() {
    return switch (this) {
      case INT8, UINT8 -> 8;
      case INT16, UINT16 -> 16;
      case INT32, UINT32 -> 32;
      case INT64, UINT64 -> 64;
      default -> throw new IllegalStateException("Not an integer: " + this);
    };
  }
}
