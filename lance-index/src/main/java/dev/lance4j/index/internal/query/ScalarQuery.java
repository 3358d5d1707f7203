package dev.lance4j.index.internal.query;

import java.util.List;
import java.util.Optional;

/**
 * What can be asked of a scalar index. Every query but {@link IsNull} and those of lists is null
 * where the value is; those of lists are null where the list is.
 */
public sealed interface ScalarQuery {
  /** Rows with a value. */
  record Equals(ScalarValue value) implements ScalarQuery {}

  /**
   * Rows with one of some values.
   *
   * @param values sorted, each once
   */
  record In(List<ScalarValue> values) implements ScalarQuery {
    public In {
      values = values.stream().distinct().sorted().toList();
    }
  }

  /**
   * Rows with a value in a range, which may be empty.
   *
   * @param lower absent if all values below the upper end are in the range
   * @param upper absent if all values above the lower end are in the range
   */
  record Range(Optional<Bound> lower, Optional<Bound> upper) implements ScalarQuery {
    /** Whether a value is in the range. */
    public boolean contains(ScalarValue value) {
      return !isBelow(value) && !isAbove(value);
    }

    /** Whether a value is below the range. */
    public boolean isBelow(ScalarValue value) {
      if (lower.isEmpty()) {
        return false;
      }
      int order = value.compareTo(lower.get().value());
      return order < 0 || (order == 0 && !lower.get().inclusive());
    }

    /** Whether a value is above the range. */
    public boolean isAbove(ScalarValue value) {
      if (upper.isEmpty()) {
        return false;
      }
      int order = value.compareTo(upper.get().value());
      return order > 0 || (order == 0 && !upper.get().inclusive());
    }
  }

  /** An end of a range. */
  record Bound(ScalarValue value, boolean inclusive) {}

  /** Rows without a value. */
  record IsNull() implements ScalarQuery {}

  /**
   * Rows whose list has at least one of some items.
   *
   * @param items sorted, each once
   * @param nullToo whether a null is one of them
   */
  record HasAny(List<ScalarValue> items, boolean nullToo) implements ScalarQuery {
    public HasAny {
      items = items.stream().distinct().sorted().toList();
    }
  }

  /** Rows whose list has all of some items; as above. */
  record HasAll(List<ScalarValue> items, boolean nullToo) implements ScalarQuery {
    public HasAll {
      items = items.stream().distinct().sorted().toList();
    }
  }
}
