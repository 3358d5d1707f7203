package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.eval.TemporalText;
import dev.lance4j.scan.internal.expr.type.Coercion;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.IntervalValues;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.arrow.vector.types.TimeUnit;

/** {@code +} and {@code -} with dates, timestamps, durations and intervals. */
public final class TemporalOperators {
  private static final long MILLIS_PER_DAY = 86_400_000L;

  private TemporalOperators() {}

  /** The node, or null if no operand is temporal. */
  public static Node bind(BinaryOperator operator, Node left, Node right) {
    Kind l = left.type().kind();
    Kind r = right.type().kind();
    if (!temporal(l) && !temporal(r)) {
      return null;
    }
    boolean subtract = operator == BinaryOperator.SUBTRACT;
    if (subtract || operator == BinaryOperator.ADD) {
      Node node = bind(subtract, left, right);
      if (node == null && !subtract) {
        node = bind(false, right, left);
      }
      if (node != null) {
        return node;
      }
    }
    throw new InvalidInputException(
        "The operator "
            + operator.symbol()
            + " does not apply to "
            + left.type()
            + " and "
            + right.type());
  }

  private static boolean temporal(Kind kind) {
    return kind.isTemporal() || kind == Kind.DURATION || kind == Kind.INTERVAL;
  }

  /** The node if the left operand decides the kind of the arithmetic; else null. */
  private static Node bind(boolean subtract, Node left, Node right) {
    Kind l = left.type().kind();
    Kind r = right.type().kind();
    boolean calendar = isDate(l) || l == Kind.TIMESTAMP;
    if (calendar && r == Kind.INTERVAL) {
      return shift(left, right, subtract);
    } else if (isDate(l) && (r == Kind.INT32 || r == Kind.INT64)) {
      return addTicks(left, right, left.type(), Type.INT64, subtract, left.type());
    } else if (isDate(l) && isDate(r) && subtract) {
      return addTicks(left, right, Type.DATE32, Type.DATE32, true, Type.INT64);
    } else if (calendar && (isDate(r) || r == Kind.TIMESTAMP) && subtract) {
      Type type = Coercion.comparison(left.type(), right.type());
      return addTicks(left, right, type, type, true, Type.duration(type.unit()));
    } else if (r == Kind.DURATION && (l == Kind.TIMESTAMP || l == Kind.DURATION)) {
      return addDuration(left, right, subtract);
    } else if ((l == Kind.TIME || l == Kind.INTERVAL)
        && (r == Kind.INTERVAL || (r == Kind.TIME && subtract))) {
      return addIntervals(left, right, subtract);
    }
    return null;
  }

  private static boolean isDate(Kind kind) {
    return kind == Kind.DATE32 || kind == Kind.DATE64;
  }

  /** A timestamp takes the finer unit of the two, a duration the coarser. */
  private static Node addDuration(Node left, Node right, boolean subtract) {
    if (left.type().is(Kind.DURATION)) {
      Type type = Coercion.comparison(left.type(), right.type());
      return addTicks(left, right, type, type, subtract, type);
    }
    boolean leftFiner = left.type().ticksPerSecond() >= right.type().ticksPerSecond();
    TimeUnit unit = leftFiner ? left.type().unit() : right.type().unit();
    Type type = Type.timestamp(unit, left.type().zone());
    return addTicks(left, right, type, Type.duration(unit), subtract, type);
  }

  /** Adds whole numbers after converting both operands. */
  private static Node addTicks(
      Node left, Node right, Type leftType, Type rightType, boolean subtract, Type type) {
    boolean days = type.is(Kind.DATE32);
    return RowFunction.strict(
        type,
        List.of(Nodes.cast(left, leftType, false), Nodes.cast(right, rightType, false)),
        (row, out) -> {
          long x = row.integer(0);
          long y = row.integer(1);
          try {
            long sum = subtract ? Math.subtractExact(x, y) : Math.addExact(x, y);
            out.append(days ? (long) Math.toIntExact(sum) : sum);
          } catch (ArithmeticException e) {
            throw new InvalidInputException("Temporal arithmetic is out of range", e);
          }
        });
  }

  private static Node addIntervals(Node left, Node right, boolean subtract) {
    int sign = subtract ? -1 : 1;
    return RowFunction.strict(
        Type.INTERVAL,
        List.of(Nodes.cast(left, Type.INTERVAL, false), Nodes.cast(right, Type.INTERVAL, false)),
        (row, out) -> {
          IntervalValues x = (IntervalValues) row.values(0);
          IntervalValues y = (IntervalValues) row.values(1);
          int at = row.position();
          out.appendInterval(
              Math.addExact(x.months(at), sign * y.months(at)),
              Math.addExact(x.days(at), sign * y.days(at)),
              Math.addExact(x.nanos(at), sign * y.nanos(at)));
        });
  }

  private static Node shift(Node left, Node right, boolean subtract) {
    Type type = left.type();
    ZoneId zone = type.zone() == null ? ZoneOffset.UTC : TemporalText.zoneOf(type.zone());
    return RowFunction.strict(
        type,
        List.of(left, right),
        (row, out) -> {
          try {
            out.append(shift(row, type, zone, subtract ? -1 : 1));
          } catch (ArithmeticException | java.time.DateTimeException e) {
            throw new InvalidInputException("Temporal arithmetic is out of range", e);
          }
        });
  }

  private static long shift(Row row, Type type, ZoneId zone, int sign) {
    IntervalValues interval = (IntervalValues) row.values(1);
    int at = row.position();
    long months = (long) sign * interval.months(at);
    long days = (long) sign * interval.days(at);
    long nanos = Math.multiplyExact(sign, interval.nanos(at));
    long value = row.integer(0);
    if (type.is(Kind.DATE32)) {
      long nanosPerDay = TemporalText.SECONDS_PER_DAY * TemporalText.NANOS_PER_SECOND;
      LocalDate moved = LocalDate.ofEpochDay(value).plusMonths(months).plusDays(days);
      return Math.toIntExact(moved.toEpochDay() + nanos / nanosPerDay);
    }
    long ticksPerSecond =
        type.is(Kind.DATE64)
            ? MILLIS_PER_DAY / TemporalText.SECONDS_PER_DAY
            : type.ticksPerSecond();
    Instant instant = instant(value, ticksPerSecond);
    Instant moved =
        instant.atZone(zone).plusMonths(months).plusDays(days).toInstant().plusNanos(nanos);
    return TemporalText.ticks(LocalDateTime.ofInstant(moved, ZoneOffset.UTC), ticksPerSecond)
        .orElseThrow(() -> new ArithmeticException("beyond 64 bits"));
  }

  private static Instant instant(long ticks, long ticksPerSecond) {
    LocalDateTime time = TemporalText.dateTime(ticks, ticksPerSecond);
    if (time == null) {
      throw new ArithmeticException("beyond the calendar");
    }
    return time.toInstant(ZoneOffset.UTC);
  }
}
