package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import org.apache.arrow.memory.BufferAllocator;

/** Chooses the layout of each page of a leaf from the page's data. */
final class PageEncoder {
  /** Values of at least so many bytes are stored row by row. */
  private static final int LARGE_VALUE = 256;

  private static final long MAX_LEVEL_BYTES_PER_CHUNK = 16 * 1024;

  private final Leaf leaf;
  private final boolean largeChunks;
  private final BufferAllocator allocator;

  PageEncoder(Leaf leaf, FileVersion version, BufferAllocator allocator) {
    this.leaf = leaf;
    this.largeChunks = version.atLeast(FileVersion.V2_2);
    this.allocator = allocator;
  }

  /**
   * Encodes rows as one page.
   *
   * @return null if no layout can hold so many rows at once
   */
  EncodedPage encode(LeafBatch batch) {
    int rows = Math.multiplyExact(batch.rows(), leaf.elementsPerRow());
    PageLevels levels = new PageLevels(leaf, batch.levels(), rows);
    if (leaf.type() == EmptyType.STRUCT) {
      return ConstantPage.emptyStructs();
    }
    if (levels.valid() == 0) {
      return ConstantPage.allNull(levels);
    }
    if (batch.block() instanceof DictionaryBlock dictionary) {
      return miniBlock(
          levels,
          new FlatChunks(dictionary.keys()),
          DictionaryValues.plain(dictionary.dictionary()));
    }
    boolean fullZip = canFullZip(levels, batch.block());
    if (fullZip && prefersFullZip(levels, batch.block())) {
      return fullZip(levels, batch.block());
    }
    EncodedPage page = miniBlock(levels, chunks(batch.block()), null);
    return page == null && fullZip ? fullZip(levels, batch.block()) : page;
  }

  private static boolean canFullZip(PageLevels levels, LeafBlock block) {
    boolean wholeBytes = block instanceof VariableBlock || block.maxValueBytes() > 0;
    return wholeBytes && !levels.hiddenFromFullZip();
  }

  private static boolean prefersFullZip(PageLevels levels, LeafBlock block) {
    return block.maxValueBytes() >= LARGE_VALUE || isDense(levels);
  }

  /** Whether there are so many levels for each value that chunks would be mostly levels. */
  private static boolean isDense(PageLevels levels) {
    int bits = levels.rep() == null ? 0 : PageLevels.bitLength(levels.rep());
    bits += levels.def() == null ? 0 : PageLevels.bitLength(levels.def());
    double perValue = (double) levels.entries() / levels.visible();
    return perValue * ValueChunks.MAX_VALUES * bits / Byte.SIZE > MAX_LEVEL_BYTES_PER_CHUNK;
  }

  private EncodedPage miniBlock(
      PageLevels levels, ValueChunks values, DictionaryValues dictionary) {
    LevelCodec rep = levels.rep() == null ? null : new FlatLevels(levels.rep());
    LevelCodec def = levels.def() == null ? null : new FlatLevels(levels.def());
    return MiniBlockPage.encode(levels, values, rep, def, dictionary, largeChunks, allocator);
  }

  private ValueChunks chunks(LeafBlock block) {
    if (block instanceof VariableBlock variable) {
      return new VariableChunks(variable, VariableChunks.DEFAULT_TARGET);
    }
    if (block instanceof ListBlock lists) {
      return new ListChunks(lists);
    }
    FixedBlock fixed = (FixedBlock) block;
    return new FlatChunks(fixed, fixedEncoding(fixed));
  }

  private CompressiveEncoding fixedEncoding(FixedBlock block) {
    return leaf.type() instanceof PackedType packed
        ? Encodings.packed(packed)
        : Encodings.flat(block.bits());
  }

  private EncodedPage fullZip(PageLevels levels, LeafBlock block) {
    FullZipPage page = new FullZipPage(levels);
    if (block instanceof VariableBlock variable) {
      return page.encode(variable, Encodings.variable(variable.offsetBits()), allocator);
    }
    if (block instanceof ListBlock lists) {
      return page.encode(RowValues.of(lists), Encodings.lists(lists), allocator);
    }
    FixedBlock fixed = (FixedBlock) block;
    return page.encode(RowValues.of(fixed, fixed.width()), fixedEncoding(fixed), allocator);
  }
}
