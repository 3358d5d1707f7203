package dev.lance4j.index.internal.scalar.zone;

import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import java.util.Arrays;
import java.util.Optional;

/**
 * Says which zones may have rows that a query asks for. Writers differ in whether values that are
 * no numbers take part in the least and greatest value, so that these bound only the others.
 */
record ZoneMapFilter(FloatBits floats) {
  /** Whether a zone may have a row for which the query is true. */
  boolean keeps(ZoneValues zone, ScalarQuery query) {
    if (query instanceof ScalarQuery.IsNull) {
      return zone.nulls() > 0;
    }
    if (query instanceof ScalarQuery.Equals equals) {
      return mayHave(zone, equals.value());
    }
    if (query instanceof ScalarQuery.In in) {
      return in.values().stream().anyMatch(value -> mayHave(zone, value));
    }
    if (query instanceof ScalarQuery.Range range) {
      return mayOverlap(zone, range);
    }
    throw new IllegalArgumentException("a zone map cannot answer " + query);
  }

  private boolean mayHave(ZoneValues zone, ScalarValue value) {
    if (floats.isNaN(value.bytes())) {
      return zone.nans() > 0;
    }
    return mayHaveValues(zone)
        && (isOpen(zone.least()) || compare(zone.least(), value) <= 0)
        && (isOpen(zone.greatest()) || compare(zone.greatest(), value) >= 0);
  }

  private boolean mayOverlap(ZoneValues zone, ScalarQuery.Range range) {
    if (zone.nans() > 0 && mayHaveNaN(range)) {
      return true;
    }
    return mayHaveValues(zone)
        && range.lower().map(bound -> reaches(zone, bound)).orElse(true)
        && range.upper().map(bound -> startsBelow(zone, bound)).orElse(true);
  }

  /** Those of one sign are below all numbers, those of the other above. */
  private boolean mayHaveNaN(ScalarQuery.Range range) {
    return isNoNumber(range.lower()) || isNoNumber(range.upper());
  }

  private boolean isNoNumber(Optional<ScalarQuery.Bound> bound) {
    return bound.isEmpty() || floats.isNaN(bound.get().value().bytes());
  }

  private boolean reaches(ZoneValues zone, ScalarQuery.Bound lower) {
    if (isOpen(zone.greatest())) {
      return true;
    }
    int order = compare(zone.greatest(), lower.value());
    return order > 0 || (order == 0 && lower.inclusive());
  }

  private boolean startsBelow(ZoneValues zone, ScalarQuery.Bound upper) {
    if (isOpen(zone.least())) {
      return true;
    }
    int order = compare(zone.least(), upper.value());
    return order < 0 || (order == 0 && upper.inclusive());
  }

  /** Whether an end says nothing about numbers. */
  private boolean isOpen(ZoneValues.Value end) {
    return end == null || floats.isNaN(end.bytes());
  }

  /** Without ends there may be values all the same: not all writers know those of all types. */
  private static boolean mayHaveValues(ZoneValues zone) {
    return zone.least() != null
        || zone.greatest() != null
        || zone.zone().length() > zone.nulls() + zone.nans();
  }

  private static int compare(ZoneValues.Value end, ScalarValue value) {
    return Arrays.compareUnsigned(end.key(), value.key());
  }
}
