package dev.lance4j.format.internal.v21.layout;

import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.page.RowRanges;
import dev.lance4j.format.internal.v21.codec.BlockCodec;
import dev.lance4j.format.internal.v21.codec.BlockCodecs;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.internal.v21.level.LayerShape;
import dev.lance4j.format.internal.v21.level.PageLayers;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.ConstantLayout;
import java.nio.ByteBuffer;

/**
 * A page whose items are all null or all equal, or that has no items at all; only levels tell its
 * rows apart.
 *
 * <p>Buffers: the value if it is not in the message, then both kinds of levels if any are needed.
 */
final class ConstantPage implements PageReader {
  private static final int NONE = -1;
  // Levels that repeat bytes of the file this often are not believed.
  private static final long MAX_LEVEL_RATIO = 1 << 15;
  private static final long FEW_LEVELS = 1 << 20;

  private final PageInfo page;
  private final PageLayers layers;
  private final ItemType type;
  private final ConstantValue inline;
  private final int valueBuffer;
  private final int levelBuffer;
  private final BlockCodec repetition;
  private final BlockCodec definition;
  private final long repetitionCount;
  private final long definitionCount;
  private volatile Tables tables;

  /** What all reads of the page need. */
  static final class Tables {
    private final short[] repetition;
    private final short[] definition;
    private final int[] rowStarts;
    private final ConstantValue value;

    private Tables(short[] repetition, short[] definition, int[] rowStarts, ConstantValue value) {
      this.repetition = repetition;
      this.definition = definition;
      this.rowStarts = rowStarts;
      this.value = value;
    }

    /** The repetition levels; null without lists. */
    short[] repetition() {
      return repetition;
    }

    /** The definition levels, translated; null when all are 0. */
    short[] definition() {
      return definition;
    }

    /** The entry at which a row begins, or for the row after the last one their number. */
    int entry(int row) {
      return rowStarts == null ? row : rowStarts[row];
    }

    /** Whether there are any levels. */
    boolean hasLevels() {
      return rowStarts != null || definition != null;
    }

    /** The value of all items; null when no item has one. */
    ConstantValue value() {
      return value;
    }
  }

  ConstantPage(PageInfo page, ConstantLayout layout, ItemType type, LayerShape shape) {
    this.page = page;
    this.layers = PageLayers.parse(page, layout.getLayersList(), shape);
    this.type = type;
    boolean hasInline = layout.hasInlineValue();
    int buffers = page.bufferCount();
    boolean known = hasInline ? buffers == 0 || buffers == 2 : buffers >= 0 && buffers <= 3;
    if (!known) {
      throw page.corrupt("a constant page of " + buffers + " buffers");
    }
    this.inline =
        hasInline
            ? Guard.run(page::corrupt, () -> ConstantValue.inline(layout.getInlineValue(), type))
            : null;
    this.valueBuffer = buffers == 1 || buffers == 3 ? 0 : NONE;
    this.levelBuffer = buffers >= 2 ? buffers - 2 : NONE;
    this.repetition = codec(page, layout.hasRepCompression(), layout.getRepCompression());
    this.definition = codec(page, layout.hasDefCompression(), layout.getDefCompression());
    this.repetitionCount = layout.getNumRepValues();
    this.definitionCount = layout.getNumDefValues();
    if (page.rows() > Integer.MAX_VALUE) {
      throw page.corrupt("a constant page of " + page.rows() + " rows");
    }
  }

  private static BlockCodec codec(PageInfo page, boolean present, CompressiveEncoding encoding) {
    return present ? BlockCodecs.parseLevels(page, encoding) : null;
  }

  @Override
  public PageRead read(RowRanges rows) {
    return new ConstantRead(this, rows);
  }

  PageInfo page() {
    return page;
  }

  PageLayers layers() {
    return layers;
  }

  /** Whether items have no values even when they are valid. */
  boolean valueless() {
    return type instanceof ItemType.Null || type instanceof ItemType.EmptyStruct;
  }

  /** The buffer of the value, or -1. */
  int valueBuffer() {
    return valueBuffer;
  }

  /** The buffer of repetition levels, which definition levels follow, or -1. */
  int levelBuffer() {
    return levelBuffer;
  }

  /** What all reads need, or null when it was not loaded yet. */
  Tables tables() {
    return tables;
  }

  /**
   * Decodes what all reads need and keeps it.
   *
   * @param value null when there is no such buffer
   * @param repetitionBytes null when there are no levels
   * @param definitionBytes null when there are no levels
   */
  Tables load(ByteBuffer value, ByteBuffer repetitionBytes, ByteBuffer definitionBytes) {
    short[] rep = levels(repetition, repetitionBytes, repetitionCount);
    short[] def = levels(definition, definitionBytes, definitionCount);
    int repEntries = count(repetition, repetitionBytes, repetitionCount);
    int defEntries = count(definition, definitionBytes, definitionCount);
    if (rep != null && def != null && repEntries != defEntries) {
      throw new IllegalArgumentException(
          repEntries + " repetition levels but " + defEntries + " definition levels");
    }
    if (def != null) {
      layers.translate(def, defEntries);
    }
    int[] rowStarts = null;
    if (layers.shape().listCount() > 0) {
      rowStarts = rowStarts(rep, repEntries);
    } else if (def != null && defEntries != page.rows()) {
      throw new IllegalArgumentException(defEntries + " levels for " + page.rows() + " rows");
    }
    ConstantValue constant = value == null ? inline : ConstantValue.buffer(value, type);
    Tables loaded = new Tables(rep, def, rowStarts, constant);
    tables = loaded;
    return loaded;
  }

  private static int count(BlockCodec codec, ByteBuffer bytes, long declared) {
    if (bytes == null || bytes.limit() == 0) {
      return 0;
    }
    if (codec == null) {
      return bytes.limit() / Short.BYTES;
    }
    long most = Math.max(FEW_LEVELS, bytes.limit() * MAX_LEVEL_RATIO);
    if (declared < 0 || declared > Math.min(most, Integer.MAX_VALUE)) {
      throw new IllegalArgumentException(declared + " levels in " + bytes.limit() + " bytes");
    }
    return (int) declared;
  }

  private static short[] levels(BlockCodec codec, ByteBuffer bytes, long declared) {
    int count = count(codec, bytes, declared);
    if (count == 0) {
      return null;
    }
    if (codec != null) {
      return codec.decodeLevels(bytes, count);
    }
    if (bytes.limit() % Short.BYTES != 0) {
      throw new IllegalArgumentException("levels end inside a word");
    }
    short[] levels = new short[count];
    bytes.asShortBuffer().get(levels);
    return levels;
  }

  private int[] rowStarts(short[] rep, int entries) {
    if (rep == null && page.rows() > 0) {
      throw new IllegalArgumentException("lists without repetition levels");
    }
    layers.checkRepetition(rep, entries);
    int rows = layers.countRows(rep, entries);
    int max = layers.shape().listCount();
    if (rows != page.rows() || (entries > 0 && rep[0] != max)) {
      throw new IllegalArgumentException(
          "levels of " + rows + " rows in a page of " + page.rows() + " rows");
    }
    int[] starts = new int[rows + 1];
    int n = 0;
    for (int i = 0; i < entries; i++) {
      if (rep[i] == max) {
        starts[n++] = i;
      }
    }
    starts[rows] = entries;
    return starts;
  }
}
