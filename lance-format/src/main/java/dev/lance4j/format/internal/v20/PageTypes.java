package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.ArrayLayout;
import org.apache.arrow.vector.types.pojo.Field;

/** Questions about fields that decide how their values lie in pages. */
final class PageTypes {
  private PageTypes() {}

  static boolean isFixedSizeList(Field field) {
    return ArrayLayout.of(field).kind() == ArrayLayout.Kind.FIXED_SIZE_LIST;
  }

  /** The bits of one value, lists of fixed size counting all their items; -1 if they vary. */
  static long rowBits(Field field) {
    ArrayLayout layout = ArrayLayout.of(field);
    if (field.getDictionary() != null) {
      return -1;
    }
    return switch (layout.kind()) {
      case FIXED -> layout.bits();
      case FIXED_SIZE_LIST -> {
        long item = rowBits(field.getChildren().get(0));
        yield item < 0 ? -1 : Math.multiplyExact(item, layout.bits());
      }
      default -> -1;
    };
  }
}
