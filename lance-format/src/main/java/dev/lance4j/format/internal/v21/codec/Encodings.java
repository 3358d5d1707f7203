package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.kernel.Compression;
import dev.lance4j.format.internal.kernel.FsstTable;
import dev.lance4j.format.internal.page.PageInfo;
import dev.lance4j.format.internal.v21.item.ItemType;
import dev.lance4j.format.proto.encodings21.BufferCompression;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.Fsst;
import dev.lance4j.format.proto.encodings21.OutOfLineBitpacking;
import dev.lance4j.format.proto.encodings21.Rle;
import dev.lance4j.format.proto.encodings21.Variable;
import java.util.Locale;

/** Checks on encoding messages that are the same wherever an encoding is used. */
final class Encodings {
  private Encodings() {}

  /** The error for an encoding that cannot be used here. */
  static RuntimeException unsupported(PageInfo page, CompressiveEncoding encoding, String where) {
    if (encoding.getCompressionCase() == CompressiveEncoding.CompressionCase.COMPRESSION_NOT_SET) {
      return page.corrupt(where + " lacks its encoding");
    }
    String name = encoding.getCompressionCase().name().toLowerCase(Locale.ROOT);
    return page.unsupported("the encoding '" + name + "' for " + where);
  }

  /** The width in bits of the values that an encoding of single values decodes to. */
  static int valueBits(PageInfo page, CompressiveEncoding encoding) {
    long bits =
        switch (encoding.getCompressionCase()) {
          case FLAT -> encoding.getFlat().getBitsPerValue();
          case INLINE_BITPACKING -> encoding.getInlineBitpacking().getUncompressedBitsPerValue();
          case OUT_OF_LINE_BITPACKING ->
              encoding.getOutOfLineBitpacking().getUncompressedBitsPerValue();
          case RLE -> valueBits(page, encoding.getRle().getValues());
          case BYTE_STREAM_SPLIT -> valueBits(page, encoding.getByteStreamSplit().getValues());
          case GENERAL -> valueBits(page, encoding.getGeneral().getValues());
          default -> throw unsupported(page, encoding, "single values");
        };
    if (bits != 1 && (bits <= 0 || bits % 8 != 0 || bits > Integer.MAX_VALUE)) {
      throw page.corrupt("values of " + bits + " bits");
    }
    return (int) bits;
  }

  /** Checks that an encoding decodes to values of the column's width. */
  static void checkBits(PageInfo page, long stored, long expected) {
    if (stored != expected) {
      throw page.corrupt(
          "values of " + stored + " bits in a column of " + expected + "-bit values");
    }
  }

  /** A width that bits can be packed from or runs be made of. */
  static int wordBits(PageInfo page, ItemType type, long stored) {
    checkBits(page, stored, type.width());
    if (stored != 8 && stored != 16 && stored != 32 && stored != 64) {
      throw page.unsupported("packing of " + stored + "-bit values");
    }
    return (int) stored;
  }

  static RleCodec rle(PageInfo page, Rle rle, ItemType type) {
    if (!rle.getValues().hasFlat()) {
      throw unsupported(page, rle.getValues(), "the values of runs");
    }
    if (!rle.getRunLengths().hasFlat()) {
      throw unsupported(page, rle.getRunLengths(), "the lengths of runs");
    }
    long lengthBits = rle.getRunLengths().getFlat().getBitsPerValue();
    if (lengthBits != Byte.SIZE) {
      throw page.unsupported("a run length of " + lengthBits + " bits");
    }
    return new RleCodec(wordBits(page, type, rle.getValues().getFlat().getBitsPerValue()));
  }

  static OutOfLineBitpackingCodec outOfLine(
      PageInfo page, OutOfLineBitpacking packing, ItemType type) {
    int bits = wordBits(page, type, packing.getUncompressedBitsPerValue());
    if (!packing.getValues().hasFlat()) {
      throw unsupported(page, packing.getValues(), "packed bits");
    }
    long width = packing.getValues().getFlat().getBitsPerValue();
    if (width < 0 || width > bits) {
      throw page.corrupt(bits + "-bit values packed to " + width + " bits");
    }
    return new OutOfLineBitpackingCodec(bits, (int) width);
  }

  /** The width in bits of the offsets of strings. */
  static int offsetBits(PageInfo page, Variable variable) {
    if (variable.hasValues()) {
      throw page.unsupported("a compressed buffer inside 'variable'");
    }
    if (!variable.getOffsets().hasFlat()) {
      throw unsupported(page, variable.getOffsets(), "string offsets");
    }
    long bits = variable.getOffsets().getFlat().getBitsPerValue();
    if (bits != Integer.SIZE && bits != Long.SIZE) {
      throw page.corrupt("string offsets of " + bits + " bits");
    }
    return (int) bits;
  }

  static FsstCodec fsst(PageInfo page, Fsst fsst) {
    if (!fsst.getValues().hasVariable()) {
      throw unsupported(page, fsst.getValues(), "strings of symbol codes");
    }
    VariableCodec codes = new VariableCodec(offsetBits(page, fsst.getValues().getVariable()));
    try {
      return new FsstCodec(FsstTable.parse(fsst.getSymbolTable().asReadOnlyByteBuffer()), codes);
    } catch (IllegalArgumentException e) {
      throw page.corrupt(e.getMessage(), e);
    }
  }

  static Compression.Scheme scheme(PageInfo page, BufferCompression compression) {
    return switch (compression.getScheme()) {
      case COMPRESSION_ALGORITHM_LZ4 -> Compression.Scheme.LZ4;
      case COMPRESSION_ALGORITHM_ZSTD -> Compression.Scheme.ZSTD;
      default -> throw page.unsupported("the compression scheme " + compression.getSchemeValue());
    };
  }

  /** Checks that the page's lists have the length that the schema gives them. */
  static void checkDimension(PageInfo page, long stored, int expected) {
    if (stored != expected) {
      throw page.corrupt("fixed-size lists of " + stored + " in a column of lists of " + expected);
    }
  }
}
