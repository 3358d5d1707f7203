package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.proto.encodings21.CompressiveEncoding;

/** Chooses how the values of a page are encoded. */
final class ValueCodecs {
  private final Leaf leaf;
  private final EncodingOptions options;

  ValueCodecs(Leaf leaf, EncodingOptions options) {
    this.leaf = leaf;
    this.options = options;
  }

  /** The values of a block as they are. */
  ValueChunks plain(LeafBlock block) {
    if (block instanceof VariableBlock variable) {
      return new VariableChunks(variable, options.chunkBytes());
    }
    if (block instanceof ListBlock lists) {
      return new ListChunks(lists);
    }
    FixedBlock fixed = (FixedBlock) block;
    return new FlatChunks(fixed, fixedEncoding(fixed));
  }

  /** How a page describes fixed-width values. */
  CompressiveEncoding fixedEncoding(FixedBlock block) {
    return leaf.type() instanceof PackedType packed
        ? Encodings.packed(packed)
        : Encodings.flat(block.bits());
  }

  /** Whether chunks can be anything but plain: lists and packed structs are never compressed. */
  private boolean isCompressible(LeafBlock block) {
    return !(block instanceof ListBlock)
        && !(leaf.type() instanceof PackedType)
        && options.codec() != EncodingOptions.Codec.NONE;
  }

  /** The encoding that promises the smallest chunks. */
  ValueChunks smallest(LeafBlock block) {
    if (!isCompressible(block)) {
      return plain(block);
    }
    ValueChunks values =
        block instanceof VariableBlock variable ? strings(variable) : numbers((FixedBlock) block);
    return options.codec().isGeneral()
        ? new GeneralChunks(values, options.codec().scheme(), options.compressionLevel())
        : values;
  }

  private ValueChunks strings(VariableBlock block) {
    FsstBlock coded = fsst(block);
    return coded == null ? plain(block) : new FsstChunks(coded, options.chunkBytes());
  }

  /** Strings coded with FSST, or null where that is not wanted or not smaller. */
  FsstBlock fsst(VariableBlock block) {
    boolean text = leaf.type() instanceof VariableType type && type.text();
    boolean wanted =
        switch (options.codec()) {
          case DEFAULT -> text && FsstBlock.promises(block);
          case FSST -> FsstBlock.promises(block);
          default -> false;
        };
    return wanted ? FsstBlock.of(block) : null;
  }

  private ValueChunks numbers(FixedBlock block) {
    if (options.codec().isGeneral() && splitsBytes(block)) {
      return new ByteStreamSplitChunks(block);
    }
    if (!FixedValues.areNumbers(block)) {
      return new FlatChunks(block);
    }
    FixedStatistics statistics = FixedStatistics.of(block);
    long runBytes = (long) statistics.runEntries() * (block.width() + 1);
    if (runBytes < block.bytes()
        && runBytes <= statistics.packedBytes()
        && statistics.runs() < block.count() * options.rleThreshold()) {
      return new RleChunks(block);
    }
    return statistics.packedBytes() < block.bytes()
        ? new BitpackedChunks(block)
        : new FlatChunks(block);
  }

  private boolean splitsBytes(FixedBlock block) {
    return ByteStreamSplitChunks.applies(block)
        && switch (options.byteStreamSplit()) {
          case OFF -> false;
          case ON -> true;
          case AUTO -> ByteStreamSplitChunks.promises(block);
        };
  }
}
