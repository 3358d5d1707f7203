package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.codec.ZipCodec;
import dev.lance4j.format.internal.v21.codec.ZipCodecs;
import dev.lance4j.format.internal.v21.codec.ZipRowCodec;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.internal.v21.level.LayerShape;
import dev.lance4j.format.internal.v21.level.PageLayers;
import dev.lance4j.format.proto.encodings21.FullZipLayout;

/**
 * A page of large items, each stored next to its levels.
 *
 * <p>Buffers: the items, and an index of the rows unless all rows have one size.
 */
final class FullZipPage implements PageReader {
  static final int DATA_BUFFER = 0;
  static final int INDEX_BUFFER = 1;
  private static final int MAX_LEVEL_BITS = 16;

  private final PageInfo page;
  private final PageLayers layers;
  private final int repetitionBits;
  private final int definitionBits;
  private final ZipRowCodec rowCodec;
  private final int rowBytes;
  private final ZipCodec valueCodec;
  private final int lengthBytes;
  private final int indexWidth;
  private volatile RowIndex index;

  FullZipPage(PageInfo page, FullZipLayout layout, ItemType type, LayerShape shape) {
    this.page = page;
    this.layers = PageLayers.parse(page, layout.getLayersList(), shape);
    this.repetitionBits = levelBits(page, layout.getBitsRep());
    this.definitionBits = levelBits(page, layout.getBitsDef());
    switch (layout.getDetailsCase()) {
      case BITS_PER_VALUE -> {
        long bits = Integer.toUnsignedLong(layout.getBitsPerValue());
        if (bits % Byte.SIZE != 0) {
          throw page.corrupt("a full-zip page of " + bits + "-bit items");
        }
        this.rowCodec = ZipCodecs.parseRows(page, layout.getValueCompression(), type, bits);
        this.rowBytes = (int) (bits / Byte.SIZE);
        this.valueCodec = null;
        this.lengthBytes = 0;
      }
      case BITS_PER_OFFSET -> {
        int bits = layout.getBitsPerOffset();
        if (bits != Integer.SIZE && bits != Long.SIZE) {
          throw page.corrupt("lengths of " + bits + " bits");
        }
        this.rowCodec = null;
        this.rowBytes = 0;
        this.valueCodec = ZipCodecs.parseValues(page, layout.getValueCompression(), type);
        this.lengthBytes = bits / Byte.SIZE;
      }
      default -> throw page.corrupt("a full-zip page does not say how its items are stored");
    }
    if (shape.listCount() > 0 && repetitionBits == 0 && page.rows() > 0) {
      throw page.corrupt("lists without repetition levels");
    }
    this.indexWidth = checkedIndexWidth();
  }

  private static int levelBits(PageInfo page, int bits) {
    if (bits < 0 || bits > MAX_LEVEL_BITS) {
      throw page.corrupt("levels of " + bits + " bits");
    }
    return bits;
  }

  private int checkedIndexWidth() {
    long rows = page.rows();
    if (rows > Integer.MAX_VALUE) {
      throw page.corrupt("a full-zip page of " + rows + " rows");
    }
    if (!hasIndex()) {
      if (rows * stride() > page.bufferSize(DATA_BUFFER)) {
        throw page.corrupt(
            rows + " rows of " + stride() + " bytes in " + page.bufferSize(DATA_BUFFER));
      }
      return 0;
    }
    long size = page.bufferSize(INDEX_BUFFER);
    long width = size / (rows + 1);
    boolean known = width == 1 || width == 2 || width == 4 || width == 8;
    if (!known || size % (rows + 1) != 0) {
      throw page.corrupt("an index of " + size + " bytes for " + rows + " rows");
    }
    return (int) width;
  }

  @Override
  public PageRead read(RowRanges rows) {
    return new FullZipRead(this, rows);
  }

  PageInfo page() {
    return page;
  }

  PageLayers layers() {
    return layers;
  }

  int repetitionBits() {
    return repetitionBits;
  }

  int definitionBits() {
    return definitionBits;
  }

  /** The size of the levels in front of each item; 0 without levels. */
  int controlBytes() {
    int bits = repetitionBits + definitionBits;
    if (bits == 0) {
      return 0;
    }
    return bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
  }

  /** The codec of items of one width, or null. */
  ZipRowCodec rowCodec() {
    return rowCodec;
  }

  /** The size of an item of one width. */
  int rowBytes() {
    return rowBytes;
  }

  /** The codec of items of any length, or null. */
  ZipCodec valueCodec() {
    return valueCodec;
  }

  /** The size of the length in front of an item of any length. */
  int lengthBytes() {
    return lengthBytes;
  }

  boolean hasIndex() {
    return repetitionBits > 0 || valueCodec != null;
  }

  /** The size of each row when there is no index. */
  long stride() {
    return (long) controlBytes() + rowBytes;
  }

  /** The width in bytes of an entry of the index. */
  int indexWidth() {
    return indexWidth;
  }

  /** The whole index if it was read, or null. */
  RowIndex index() {
    return index;
  }

  void keepIndex(RowIndex loaded) {
    index = loaded;
  }
}
