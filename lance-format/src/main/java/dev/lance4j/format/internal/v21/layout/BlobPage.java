package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.internal.v21.level.LayerShape;
import dev.lance4j.format.internal.v21.level.PageLayers;
import dev.lance4j.format.proto.encodings21.BlobLayout;
import dev.lance4j.format.proto.encodings21.PageLayout;
import java.util.List;

/**
 * A page whose values lie elsewhere in the file: an inner page describes each by its position and
 * size, or, when it is null, by its levels.
 */
final class BlobPage implements PageReader {
  /** The kind of the descriptions: position and size. */
  static final ItemType.Packed DESCRIPTION =
      new ItemType.Packed(List.of(new ItemType.Fixed(64), new ItemType.Fixed(64)));

  private final PageLayers layers;
  private final boolean fetch;
  private final PageReader descriptions;

  /**
   * @param type descriptions for the positions and sizes, or binary values for the bytes there
   */
  BlobPage(PageInfo page, BlobLayout layout, ItemType type, LayerShape shape) {
    this.fetch = type instanceof ItemType.Variable;
    if (!fetch && !type.equals(DESCRIPTION)) {
      throw page.corrupt("blobs in a column of other values");
    }
    if (shape.listCount() > 0) {
      throw page.unsupported("a list of blobs");
    }
    this.layers = PageLayers.parse(page, layout.getLayersList(), shape);
    PageLayout inner = layout.getInnerLayout();
    LayerShape rows = new LayerShape(new boolean[1], false);
    this.descriptions =
        switch (inner.getLayoutCase()) {
          case MINI_BLOCK_LAYOUT ->
              new MiniBlockPage(page, inner.getMiniBlockLayout(), DESCRIPTION, rows);
          case FULL_ZIP_LAYOUT ->
              new FullZipPage(page, inner.getFullZipLayout(), DESCRIPTION, rows);
          default -> throw page.corrupt("blobs without descriptions");
        };
  }

  @Override
  public PageRead read(RowRanges rows) {
    return new BlobRead(layers, descriptions.read(rows), rows, fetch);
  }
}
