package dev.lance4j.format.internal.v21.layout;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.internal.v21.level.LayerShape;
import dev.lance4j.format.proto.encodings21.PageLayout;

/** Makes the reader of a page's layout. */
public final class PageReaders {
  private static final String MESSAGE = "lance.encodings21.PageLayout";

  private PageReaders() {}

  /**
   * Opens a page.
   *
   * @param type the kind of the column's values
   * @param shape the layers of the column
   * @throws dev.lance4j.format.CorruptFileException if the page's message makes no sense or does
   *     not fit the column
   * @throws dev.lance4j.format.UnsupportedFormatException if it uses what is not supported
   */
  public static PageReader open(PageInfo page, ItemType type, LayerShape shape) {
    PageLayout layout;
    try {
      layout = PageLayout.parseFrom(page.encoding(MESSAGE));
    } catch (InvalidProtocolBufferException e) {
      throw page.corrupt("unreadable page layout", e);
    }
    return Guard.run(page::corrupt, () -> open(page, layout, type, shape));
  }

  private static PageReader open(
      PageInfo page, PageLayout layout, ItemType type, LayerShape shape) {
    return switch (layout.getLayoutCase()) {
      case MINI_BLOCK_LAYOUT -> new MiniBlockPage(page, layout.getMiniBlockLayout(), type, shape);
      case FULL_ZIP_LAYOUT -> new FullZipPage(page, layout.getFullZipLayout(), type, shape);
      case CONSTANT_LAYOUT -> new ConstantPage(page, layout.getConstantLayout(), type, shape);
      case BLOB_LAYOUT -> new BlobPage(page, layout.getBlobLayout(), type, shape);
      case SPARSE_LAYOUT -> throw page.unsupported("the sparse layout of file version 2.3");
      case LAYOUT_NOT_SET -> throw page.corrupt("the page lacks its layout");
    };
  }
}
