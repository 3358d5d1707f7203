package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.PackedStruct;
import java.util.List;

/** Makes the codecs of mini-block chunks. */
public final class ChunkCodecs {
  private ChunkCodecs() {}

  /** The codec for items of a column's type. */
  public static ChunkCodec parse(PageInfo page, CompressiveEncoding encoding, ItemType type) {
    switch (encoding.getCompressionCase()) {
      case FLAT -> {
        Encodings.checkBits(page, encoding.getFlat().getBitsPerValue(), type.width());
        if (encoding.getFlat().hasData()) {
          throw page.unsupported("a compressed buffer inside 'flat'");
        }
        return new FlatCodec(type);
      }
      case INLINE_BITPACKING -> {
        if (encoding.getInlineBitpacking().hasValues()) {
          throw page.unsupported("a compressed buffer inside 'inline_bitpacking'");
        }
        long bits = encoding.getInlineBitpacking().getUncompressedBitsPerValue();
        return new InlineBitpackingCodec(Encodings.wordBits(page, type, bits));
      }
      case RLE -> {
        return Encodings.rle(page, encoding.getRle(), type);
      }
      case BYTE_STREAM_SPLIT -> {
        return byteStreamSplit(page, encoding.getByteStreamSplit().getValues(), type);
      }
      case VARIABLE -> {
        checkVariable(page, type);
        return new VariableCodec(Encodings.offsetBits(page, encoding.getVariable()));
      }
      case FSST -> {
        checkVariable(page, type);
        return Encodings.fsst(page, encoding.getFsst());
      }
      case GENERAL -> {
        ChunkCodec inner = parse(page, encoding.getGeneral().getValues(), type);
        if (inner.bufferCount() == 0) {
          throw page.corrupt("general compression of values that have no buffer");
        }
        return new GeneralCodec.Chunk(
            Encodings.scheme(page, encoding.getGeneral().getCompression()), inner);
      }
      case FIXED_SIZE_LIST -> {
        if (!(type instanceof ItemType.FixedList list)) {
          throw page.corrupt("fixed-size lists in a column of other values");
        }
        Encodings.checkDimension(
            page, encoding.getFixedSizeList().getItemsPerValue(), list.dimension());
        return new FixedSizeListCodec(
            list.dimension(),
            encoding.getFixedSizeList().getHasValidity(),
            parse(page, encoding.getFixedSizeList().getValues(), list.item()));
      }
      case PACKED_STRUCT -> {
        return new PackedStructCodec(packed(page, encoding.getPackedStruct(), type));
      }
      case CONSTANT -> {
        return constant(page, encoding, type);
      }
      default -> throw Encodings.unsupported(page, encoding, "the values of a mini-block page");
    }
  }

  /** The codec for positions in a dictionary, which say their own width. */
  public static ChunkCodec parseIndices(PageInfo page, CompressiveEncoding encoding) {
    int bits = Encodings.valueBits(page, encoding);
    ItemType.Fixed type = new ItemType.Fixed(bits);
    Encodings.wordBits(page, type, bits);
    return parse(page, encoding, type);
  }

  private static void checkVariable(PageInfo page, ItemType type) {
    if (!(type instanceof ItemType.Variable)) {
      throw page.corrupt("strings in a column of other values");
    }
  }

  private static ChunkCodec byteStreamSplit(
      PageInfo page, CompressiveEncoding values, ItemType type) {
    if (!values.hasFlat()) {
      throw Encodings.unsupported(page, values, "split bytes");
    }
    long bits = values.getFlat().getBitsPerValue();
    Encodings.checkBits(page, bits, type.width());
    if (bits != 32 && bits != 64) {
      throw page.unsupported("splitting the bytes of " + bits + "-bit values");
    }
    return new ByteStreamSplitCodec((int) bits);
  }

  static ItemType.Packed packed(PageInfo page, PackedStruct message, ItemType type) {
    if (!(type instanceof ItemType.Packed struct)) {
      throw page.corrupt("packed structs in a column of other values");
    }
    List<ItemType> children = struct.children();
    boolean fits = children.size() == message.getBitsPerValueCount();
    for (int i = 0; fits && i < children.size(); i++) {
      long width = children.get(i).width();
      fits = width == message.getBitsPerValue(i) && width % Byte.SIZE == 0;
    }
    if (!fits) {
      throw page.corrupt(
          "a packed struct of " + message.getBitsPerValueList() + " bits does not fit the schema");
    }
    if (!message.getValues().hasFlat()) {
      throw Encodings.unsupported(page, message.getValues(), "the rows of a packed struct");
    }
    Encodings.checkBits(page, message.getValues().getFlat().getBitsPerValue(), struct.width());
    return struct;
  }

  static ConstantCodec constant(PageInfo page, CompressiveEncoding encoding, ItemType type) {
    if (!encoding.getConstant().hasValue()) {
      return new ConstantCodec(null, null);
    }
    byte[] value = encoding.getConstant().getValue().toByteArray();
    if (!(type instanceof ItemType.Fixed fixed) || fixed.bits() != (long) value.length * 8) {
      throw page.corrupt("a constant of " + value.length + " bytes does not fit the column");
    }
    return new ConstantCodec(fixed, value);
  }
}
