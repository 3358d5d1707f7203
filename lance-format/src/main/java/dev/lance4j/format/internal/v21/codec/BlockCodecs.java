package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;

/** Makes the codecs of levels and dictionaries. */
public final class BlockCodecs {
  private static final ItemType LEVELS = new ItemType.Fixed(Short.SIZE);

  private BlockCodecs() {}

  /** The codec for repetition or definition levels. */
  public static BlockCodec parseLevels(PageInfo page, CompressiveEncoding encoding) {
    return parse(page, encoding, LEVELS);
  }

  /** The codec for values of a type. */
  public static BlockCodec parse(PageInfo page, CompressiveEncoding encoding, ItemType type) {
    switch (encoding.getCompressionCase()) {
      case FLAT -> {
        Encodings.checkBits(page, encoding.getFlat().getBitsPerValue(), type.width());
        if (encoding.getFlat().hasData()) {
          throw page.unsupported("a compressed buffer inside 'flat'");
        }
        return new FlatCodec(type);
      }
      case VARIABLE -> {
        if (!(type instanceof ItemType.Variable)) {
          throw page.corrupt("strings where the schema has other values");
        }
        Encodings.offsetBits(page, encoding.getVariable());
        return new VariableBlockCodec();
      }
      case INLINE_BITPACKING -> {
        long bits = encoding.getInlineBitpacking().getUncompressedBitsPerValue();
        return new InlineBitpackingCodec(Encodings.wordBits(page, type, bits));
      }
      case OUT_OF_LINE_BITPACKING -> {
        return Encodings.outOfLine(page, encoding.getOutOfLineBitpacking(), type);
      }
      case RLE -> {
        return Encodings.rle(page, encoding.getRle(), type);
      }
      case CONSTANT -> {
        return ChunkCodecs.constant(page, encoding, type);
      }
      case GENERAL -> {
        return new GeneralCodec.Whole(
            Encodings.scheme(page, encoding.getGeneral().getCompression()),
            parse(page, encoding.getGeneral().getValues(), type));
      }
      default -> throw Encodings.unsupported(page, encoding, "levels or a dictionary");
    }
  }
}
