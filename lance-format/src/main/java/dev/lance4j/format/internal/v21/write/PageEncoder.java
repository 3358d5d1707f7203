package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.FileVersion;
import dev.lance4j.format.internal.kernel.Compression;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import org.apache.arrow.memory.BufferAllocator;

/** Chooses the layout of each page of a leaf from the page's data. */
final class PageEncoder {
  /** Values of at least so many bytes are stored row by row. */
  private static final int LARGE_VALUE = 256;

  private static final long MAX_LEVEL_BYTES_PER_CHUNK = 16 * 1024;

  private final Leaf leaf;
  private final boolean version22;
  private final EncodingOptions options;
  private final ValueCodecs codecs;
  private final BufferAllocator allocator;

  /**
   * @throws dev.lance4j.format.InvalidInputException if the field's metadata asks for what there is
   *     not
   */
  PageEncoder(Leaf leaf, FileVersion version, BufferAllocator allocator) {
    this.leaf = leaf;
    this.version22 = version.atLeast(FileVersion.V2_2);
    this.options = EncodingOptions.of(leaf);
    this.codecs = new ValueCodecs(leaf, options);
    this.allocator = allocator;
  }

  /**
   * Encodes rows as one page.
   *
   * @param alone whether it is the column's only page. Release 7.0.0 cannot read several pages of
   *     lists together whose layers differ, so that pages with neighbours declare the same ones
   * @return null if no layout can hold so many rows at once
   */
  EncodedPage encode(LeafBatch batch, boolean alone) {
    int rows = Math.multiplyExact(batch.rows(), leaf.elementsPerRow());
    boolean uniform = !alone && (leaf.lists() > 0 || leaf.elementsPerRow() > 1);
    EncodedPage page = encode(batch, new PageLevels(leaf, batch.levels(), rows, uniform));
    return page == null && uniform
        ? encode(batch, new PageLevels(leaf, batch.levels(), rows, false))
        : page;
  }

  private EncodedPage encode(LeafBatch batch, PageLevels levels) {
    if (leaf.type() == EmptyType.STRUCT) {
      return ConstantPage.emptyStructs();
    }
    if (leaf.type() instanceof BlobType) {
      return BlobPage.encode(leaf, levels, (FixedBlock) batch.block(), version22, allocator);
    }
    if (levels.valid() == 0) {
      return ConstantPage.withoutValues(levels, version22);
    }
    if (version22 && !isPacked()) {
      EncodedPage constant = ConstantPage.ofEqualValues(levels, batch.block());
      if (constant != null) {
        return constant;
      }
    }
    return encodeValues(levels, batch.block());
  }

  private boolean isPacked() {
    return leaf.type() instanceof PackedType || leaf.type() instanceof VariablePackedType;
  }

  private EncodedPage encodeValues(PageLevels levels, LeafBlock block) {
    if (block instanceof DictionaryBlock dictionary) {
      return dictionary(levels, dictionary);
    }
    if (leaf.type() instanceof VariablePackedType packed) {
      return levels.hiddenFromFullZip()
          ? null
          : new FullZipPage(levels)
              .encode((VariableBlock) block, Encodings.packed(packed), allocator);
    }
    boolean fullZip = canFullZip(levels, block);
    if (fullZip && isDense(levels)) {
      return fullZip(levels, block);
    }
    DictionaryBlock dictionary = findDictionary(levels, block);
    if (dictionary != null) {
      EncodedPage page = dictionary(levels, dictionary);
      if (page != null) {
        return page;
      }
    }
    if (fullZip && prefersFullZip(block)) {
      return fullZip(levels, block);
    }
    EncodedPage page = miniBlock(levels, block, null);
    return page == null && fullZip ? fullZip(levels, block) : page;
  }

  private boolean canFullZip(PageLevels levels, LeafBlock block) {
    boolean wholeBytes =
        block instanceof VariableBlock
            || (block.maxValueBytes() > 0 && !(leaf.type() instanceof PackedType));
    return wholeBytes && !levels.hiddenFromFullZip();
  }

  private boolean prefersFullZip(LeafBlock block) {
    return switch (options.structure()) {
      case MINI_BLOCK -> false;
      case FULL_ZIP -> true;
      case DEFAULT -> block.maxValueBytes() >= LARGE_VALUE;
    };
  }

  /** Whether there are so many levels for each value that chunks would be mostly levels. */
  private static boolean isDense(PageLevels levels) {
    int bits = levels.rep() == null ? 0 : PageLevels.bitLength(levels.rep());
    bits += levels.def() == null ? 0 : PageLevels.bitLength(levels.def());
    double perValue = (double) levels.entries() / levels.visible();
    return perValue * ValueChunks.MAX_VALUES * bits / Byte.SIZE > MAX_LEVEL_BYTES_PER_CHUNK;
  }

  private DictionaryBlock findDictionary(PageLevels levels, LeafBlock block) {
    boolean wide =
        block instanceof FixedBlock fixed
            && !(leaf.type() instanceof PackedType)
            && (fixed.bits() == 2 * Long.SIZE || (version22 && fixed.bits() == Long.SIZE));
    return wide || block instanceof VariableBlock
        ? DictionaryBuilder.build(block, levels.validSlots(), options)
        : null;
  }

  private EncodedPage dictionary(PageLevels levels, DictionaryBlock block) {
    Compression.Scheme scheme = version22 ? options.dictionaryValues() : Compression.Scheme.NONE;
    return miniBlock(levels, block.keys(), DictionaryValues.of(block.dictionary(), scheme));
  }

  private EncodedPage miniBlock(PageLevels levels, LeafBlock block, DictionaryValues dictionary) {
    ValueChunks values = codecs.smallest(block);
    EncodedPage page = miniBlock(levels, values, dictionary);
    if (page != null && values instanceof GeneralChunks general && !general.pays()) {
      page.close();
      values = general.uncompressed();
      page = miniBlock(levels, values, dictionary);
    }
    return page == null && !values.divisible()
        ? miniBlock(levels, codecs.plain(block), dictionary)
        : page;
  }

  private EncodedPage miniBlock(
      PageLevels levels, ValueChunks values, DictionaryValues dictionary) {
    LevelCodec rep = LevelCodecs.choose(levels.rep(), version22);
    LevelCodec def = LevelCodecs.choose(levels.def(), version22);
    return MiniBlockPage.encode(levels, values, rep, def, dictionary, version22, allocator);
  }

  private EncodedPage fullZip(PageLevels levels, LeafBlock block) {
    FullZipPage page = new FullZipPage(levels);
    if (block instanceof VariableBlock variable) {
      return fullZip(page, variable);
    }
    if (block instanceof ListBlock lists) {
      return page.encode(RowValues.of(lists), Encodings.lists(lists), allocator);
    }
    FixedBlock fixed = (FixedBlock) block;
    CompressiveEncoding encoding = codecs.fixedEncoding(fixed);
    return page.encode(RowValues.of(fixed, fixed.width()), encoding, allocator);
  }

  private EncodedPage fullZip(FullZipPage page, VariableBlock block) {
    CompressedValues compressed = CompressedValues.of(block, options);
    if (compressed != null) {
      return page.encode(compressed.values(), compressed.encoding(), allocator);
    }
    FsstBlock coded = codecs.fsst(block);
    return coded == null
        ? page.encode(block, Encodings.variable(block.offsetBits()), allocator)
        : page.encode(coded.coded(), coded.encoding(), allocator);
  }
}
