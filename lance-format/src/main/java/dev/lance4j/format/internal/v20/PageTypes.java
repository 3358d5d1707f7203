package dev.lance4j.format.internal.v20;

import dev.lance4j.format.internal.data.StorageTypes;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Questions about fields that decide how their values lie in pages. */
final class PageTypes {
  private PageTypes() {}

  static boolean isFixedSizeList(Field field) {
    return StorageTypes.of(field) instanceof ArrowType.FixedSizeList;
  }

  /** The number of items in each list of a fixed-size list field. */
  static int listSize(Field field) {
    return ((ArrowType.FixedSizeList) StorageTypes.of(field)).getListSize();
  }

  /** The bits of one value, lists of fixed size counting all their items; -1 if they vary. */
  static long rowBits(Field field) {
    if (field.getDictionary() != null) {
      return -1;
    }
    if (isFixedSizeList(field)) {
      long item = rowBits(field.getChildren().get(0));
      return item < 0 ? -1 : Math.multiplyExact(item, listSize(field));
    }
    return StorageTypes.bits(StorageTypes.of(field));
  }
}
