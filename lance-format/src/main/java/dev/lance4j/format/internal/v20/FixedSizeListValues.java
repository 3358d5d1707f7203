package dev.lance4j.format.internal.v20;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.proto.encodings.ArrayEncoding;
import java.nio.ByteBuffer;

/** Lists of a fixed size: all their items, those of null lists too. */
final class FixedSizeListValues implements PageValues {
  private final String path;
  private final int dimension;
  private final PageValues items;

  /**
   * @param items closed with this
   */
  FixedSizeListValues(String path, int dimension, PageValues items) {
    this.path = path;
    this.dimension = dimension;
    this.items = items;
  }

  @Override
  public void append(ArrayData rows, ByteBuffer validity, RowRanges ranges) {
    ArrayData child = rows.child(0);
    if (child.length() < ranges.limit() * dimension) {
      throw new InvalidInputException(
          String.format(
              "Field '%s' has %d items, its %d lists of %d need more; set the value count of every"
                  + " child vector",
              path, child.length(), ranges.limit(), dimension));
    }
    items.append(child, Validity.of(child, null, path), items(ranges));
  }

  private RowRanges items(RowRanges ranges) {
    RangeList list = new RangeList();
    for (int i = 0; i < ranges.size(); i++) {
      list.add(ranges.start(i) * dimension, ranges.end(i) * dimension);
    }
    return list.toRanges();
  }

  @Override
  public long bytesOf(ArrayData rows, RowRanges ranges) {
    return items.bytesOf(rows.child(0), items(ranges));
  }

  @Override
  public long bytes() {
    return items.bytes();
  }

  @Override
  public ArrayEncoding encode(PageBuilder page) {
    return Encodings.fixedSizeList(dimension, items.encode(page));
  }

  @Override
  public void clear() {
    items.clear();
  }

  @Override
  public void close() {
    items.close();
  }
}
