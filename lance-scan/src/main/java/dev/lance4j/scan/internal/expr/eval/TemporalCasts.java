package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.IntervalValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Conversions between dates, times, timestamps and durations. */
final class TemporalCasts {
  static final long MILLIS_PER_DAY = 86_400_000L;

  private final Type from;
  private final Type to;
  private final ZoneId fromZone;
  private final ZoneId toZone;

  private TemporalCasts(Type from, Type to) {
    this.from = from;
    this.to = to;
    this.fromZone = Casts.zone(from);
    this.toZone = Casts.zone(to);
  }

  static Values cast(LongValues values, Type from, Type to, boolean safe) {
    if (to.is(Kind.INTERVAL)) {
      return toInterval(values, from);
    }
    TemporalCasts conversion = new TemporalCasts(from, to);
    long[] result = new long[values.size()];
    long[] valid = values.valid();
    for (int i = 0; i < result.length; i++) {
      if (values.isNull(i)) {
        continue;
      }
      try {
        result[i] = conversion.cast(values.get(i));
      } catch (ArithmeticException e) {
        if (!safe) {
          throw new InvalidInputException(
              "Cannot cast " + from + " value " + values.get(i) + " to " + to + ": out of range",
              e);
        }
        valid = valid == values.valid() ? Casts.copy(valid, result.length) : valid;
        Bits.clear(valid, i);
      }
    }
    return new LongValues(result, valid);
  }

  private static Values toInterval(LongValues values, Type from) {
    int size = values.size();
    long[] nanos = new long[size];
    long factor = TemporalText.NANOS_PER_SECOND / from.ticksPerSecond();
    for (int i = 0; i < size; i++) {
      nanos[i] = values.isNull(i) ? 0 : Math.multiplyExact(values.get(i), factor);
    }
    return new IntervalValues(new int[size], new int[size], nanos, values.valid());
  }

  private long cast(long value) {
    return switch (from.kind()) {
      case DATE32 -> fromDays(value);
      case DATE64 -> fromMillis(value);
      case TIMESTAMP -> fromTimestamp(value);
      default -> rescale(value, from.ticksPerSecond(), to.ticksPerSecond());
    };
  }

  private long fromDays(long days) {
    if (to.is(Kind.DATE64)) {
      return Math.multiplyExact(days, MILLIS_PER_DAY);
    }
    long seconds = Math.multiplyExact(days, TemporalText.SECONDS_PER_DAY);
    return toZone(Math.multiplyExact(seconds, to.ticksPerSecond()), to.ticksPerSecond());
  }

  private long fromMillis(long millis) {
    if (to.is(Kind.DATE32)) {
      return Math.floorDiv(millis, MILLIS_PER_DAY);
    }
    return toZone(rescale(millis, 1_000, to.ticksPerSecond()), to.ticksPerSecond());
  }

  private long fromTimestamp(long value) {
    long ticksPerSecond = from.ticksPerSecond();
    if (!to.is(Kind.TIMESTAMP)) {
      return fromLocal(fromZone == null ? value : toLocal(value, ticksPerSecond), ticksPerSecond);
    }
    if (fromZone == null) {
      return toZone(rescale(value, ticksPerSecond, to.ticksPerSecond()), to.ticksPerSecond());
    }
    return rescale(value, ticksPerSecond, to.ticksPerSecond());
  }

  private long fromLocal(long local, long ticksPerSecond) {
    long day = ticksPerSecond * TemporalText.SECONDS_PER_DAY;
    return switch (to.kind()) {
      case DATE32 -> Math.floorDiv(local, day);
      case DATE64 -> rescale(local, ticksPerSecond, 1_000);
      default -> rescale(Math.floorMod(local, day), ticksPerSecond, to.ticksPerSecond());
    };
  }

  /** Finer digits are cut off toward zero. */
  static long rescale(long value, long fromTicks, long toTicks) {
    return toTicks >= fromTicks
        ? Math.multiplyExact(value, toTicks / fromTicks)
        : value / (fromTicks / toTicks);
  }

  private long toLocal(long ticks, long ticksPerSecond) {
    LocalDateTime utc = TemporalText.dateTime(ticks, ticksPerSecond);
    if (utc == null) {
      throw new ArithmeticException("beyond the calendar");
    }
    ZoneOffset offset = fromZone.getRules().getOffset(utc.toInstant(ZoneOffset.UTC));
    return Math.addExact(ticks, offset.getTotalSeconds() * ticksPerSecond);
  }

  /** From local time in the target's zone, if it has one, to an instant. */
  private long toZone(long local, long ticksPerSecond) {
    if (toZone == null || toZone.equals(ZoneOffset.UTC)) {
      return local;
    }
    LocalDateTime time = TemporalText.dateTime(local, ticksPerSecond);
    ZoneOffset offset = time == null ? null : TemporalText.onlyOffset(time, toZone);
    if (offset == null) {
      throw new ArithmeticException("no such local time in " + to.zone());
    }
    return Math.subtractExact(local, offset.getTotalSeconds() * ticksPerSecond);
  }
}
