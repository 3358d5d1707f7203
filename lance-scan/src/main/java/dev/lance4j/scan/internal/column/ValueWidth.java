package dev.lance4j.scan.internal.column;

import dev.lance4j.format.internal.data.ArrayLayout;
import org.apache.arrow.vector.types.pojo.Field;

/** Guesses how many bytes a value takes in memory, before any was seen. */
public final class ValueWidth {
  private static final double BYTES = 32;
  private static final double ITEMS = 4;
  private static final double NARROW = 16;

  private ValueWidth() {}

  /** The bytes of a value, roughly where its type does not tell. */
  public static double estimate(Field field) {
    ArrayLayout layout = ArrayLayout.of(field);
    return switch (layout.kind()) {
      case NULL -> 0;
      case FIXED -> layout.bits() / 8.0;
      case VARIABLE, LARGE_VARIABLE -> BYTES;
      case LIST, LARGE_LIST -> ITEMS * children(field);
      case FIXED_SIZE_LIST -> layout.bits() * children(field);
      case STRUCT -> children(field);
    };
  }

  private static double children(Field field) {
    double width = 0;
    for (Field child : field.getChildren()) {
      width += estimate(child);
    }
    return width;
  }

  /** Whether all values are of the same size and small. */
  static boolean isNarrow(Field field) {
    ArrayLayout layout = ArrayLayout.of(field);
    return switch (layout.kind()) {
      case NULL, FIXED, FIXED_SIZE_LIST, STRUCT ->
          estimate(field) <= NARROW && field.getChildren().stream().allMatch(ValueWidth::isNarrow);
      case VARIABLE, LARGE_VARIABLE, LIST, LARGE_LIST -> false;
    };
  }
}
