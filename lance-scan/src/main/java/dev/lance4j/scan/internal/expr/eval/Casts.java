package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import dev.lance4j.scan.internal.expr.values.DecimalValues;
import dev.lance4j.scan.internal.expr.values.DoubleValues;
import dev.lance4j.scan.internal.expr.values.ListValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import dev.lance4j.scan.internal.expr.values.StructValues;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.ZoneId;
import org.apache.arrow.memory.util.Float16;

/** Conversions between types. A value that has no counterpart is an error, or null when safe. */
public final class Casts {
  private Casts() {}

  /** Whether any value of one type can become the other. */
  public static boolean allowed(Type from, Type to) {
    Kind f = from.decoded().kind();
    Kind t = to.kind();
    if (from.decoded().equals(to) || f == Kind.NULL) {
      return true;
    } else if (f == Kind.BOOLEAN) {
      return t.isInteger() || t.isFloat() || t.isString();
    } else if (f.isNumeric()) {
      return numberAllowed(f, t);
    } else if (f.isString()) {
      return !t.isList() && t != Kind.STRUCT && t != Kind.MAP && t != Kind.NULL;
    } else if (f.isBinary()) {
      return t.isBinary() || t.isString();
    } else if (f.isTemporal() || f == Kind.DURATION) {
      return temporalAllowed(f, t);
    } else if (f.isList()) {
      boolean text = t.isString() && f != Kind.FIXED_LIST;
      return text || (t.isList() && allowed(from.decoded().item(), to.item()));
    }
    return f == Kind.STRUCT && t == Kind.STRUCT && from.children().size() == to.children().size();
  }

  private static boolean numberAllowed(Kind from, Kind to) {
    if (to.isNumeric() || to.isString()) {
      return !(from.isDecimal() && to == Kind.FLOAT16);
    }
    return switch (to) {
      case BOOLEAN -> !from.isDecimal();
      case TIMESTAMP, DURATION -> from.isInteger() || from.isDecimal();
      case DATE32, DATE64, TIME -> from == Kind.INT32 || from == Kind.INT64;
      default -> false;
    };
  }

  private static boolean temporalAllowed(Kind from, Kind to) {
    if (to.isString()) {
      return true;
    } else if (to.isInteger()) {
      return from != Kind.TIME || to == Kind.INT32 || to == Kind.INT64;
    }
    boolean number = to.isFloat() || to.isDecimal();
    return switch (from) {
      case TIME -> to == Kind.TIME || to == Kind.INTERVAL;
      case DURATION -> number || to == Kind.DURATION || to == Kind.INTERVAL;
      case TIMESTAMP -> number || to.isTemporal();
      default -> to == Kind.DATE32 || to == Kind.DATE64 || to == Kind.TIMESTAMP;
    };
  }

  /** Converts all values; the types must be {@link #allowed}. */
  public static Values cast(Values values, Type source, Type to, boolean safe) {
    Type from = source.decoded();
    if (from.equals(to) || sameLayout(from.kind(), to.kind())) {
      return values;
    } else if (from.is(Kind.NULL)) {
      return Values.nulls(to, values.size());
    } else if (values instanceof ListValues lists && to.kind().isList()) {
      return castList(lists, from, to, safe);
    } else if (values instanceof StructValues structs && to.is(Kind.STRUCT)) {
      return castStruct(structs, from, to, safe);
    } else if (to.kind().isString()) {
      return TextCasts.toText(values, from, to, safe);
    } else if (from.kind().isString()) {
      return TextCasts.fromText((BytesValues) values, to, safe);
    } else if (values instanceof BytesValues bytes) {
      return toBinary(bytes, to, safe);
    } else if (isTicks(from.kind()) && (isTicks(to.kind()) || to.is(Kind.INTERVAL))) {
      return TemporalCasts.cast((LongValues) values, from, to, safe);
    }
    return numbers(values, from, to, safe);
  }

  private static boolean isTicks(Kind kind) {
    return kind.isTemporal() || kind == Kind.DURATION;
  }

  private static boolean sameLayout(Kind from, Kind to) {
    return (from.isString() && (to.isString() || to == Kind.BINARY || to == Kind.LARGE_BINARY))
        || (from.isBinary() && (to == Kind.BINARY || to == Kind.LARGE_BINARY));
  }

  private static Values castList(ListValues lists, Type from, Type to, boolean safe) {
    if (to.is(Kind.FIXED_LIST)) {
      for (int i = 0; i < lists.size(); i++) {
        if (!lists.isNull(i) && lists.length(i) != to.width()) {
          throw failure("a list of " + lists.length(i) + " items", to);
        }
      }
    }
    return lists.withItems(cast(lists.items(), from.item(), to.item(), safe));
  }

  private static Values castStruct(StructValues structs, Type from, Type to, boolean safe) {
    Values[] fields = new Values[structs.width()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] =
          cast(structs.field(i), from.children().get(i).type(), to.children().get(i).type(), safe);
    }
    return new StructValues(structs.size(), fields, structs.valid());
  }

  private static Values toBinary(BytesValues bytes, Type to, boolean safe) {
    ValuesBuilder result = new ValuesBuilder(to);
    for (int i = 0; i < bytes.size(); i++) {
      if (!bytes.isNull(i) && bytes.length(i) != to.width() && !safe) {
        throw failure("a value of " + bytes.length(i) + " bytes", to);
      }
      if (bytes.isNull(i) || bytes.length(i) != to.width()) {
        result.appendNull();
      } else {
        result.append(bytes, i);
      }
    }
    return result.build();
  }

  private static Values numbers(Values values, Type from, Type to, boolean safe) {
    if (to.is(Kind.BOOLEAN)) {
      return toBoolean(values);
    } else if (to.kind().isFloat()) {
      return toFloat(values, from, to);
    } else if (to.kind().isDecimal()) {
      return toDecimal(values, from, to, safe);
    }
    return toTicks(values, from, to, safe);
  }

  private static Values toBoolean(Values values) {
    long[] bits = new long[Bits.words(values.size())];
    for (int i = 0; i < values.size(); i++) {
      boolean truth =
          values instanceof LongValues longs
              ? longs.get(i) != 0
              : ((DoubleValues) values).get(i) != 0;
      if (truth) {
        Bits.set(bits, i);
      }
    }
    return new BoolValues(values.size(), bits, values.valid());
  }

  private static Values toFloat(Values values, Type from, Type to) {
    double[] result = new double[values.size()];
    for (int i = 0; i < result.length; i++) {
      if (values instanceof LongValues longs) {
        result[i] = toFloat(longs.get(i), from.is(Kind.UINT64), to.kind());
      } else if (values instanceof DoubleValues doubles) {
        result[i] = round(doubles.get(i), to.kind());
      } else if (values instanceof BoolValues flags) {
        result[i] = flags.get(i) ? 1 : 0;
      } else {
        BigDecimal value = new BigDecimal(((DecimalValues) values).get(i), from.scale());
        result[i] = round(value.doubleValue(), to.kind());
      }
    }
    return new DoubleValues(result, values.valid());
  }

  private static double toFloat(long value, boolean unsigned, Kind kind) {
    boolean huge = unsigned && value < 0;
    if (kind == Kind.FLOAT64) {
      return huge ? unsignedBig(value).doubleValue() : value;
    }
    float single = huge ? unsignedBig(value).floatValue() : value;
    return round(single, kind);
  }

  private static BigInteger unsignedBig(long value) {
    BigInteger big = BigInteger.valueOf(value);
    return value < 0 ? big.add(BigInteger.ONE.shiftLeft(Long.SIZE)) : big;
  }

  /** The nearest number of a floating-point type. */
  static double round(double value, Kind kind) {
    return switch (kind) {
      case FLOAT16 -> Float16.toFloat(Float16.toFloat16((float) value));
      case FLOAT32 -> (float) value;
      default -> value;
    };
  }

  private static Values toDecimal(Values values, Type from, Type to, boolean safe) {
    ValuesBuilder result = new ValuesBuilder(to);
    BigInteger limit = BigInteger.TEN.pow(to.width());
    for (int i = 0; i < values.size(); i++) {
      if (values.isNull(i)) {
        result.appendNull();
        continue;
      }
      BigDecimal value = exact(values, from, i);
      BigInteger unscaled = value == null ? null : unscaled(value, to.scale());
      if (unscaled != null && unscaled.abs().compareTo(limit) < 0) {
        result.append(unscaled);
      } else if (safe) {
        result.appendNull();
      } else {
        throw failure(value == null ? "NaN or infinity" : value, to);
      }
    }
    return result.build();
  }

  /** A number as decimal; null if it is not finite. */
  private static BigDecimal exact(Values values, Type from, int row) {
    if (values instanceof LongValues longs) {
      long value = longs.get(row);
      return from.is(Kind.UINT64) ? new BigDecimal(unsignedBig(value)) : BigDecimal.valueOf(value);
    } else if (values instanceof DoubleValues doubles) {
      double value = doubles.get(row);
      return Double.isFinite(value) ? new BigDecimal(value) : null;
    }
    return new BigDecimal(((DecimalValues) values).get(row), from.scale());
  }

  /** Rounded half away from zero. */
  static BigInteger unscaled(BigDecimal value, int scale) {
    return value.setScale(scale, java.math.RoundingMode.HALF_UP).unscaledValue();
  }

  private static Values toTicks(Values values, Type from, Type to, boolean safe) {
    long[] result = new long[values.size()];
    long[] valid = values.valid();
    for (int i = 0; i < result.length; i++) {
      if (values.isNull(i)) {
        continue;
      }
      if (values instanceof LongValues longs && inRange(longs.get(i), from.kind(), to)) {
        result[i] = longs.get(i);
      } else if (values instanceof BoolValues flags) {
        result[i] = flags.get(i) ? 1 : 0;
      } else {
        BigDecimal value = exact(values, from, i);
        BigInteger whole = value == null ? null : scaled(value, from, to).toBigInteger();
        if (whole != null && fits(whole, to.kind())) {
          result[i] = whole.longValue();
        } else if (safe) {
          valid = valid == null || valid == values.valid() ? copy(valid, result.length) : valid;
          Bits.clear(valid, i);
        } else {
          throw failure(value == null ? "NaN or infinity" : value.toPlainString(), to);
        }
      }
    }
    return new LongValues(result, valid, to.is(Kind.UINT64));
  }

  /** A 32-bit number is a date's days, also where the date counts milliseconds. */
  private static BigDecimal scaled(BigDecimal value, Type from, Type to) {
    boolean days = from.is(Kind.INT32) && to.is(Kind.DATE64);
    return days ? value.multiply(BigDecimal.valueOf(TemporalCasts.MILLIS_PER_DAY)) : value;
  }

  static long[] copy(long[] valid, int size) {
    return valid == null ? Bits.ones(size) : valid.clone();
  }

  private static boolean inRange(long value, Kind from, Type to) {
    if (from == Kind.INT32 && to.is(Kind.DATE64)) {
      return false;
    }
    if (from == Kind.UINT64) {
      return value >= 0 ? fits(BigInteger.valueOf(value), to.kind()) : to.is(Kind.UINT64);
    }
    return switch (to.kind()) {
      case INT8 -> value == (byte) value;
      case INT16 -> value == (short) value;
      case INT32, DATE32 -> value == (int) value;
      case UINT8 -> value == (value & 0xff);
      case UINT16 -> value == (value & 0xffff);
      case UINT32 -> value == (value & 0xffff_ffffL);
      case UINT64 -> value >= 0;
      case TIME -> to.ticksPerSecond() > 1_000 || value == (int) value;
      default -> true;
    };
  }

  /** Whether a whole number has a counterpart in an integer type, or in the ticks of another. */
  public static boolean fits(BigInteger value, Kind kind) {
    if (kind.isUnsigned()) {
      return value.signum() >= 0 && value.bitLength() <= kind.bits();
    }
    int bits = kind.isSigned() ? kind.bits() : kind == Kind.DATE32 ? 32 : 64;
    return value.bitLength() < bits;
  }

  static ZoneId zone(Type type) {
    ZoneId zone = type.zone() == null ? null : TemporalText.zoneOf(type.zone());
    if (type.zone() != null && zone == null) {
      throw new InvalidInputException("Unknown time zone '" + type.zone() + "'");
    }
    return zone;
  }

  static InvalidInputException failure(Object value, Type to) {
    return new InvalidInputException("Cannot cast " + value + " to " + to);
  }
}
