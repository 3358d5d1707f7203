package dev.lance4j.scan.internal.expr.type;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.TimeUnit;

/**
 * The type of a value in an expression.
 *
 * @param width a decimal's precision, the bytes of a fixed-size binary or the items of a fixed-size
 *     list; else 0
 * @param scale a decimal's digits after the point; else 0
 * @param unit of times, timestamps and durations; else null
 * @param zone of timestamps that are instants; else null
 * @param children the items of a list, the fields of a struct, the key and value of a map, the
 *     values of a dictionary
 */
public record Type(
    Kind kind, int width, int scale, TimeUnit unit, String zone, List<Child> children) {

  /** A named part of a nested type. */
  public record Child(String name, Type type) {}

  public static final int MAX_PRECISION_128 = 38;
  public static final int MAX_PRECISION_256 = 76;

  public static final Type NULL = of(Kind.NULL);
  public static final Type BOOLEAN = of(Kind.BOOLEAN);
  public static final Type INT8 = of(Kind.INT8);
  public static final Type INT16 = of(Kind.INT16);
  public static final Type INT32 = of(Kind.INT32);
  public static final Type INT64 = of(Kind.INT64);
  public static final Type UINT8 = of(Kind.UINT8);
  public static final Type UINT16 = of(Kind.UINT16);
  public static final Type UINT32 = of(Kind.UINT32);
  public static final Type UINT64 = of(Kind.UINT64);
  public static final Type FLOAT16 = of(Kind.FLOAT16);
  public static final Type FLOAT32 = of(Kind.FLOAT32);
  public static final Type FLOAT64 = of(Kind.FLOAT64);
  public static final Type UTF8 = of(Kind.UTF8);
  public static final Type LARGE_UTF8 = of(Kind.LARGE_UTF8);
  public static final Type BINARY = of(Kind.BINARY);
  public static final Type LARGE_BINARY = of(Kind.LARGE_BINARY);
  public static final Type DATE32 = of(Kind.DATE32);
  public static final Type DATE64 = of(Kind.DATE64);
  public static final Type INTERVAL = of(Kind.INTERVAL);

  public Type {
    children = List.copyOf(children);
  }

  public static Type of(Kind kind) {
    return new Type(kind, 0, 0, null, null, List.of());
  }

  /** A decimal in the smaller of the two layouts that holds the precision. */
  public static Type decimal(int precision, int scale) {
    Kind kind = precision > MAX_PRECISION_128 ? Kind.DECIMAL256 : Kind.DECIMAL128;
    return new Type(kind, precision, scale, null, null, List.of());
  }

  public static Type decimal256(int precision, int scale) {
    return new Type(Kind.DECIMAL256, precision, scale, null, null, List.of());
  }

  public static Type fixedBinary(int bytes) {
    return new Type(Kind.FIXED_BINARY, bytes, 0, null, null, List.of());
  }

  public static Type time(TimeUnit unit) {
    return new Type(Kind.TIME, 0, 0, unit, null, List.of());
  }

  public static Type timestamp(TimeUnit unit, String zone) {
    return new Type(Kind.TIMESTAMP, 0, 0, unit, zone, List.of());
  }

  public static Type duration(TimeUnit unit) {
    return new Type(Kind.DURATION, 0, 0, unit, null, List.of());
  }

  public static Type list(Type item) {
    return list(Kind.LIST, 0, item);
  }

  public static Type list(Kind kind, int size, Type item) {
    return new Type(kind, size, 0, null, null, List.of(new Child("item", item)));
  }

  public static Type struct(List<Child> fields) {
    return new Type(Kind.STRUCT, 0, 0, null, null, fields);
  }

  public static Type map(Type key, Type value) {
    return new Type(
        Kind.MAP, 0, 0, null, null, List.of(new Child("key", key), new Child("value", value)));
  }

  public static Type dictionary(Type index, Type values) {
    return new Type(
        Kind.DICTIONARY,
        0,
        0,
        null,
        null,
        List.of(new Child("index", index), new Child("values", values)));
  }

  public boolean is(Kind other) {
    return kind == other;
  }

  /** The item type of a list. */
  public Type item() {
    return children.get(0).type();
  }

  /** The type of a dictionary's values; of any other type itself. */
  public Type decoded() {
    return kind == Kind.DICTIONARY ? children.get(1).type() : this;
  }

  /** The position of a struct's field, or -1. */
  public int fieldIndex(String name) {
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** The type as the Arrow libraries write it: {@code Int32}, {@code List(Utf8)}. */
  @Override
  public String toString() {
    return switch (kind) {
      case NULL -> "Null";
      case BOOLEAN -> "Boolean";
      case UINT8, UINT16, UINT32, UINT64 -> "UInt" + kind.bits();
      case INT8, INT16, INT32, INT64 -> "Int" + kind.bits();
      case FLOAT16 -> "Float16";
      case FLOAT32 -> "Float32";
      case FLOAT64 -> "Float64";
      case DECIMAL128 -> "Decimal128(" + width + ", " + scale + ")";
      case DECIMAL256 -> "Decimal256(" + width + ", " + scale + ")";
      case UTF8 -> "Utf8";
      case LARGE_UTF8 -> "LargeUtf8";
      case BINARY -> "Binary";
      case LARGE_BINARY -> "LargeBinary";
      case FIXED_BINARY -> "FixedSizeBinary(" + width + ")";
      case DATE32 -> "Date32";
      case DATE64 -> "Date64";
      case TIME -> (ticksPerSecond() <= 1_000 ? "Time32(" : "Time64(") + symbol() + ")";
      case TIMESTAMP -> "Timestamp(" + symbol() + (zone == null ? "" : ", \"" + zone + "\"") + ")";
      case DURATION -> "Duration(" + symbol() + ")";
      case INTERVAL -> "Interval(MonthDayNano)";
      case LIST -> "List(" + item() + ")";
      case LARGE_LIST -> "LargeList(" + item() + ")";
      case FIXED_LIST -> "FixedSizeList(" + width + " x " + item() + ")";
      case STRUCT ->
          children.stream()
              .map(child -> "\"" + child.name() + "\": " + child.type())
              .collect(Collectors.joining(", ", "Struct(", ")"));
      case MAP -> "Map(" + item() + ", " + children.get(1).type() + ")";
      case DICTIONARY -> "Dictionary(" + item() + ", " + decoded() + ")";
    };
  }

  private String symbol() {
    return switch (unit) {
      case SECOND -> "s";
      case MILLISECOND -> "ms";
      case MICROSECOND -> "µs";
      case NANOSECOND -> "ns";
    };
  }

  /** Ticks per second of a time, timestamp or duration. */
  public long ticksPerSecond() {
    return ticksPerSecond(unit);
  }

  public static long ticksPerSecond(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1L;
      case MILLISECOND -> 1_000L;
      case MICROSECOND -> 1_000_000L;
      case NANOSECOND -> 1_000_000_000L;
    };
  }
}
