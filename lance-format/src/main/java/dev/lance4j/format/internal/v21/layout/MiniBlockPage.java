package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.codec.BlockCodec;
import dev.lance4j.format.internal.v21.codec.BlockCodecs;
import dev.lance4j.format.internal.v21.codec.ChunkCodec;
import dev.lance4j.format.internal.v21.codec.ChunkCodecs;
import dev.lance4j.format.internal.v21.item.Dictionary;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.internal.v21.level.LayerShape;
import dev.lance4j.format.internal.v21.level.PageLayers;
import dev.lance4j.format.proto.encodings21.MiniBlockLayout;
import java.nio.ByteBuffer;

/**
 * A page of small chunks, each with some thousand items and their levels.
 *
 * <p>Buffers: the chunk table, the chunks, the dictionary if there is one, and last the repetition
 * index if there are lists.
 */
final class MiniBlockPage implements PageReader {
  static final int TABLE_BUFFER = 0;
  static final int DATA_BUFFER = 1;
  private static final int DICTIONARY_BUFFER = 2;
  // Values that repeat bytes of the file this often are no dictionary.
  private static final long MAX_DICTIONARY_RATIO = 1 << 10;
  private static final long SMALL_DICTIONARY = 1 << 16;

  private final PageInfo page;
  private final PageLayers layers;
  private final BlockCodec repetition;
  private final BlockCodec definition;
  private final ChunkCodec values;
  private final BlockCodec dictionary;
  private final int dictionaryItems;
  private final boolean hasIndex;
  private final boolean largeChunks;
  private final long items;
  private volatile Tables tables;

  /**
   * What all reads of the page need.
   *
   * @param dictionary null when the chunks hold the values themselves
   */
  record Tables(ChunkTable chunks, Dictionary dictionary) {}

  MiniBlockPage(PageInfo page, MiniBlockLayout layout, ItemType type, LayerShape shape) {
    this.page = page;
    this.layers = PageLayers.parse(page, layout.getLayersList(), shape);
    this.repetition =
        layout.hasRepCompression()
            ? BlockCodecs.parseLevels(page, layout.getRepCompression())
            : null;
    this.definition =
        layout.hasDefCompression()
            ? BlockCodecs.parseLevels(page, layout.getDefCompression())
            : null;
    ItemType stored = type instanceof ItemType.Keys keys ? keys.values() : type;
    if (layout.hasDictionary()) {
      this.dictionary = BlockCodecs.parse(page, layout.getDictionary(), stored);
      this.dictionaryItems = dictionaryItems(layout.getNumDictionaryItems());
      this.values = ChunkCodecs.parseIndices(page, layout.getValueCompression());
    } else if (type instanceof ItemType.Keys) {
      throw page.unsupported("a page of dictionary keys without a dictionary");
    } else {
      this.dictionary = null;
      this.dictionaryItems = 0;
      this.values = ChunkCodecs.parse(page, layout.getValueCompression(), type);
    }
    this.hasIndex = layout.getRepetitionIndexDepth() > 0;
    this.largeChunks = layout.getHasLargeChunk();
    this.items = layout.getNumItems();
    checkLayout(layout, shape);
  }

  private int dictionaryItems(long count) {
    long bytes = page.bufferSize(DICTIONARY_BUFFER);
    if (count < 0 || count > Math.max(SMALL_DICTIONARY, bytes * MAX_DICTIONARY_RATIO)) {
      throw page.corrupt("a dictionary of " + count + " items in " + bytes + " bytes");
    }
    return (int) count;
  }

  private void checkLayout(MiniBlockLayout layout, LayerShape shape) {
    if (values.bufferCount() != layout.getNumBuffers()) {
      throw page.corrupt(
          "chunks of "
              + layout.getNumBuffers()
              + " buffers where the encoding has "
              + values.bufferCount());
    }
    boolean lists = shape.listCount() > 0;
    if (lists != hasIndex || (lists && repetition == null)) {
      throw page.corrupt("repetition levels and their index do not fit the schema");
    }
    if (items < 0 || items > Integer.MAX_VALUE || page.rows() > Integer.MAX_VALUE) {
      throw page.corrupt("a page of " + items + " items and " + page.rows() + " rows");
    }
    int needed = 2 + (dictionary == null ? 0 : 1) + (hasIndex ? 1 : 0);
    if (page.bufferCount() < needed) {
      throw page.corrupt("a page of " + page.bufferCount() + " buffers that needs " + needed);
    }
  }

  @Override
  public PageRead read(RowRanges rows) {
    return new MiniBlockRead(this, rows);
  }

  PageInfo page() {
    return page;
  }

  PageLayers layers() {
    return layers;
  }

  /** The codec of repetition levels, or null. */
  BlockCodec repetition() {
    return repetition;
  }

  /** The codec of definition levels, or null. */
  BlockCodec definition() {
    return definition;
  }

  /** The codec of the items, or of their positions in the dictionary. */
  ChunkCodec values() {
    return values;
  }

  boolean largeChunks() {
    return largeChunks;
  }

  /** What all reads need, or null when it was not loaded yet. */
  Tables tables() {
    return tables;
  }

  /** The buffer of the dictionary, or -1. */
  int dictionaryBuffer() {
    return dictionary == null ? -1 : DICTIONARY_BUFFER;
  }

  /** The buffer of the repetition index, or -1. */
  int indexBuffer() {
    return hasIndex ? page.bufferCount() - 1 : -1;
  }

  /**
   * Decodes what all reads need and keeps it.
   *
   * @param dictionaryBytes null without a dictionary
   * @param index null without lists
   */
  Tables load(ByteBuffer words, ByteBuffer dictionaryBytes, ByteBuffer index) {
    ChunkTable chunks =
        ChunkTable.parse(
            words, largeChunks ? 4 : 2, index, items, page.rows(), page.bufferSize(DATA_BUFFER));
    Dictionary values =
        dictionary == null
            ? null
            : new Dictionary(dictionary.decode(dictionaryBytes, dictionaryItems), dictionaryItems);
    Tables loaded = new Tables(chunks, values);
    tables = loaded;
    return loaded;
  }
}
