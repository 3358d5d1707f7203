package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.eval.TemporalText;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.IntervalValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.TimeUnit;

/** Functions on dates, times and timestamps. A timestamp with a zone is taken in its local time. */
final class DateFunctions {
  private static final long NANOS_PER_DAY =
      TemporalText.SECONDS_PER_DAY * TemporalText.NANOS_PER_SECOND;

  private DateFunctions() {}

  static void register(Map<String, FunctionBinder> functions) {
    functions.put("date_part", DateFunctions::datePart);
    functions.put("datepart", DateFunctions::datePart);
    functions.put("date_trunc", DateFunctions::truncate);
    functions.put("datetrunc", DateFunctions::truncate);
    functions.put("date_bin", DateFunctions::bin);
    functions.put("to_char", DateFunctions::format);
    functions.put("date_format", DateFunctions::format);
    functions.put("to_date", DateFunctions::toDate);
    functions.put("make_date", DateFunctions::makeDate);
    functions.put("from_unixtime", DateFunctions::fromUnixTime);
    functions.put("to_unixtime", DateFunctions::toUnixTime);
    functions.put("to_local_time", DateFunctions::toLocalTime);
    functions.put("to_time", DateFunctions::toTime);
    functions.put("to_timestamp", a -> toTimestamp(a, TimeUnit.NANOSECOND, TimeUnit.SECOND));
    functions.put("to_timestamp_seconds", a -> toTimestamp(a, TimeUnit.SECOND, TimeUnit.SECOND));
    functions.put(
        "to_timestamp_millis", a -> toTimestamp(a, TimeUnit.MILLISECOND, TimeUnit.MILLISECOND));
    functions.put(
        "to_timestamp_micros", a -> toTimestamp(a, TimeUnit.MICROSECOND, TimeUnit.MICROSECOND));
    functions.put(
        "to_timestamp_nanos", a -> toTimestamp(a, TimeUnit.NANOSECOND, TimeUnit.NANOSECOND));
    registerClock(functions);
  }

  private static void registerClock(Map<String, FunctionBinder> functions) {
    for (String name : List.of("now", "current_timestamp")) {
      functions.put(
          name, a -> constant(a, Type.timestamp(TimeUnit.NANOSECOND, null), nanos(a.now())));
    }
    for (String name : List.of("current_date", "today")) {
      functions.put(
          name, a -> constant(a, Type.DATE32, Math.floorDiv(nanos(a.now()), NANOS_PER_DAY)));
    }
    functions.put(
        "current_time",
        a ->
            constant(
                a, Type.time(TimeUnit.NANOSECOND), Math.floorMod(nanos(a.now()), NANOS_PER_DAY)));
  }

  private static long nanos(Instant now) {
    return now.getEpochSecond() * TemporalText.NANOS_PER_SECOND + now.getNano();
  }

  private static Node constant(Arguments a, Type type, long value) {
    a.require(0);
    return new Constant(type, new LongValues(new long[] {value}, null));
  }

  /** The zone in which a type's values are read. */
  private static ZoneId zone(Type type) {
    ZoneId zone = type.zone() == null ? ZoneOffset.UTC : TemporalText.zoneOf(type.zone());
    if (zone == null) {
      throw new InvalidInputException("Unknown time zone '" + type.zone() + "'");
    }
    return zone;
  }

  /** The local date-time of a date or timestamp. */
  static LocalDateTime local(long value, Type type, ZoneId zone) {
    LocalDateTime utc =
        switch (type.kind()) {
          case DATE32 ->
              TemporalText.dateTime(Math.multiplyExact(value, TemporalText.SECONDS_PER_DAY), 1);
          case DATE64 -> TemporalText.dateTime(value, 1_000);
          default -> TemporalText.dateTime(value, type.ticksPerSecond());
        };
    if (utc == null) {
      throw new InvalidInputException(
          "The " + type + " value " + value + " is beyond the calendar");
    }
    return zone.equals(ZoneOffset.UTC)
        ? utc
        : LocalDateTime.ofInstant(utc.toInstant(ZoneOffset.UTC), zone);
  }

  /** A date or timestamp; a text is read as timestamp. */
  private static Node moment(Arguments a, int index) {
    Kind kind = a.type(index).kind();
    if (kind.isString() || kind == Kind.NULL) {
      return a.cast(index, Type.timestamp(TimeUnit.NANOSECOND, null));
    }
    if (kind != Kind.DATE32 && kind != Kind.DATE64 && kind != Kind.TIMESTAMP) {
      throw a.wrongType(index, "a date or timestamp");
    }
    return a.get(index);
  }

  private static Node datePart(Arguments a) {
    a.require(2);
    DateField field = DateField.of(a.constantText(0));
    Kind kind = a.type(1).kind();
    boolean span = kind == Kind.TIME || kind == Kind.DURATION || kind == Kind.INTERVAL;
    Node value = span ? a.get(1) : moment(a, 1);
    Type type = value.type();
    Type result = field == DateField.EPOCH ? Type.FLOAT64 : Type.INT32;
    if (kind == Kind.INTERVAL) {
      return RowFunction.strict(
          result,
          List.of(value),
          (row, out) ->
              out.append(field.ofInterval((IntervalValues) row.values(0), row.position())));
    }
    ZoneId zone = span ? ZoneOffset.UTC : zone(type);
    return RowFunction.strict(
        result, List.of(value), (row, out) -> appendPart(field, row.integer(0), type, zone, out));
  }

  private static void appendPart(
      DateField field, long value, Type type, ZoneId zone, ValuesBuilder out) {
    if (field == DateField.EPOCH) {
      long ticks = type.is(Kind.DATE32) || type.is(Kind.DATE64) ? 1 : type.ticksPerSecond();
      out.append(
          type.is(Kind.DATE32)
              ? (double) value * TemporalText.SECONDS_PER_DAY
              : type.is(Kind.DATE64) ? value / 1_000.0 : value / (double) ticks);
    } else if (type.is(Kind.TIME) || type.is(Kind.DURATION)) {
      out.append(field.ofSpan(value, type.ticksPerSecond(), type.is(Kind.DURATION)));
    } else {
      out.append((long) field.of(local(value, type, zone)));
    }
  }

  private static Node truncate(Arguments a) {
    a.require(2);
    DateField field = DateField.truncatable(a.constantText(0));
    if (a.type(1).is(Kind.TIME)) {
      if (field.nanos() == 0 || field == DateField.DAY) {
        throw new InvalidInputException(
            "date_trunc cuts a time of day to hour, minute, second, millisecond or microsecond");
      }
      long step = field.nanos() / (TemporalText.NANOS_PER_SECOND / a.type(1).ticksPerSecond());
      return RowFunction.strict(
          a.type(1),
          List.of(a.get(1)),
          (row, out) -> out.append(step <= 1 ? row.integer(0) : row.integer(0) / step * step));
    }
    Node moment = moment(a, 1);
    Node value =
        moment.type().is(Kind.TIMESTAMP)
            ? moment
            : Nodes.cast(moment, Type.timestamp(TimeUnit.NANOSECOND, null), false);
    Type type = value.type();
    ZoneId zone = zone(type);
    return RowFunction.strict(
        type,
        List.of(value),
        (row, out) -> out.append(truncate(row.integer(0), field, type, zone)));
  }

  private static long truncate(long value, DateField field, Type type, ZoneId zone) {
    LocalDateTime time = local(value, type, zone);
    Instant moment = TemporalText.dateTime(value, type.ticksPerSecond()).toInstant(ZoneOffset.UTC);
    // Where a local time exists twice, the one of the two that the value is in.
    Instant instant =
        ZonedDateTime.ofLocal(field.startOf(time), zone, zone.getRules().getOffset(moment))
            .toInstant();
    return TemporalText.ticks(
            LocalDateTime.ofInstant(instant, ZoneOffset.UTC), type.ticksPerSecond())
        .orElseThrow(() -> new InvalidInputException("date_trunc is out of range"));
  }

  private static Node bin(Arguments a) {
    a.require(2, 3);
    Node stride = a.get(0);
    if (!(stride instanceof Constant constant)
        || !(constant.value() instanceof IntervalValues step)) {
      throw a.wrongType(0, "a constant interval");
    }
    if (step.months(0) != 0) {
      throw new InvalidInputException("date_bin needs an interval of days or less, not of months");
    }
    long nanos = Math.addExact(Math.multiplyExact(step.days(0), NANOS_PER_DAY), step.nanos(0));
    if (nanos <= 0) {
      throw new InvalidInputException("date_bin needs an interval greater than zero");
    }
    Node moment = moment(a, 1);
    Node value =
        moment.type().is(Kind.TIMESTAMP)
            ? moment
            : Nodes.cast(moment, Type.timestamp(TimeUnit.NANOSECOND, null), false);
    Type type = value.type();
    Node origin =
        a.count() == 3
            ? Nodes.cast(moment(a, 2), type, false)
            : new Constant(type, new LongValues(new long[1], null));
    long tick = TemporalText.NANOS_PER_SECOND / type.ticksPerSecond();
    return RowFunction.strict(
        type,
        List.of(value, origin),
        (row, out) -> out.append(bin(row.integer(0), row.integer(1), nanos, tick)));
  }

  private static long bin(long value, long origin, long stride, long tick) {
    if (stride % tick == 0) {
      long ticks = stride / tick;
      return Math.addExact(
          Math.multiplyExact(Math.floorDiv(Math.subtractExact(value, origin), ticks), ticks),
          origin);
    }
    try {
      long distance = Math.multiplyExact(Math.subtractExact(value, origin), tick);
      return Math.addExact(Math.floorDiv(distance, stride) * stride / tick, origin);
    } catch (ArithmeticException e) {
      throw new InvalidInputException("date_bin is out of range", e);
    }
  }

  private static Node format(Arguments a) {
    a.require(2);
    Kind kind = a.type(0).kind();
    Strftime format = new Strftime(a.constantText(1));
    if (kind == Kind.DURATION) {
      return a.cast(0, Type.UTF8);
    }
    if (kind == Kind.TIME) {
      long tick = TemporalText.NANOS_PER_SECOND / a.type(0).ticksPerSecond();
      return RowFunction.strict(
          Type.UTF8,
          List.of(a.get(0)),
          (row, out) ->
              out.append(
                  format.format(
                      LocalDate.EPOCH.atStartOfDay().plusNanos(row.integer(0) * tick),
                      null,
                      true)));
    }
    Node value = moment(a, 0);
    Type type = value.type();
    ZoneId zone = zone(type);
    return RowFunction.strict(
        Type.UTF8,
        List.of(value),
        (row, out) -> {
          LocalDateTime time = local(row.integer(0), type, zone);
          out.append(format.format(time, type.zone() == null ? null : zone, false));
        });
  }

  private static Node toDate(Arguments a) {
    a.require(1, Integer.MAX_VALUE);
    Kind kind = a.type(0).kind();
    if (!kind.isString()) {
      boolean number = kind.isInteger() || kind.isFloat() || kind.isDecimal();
      return number
          ? Nodes.cast(a.cast(0, Type.INT32), Type.DATE32, false)
          : a.cast(0, Type.DATE32);
    }
    if (a.count() == 1) {
      return a.cast(0, Type.DATE32);
    }
    return RowFunction.strict(
        Type.DATE32, formatted(a), (row, out) -> out.append(parse(row).toLocalDate().toEpochDay()));
  }

  /** A text and the formats to try one after the other. */
  private static List<Node> formatted(Arguments a) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < a.count(); i++) {
      nodes.add(a.text(i));
    }
    return nodes;
  }

  private static LocalDateTime parse(Row row) {
    for (int i = 1; i < row.count(); i++) {
      LocalDateTime time = new Strftime(row.text(i)).parse(row.text(0));
      if (time != null) {
        return time;
      }
    }
    throw new InvalidInputException(
        "'" + row.text(0) + "' does not have the format '" + row.text(1) + "'");
  }

  private static Node toTimestamp(Arguments a, TimeUnit unit, TimeUnit numbers) {
    a.require(1, Integer.MAX_VALUE);
    Type target = Type.timestamp(unit, null);
    Kind kind = a.type(0).kind();
    if (kind.isString() && a.count() > 1) {
      return RowFunction.strict(
          target,
          formatted(a),
          (row, out) ->
              out.append(
                  TemporalText.ticks(parse(row), target.ticksPerSecond())
                      .orElseThrow(
                          () -> new InvalidInputException(a.function() + " is out of range"))));
    }
    if (kind.isFloat() || kind.isDecimal()) {
      return fromSeconds(a, target, numbers);
    }
    if (kind.isInteger()) {
      Node ticks = Nodes.cast(a.cast(0, Type.INT64), Type.timestamp(numbers, null), false);
      return Nodes.cast(ticks, target, false);
    }
    if (kind != Kind.TIMESTAMP && !kind.isString() && kind != Kind.NULL) {
      throw a.wrongType(0, "a string, number or timestamp");
    }
    return a.cast(0, target);
  }

  /**
   * Fractions count where the number means seconds and the result is finer. Out of range, the
   * nearest timestamp is taken.
   */
  private static Node fromSeconds(Arguments a, Type target, TimeUnit numbers) {
    double factor = target.ticksPerSecond() / (double) Type.ticksPerSecond(numbers);
    return RowFunction.strict(
        target, List.of(a.number(0)), (row, out) -> out.append((long) (row.number(0) * factor)));
  }

  private static Node makeDate(Arguments a) {
    a.require(3);
    List<Node> parts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Kind kind = a.type(i).kind();
      if (!kind.isInteger() && !kind.isString() && kind != Kind.NULL) {
        throw a.wrongType(i, "an integer");
      }
      parts.add(Nodes.cast(a.cast(i, Type.INT32), Type.INT64, false));
    }
    return RowFunction.strict(
        Type.DATE32,
        parts,
        (row, out) -> {
          try {
            out.append(
                LocalDate.of((int) row.integer(0), (int) row.integer(1), (int) row.integer(2))
                    .toEpochDay());
          } catch (DateTimeException e) {
            throw new InvalidInputException("make_date: " + e.getMessage(), e);
          }
        });
  }

  private static Node fromUnixTime(Arguments a) {
    a.require(1, 2);
    Kind kind = a.type(0).kind();
    if (kind == Kind.UINT64 || (!kind.isInteger() && kind != Kind.NULL)) {
      throw a.wrongType(0, "a signed integer");
    }
    String zone = a.count() == 2 ? a.constantText(1) : null;
    if (zone != null && TemporalText.zoneOf(zone) == null) {
      throw new InvalidInputException("Unknown time zone '" + zone + "'");
    }
    Node ticks = a.integer(0);
    return RowFunction.strict(
        Type.timestamp(TimeUnit.SECOND, zone),
        List.of(ticks),
        (row, out) -> out.append(row.integer(0)));
  }

  private static Node toUnixTime(Arguments a) {
    a.require(1, Integer.MAX_VALUE);
    Kind kind = a.type(0).kind();
    if (kind.isInteger() || kind == Kind.FLOAT64 || kind == Kind.NULL) {
      return a.cast(0, Type.INT64);
    }
    if (kind.isString() && a.count() > 1) {
      return RowFunction.strict(
          Type.INT64,
          formatted(a),
          (row, out) -> out.append(parse(row).toEpochSecond(ZoneOffset.UTC)));
    }
    Node moment = moment(a, 0);
    Type seconds = Type.timestamp(TimeUnit.SECOND, moment.type().zone());
    return Nodes.cast(Nodes.cast(moment, seconds, false), Type.INT64, false);
  }

  private static Node toLocalTime(Arguments a) {
    a.require(1);
    Type type = a.type(0);
    if (!type.is(Kind.TIMESTAMP)) {
      throw a.wrongType(0, "a timestamp");
    }
    ZoneId zone = zone(type);
    return RowFunction.strict(
        Type.timestamp(type.unit(), null),
        List.of(a.get(0)),
        (row, out) ->
            out.append(
                TemporalText.ticks(local(row.integer(0), type, zone), type.ticksPerSecond())
                    .orElseThrow(
                        () -> new InvalidInputException("to_local_time is out of range"))));
  }

  private static Node toTime(Arguments a) {
    a.require(1, Integer.MAX_VALUE);
    Type target = Type.time(TimeUnit.NANOSECOND);
    Kind kind = a.type(0).kind();
    if (kind.isString() && a.count() > 1) {
      return RowFunction.strict(
          target, formatted(a), (row, out) -> out.append(parse(row).toLocalTime().toNanoOfDay()));
    }
    if (kind != Kind.TIMESTAMP && !kind.isString() && kind != Kind.NULL) {
      throw a.wrongType(0, "a string or timestamp");
    }
    return a.cast(0, target);
  }
}
