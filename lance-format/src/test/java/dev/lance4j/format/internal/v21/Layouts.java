package dev.lance4j.format.internal.v21;

import com.google.protobuf.ByteString;
import dev.lance4j.format.proto.encodings21.BufferCompression;
import dev.lance4j.format.proto.encodings21.ByteStreamSplit;
import dev.lance4j.format.proto.encodings21.CompressionScheme;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import dev.lance4j.format.proto.encodings21.ConstantLayout;
import dev.lance4j.format.proto.encodings21.FixedSizeList;
import dev.lance4j.format.proto.encodings21.Flat;
import dev.lance4j.format.proto.encodings21.Fsst;
import dev.lance4j.format.proto.encodings21.FullZipLayout;
import dev.lance4j.format.proto.encodings21.General;
import dev.lance4j.format.proto.encodings21.InlineBitpacking;
import dev.lance4j.format.proto.encodings21.MiniBlockLayout;
import dev.lance4j.format.proto.encodings21.OutOfLineBitpacking;
import dev.lance4j.format.proto.encodings21.PackedStruct;
import dev.lance4j.format.proto.encodings21.PageLayout;
import dev.lance4j.format.proto.encodings21.RepDefLayer;
import dev.lance4j.format.proto.encodings21.Rle;
import dev.lance4j.format.proto.encodings21.Variable;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Short ways to spell page messages and bytes. */
final class Layouts {
  private Layouts() {}

  /** Bytes from hexadecimal digits; blanks and bars do not count. */
  static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replaceAll("[\\s|]", ""));
  }

  /** Little-endian words of {@code bytes} bytes. */
  static byte[] words(int bytes, long... values) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (long value : values) {
      for (int i = 0; i < bytes; i++) {
        out.write((int) (value >> (8 * i)));
      }
    }
    return out.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** A chunk as the format lays it out, with 16-bit sizes; levels may be null. */
  static byte[] chunk(int levels, byte[] rep, byte[] def, byte[]... values) {
    return chunk(false, levels, rep, def, values);
  }

  /** As above, with 32-bit value sizes if it is large. */
  static byte[] chunk(boolean large, int levels, byte[] rep, byte[] def, byte[]... values) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(words(2, levels));
    if (rep != null) {
      out.writeBytes(words(2, rep.length));
    }
    if (def != null) {
      out.writeBytes(words(2, def.length));
    }
    for (byte[] value : values) {
      out.writeBytes(words(large ? 4 : 2, value.length));
    }
    pad(out);
    for (byte[] part : join(rep, def, values)) {
      out.writeBytes(part);
      pad(out);
    }
    return out.toByteArray();
  }

  private static byte[][] join(byte[] rep, byte[] def, byte[]... values) {
    List<byte[]> parts = new ArrayList<>();
    if (rep != null) {
      parts.add(rep);
    }
    if (def != null) {
      parts.add(def);
    }
    parts.addAll(List.of(values));
    return parts.toArray(byte[][]::new);
  }

  private static void pad(ByteArrayOutputStream out) {
    while (out.size() % 8 != 0) {
      out.write(0xfe);
    }
  }

  /** The word of a chunk. */
  static long word(byte[] chunk, int log2Items) {
    return (chunk.length / 8 - 1L) << 4 | log2Items;
  }

  static Iterable<RepDefLayer> layers(int... numbers) {
    return Arrays.stream(numbers).mapToObj(RepDefLayer::forNumber).toList();
  }

  static PageLayout page(MiniBlockLayout.Builder layout) {
    return PageLayout.newBuilder().setMiniBlockLayout(layout).build();
  }

  static PageLayout page(FullZipLayout.Builder layout) {
    return PageLayout.newBuilder().setFullZipLayout(layout).build();
  }

  static PageLayout page(ConstantLayout.Builder layout) {
    return PageLayout.newBuilder().setConstantLayout(layout).build();
  }

  /** A mini-block layout of one value buffer without levels. */
  static MiniBlockLayout.Builder miniBlock(CompressiveEncoding values, long items, int... layers) {
    return MiniBlockLayout.newBuilder()
        .setValueCompression(values)
        .addAllLayers(layers(layers))
        .setNumBuffers(1)
        .setNumItems(items);
  }

  static CompressiveEncoding flat(long bits) {
    return CompressiveEncoding.newBuilder()
        .setFlat(Flat.newBuilder().setBitsPerValue(bits))
        .build();
  }

  static CompressiveEncoding variable(long offsetBits) {
    return CompressiveEncoding.newBuilder()
        .setVariable(Variable.newBuilder().setOffsets(flat(offsetBits)))
        .build();
  }

  static CompressiveEncoding rle(long bits) {
    return CompressiveEncoding.newBuilder()
        .setRle(Rle.newBuilder().setValues(flat(bits)).setRunLengths(flat(8)))
        .build();
  }

  static CompressiveEncoding inlineBitpacking(long bits) {
    return CompressiveEncoding.newBuilder()
        .setInlineBitpacking(InlineBitpacking.newBuilder().setUncompressedBitsPerValue(bits))
        .build();
  }

  static CompressiveEncoding outOfLineBitpacking(long bits, long width) {
    return CompressiveEncoding.newBuilder()
        .setOutOfLineBitpacking(
            OutOfLineBitpacking.newBuilder()
                .setUncompressedBitsPerValue(bits)
                .setValues(flat(width)))
        .build();
  }

  static CompressiveEncoding fsst(byte[] table) {
    return CompressiveEncoding.newBuilder()
        .setFsst(
            Fsst.newBuilder().setSymbolTable(ByteString.copyFrom(table)).setValues(variable(32)))
        .build();
  }

  static CompressiveEncoding byteStreamSplit(long bits) {
    return CompressiveEncoding.newBuilder()
        .setByteStreamSplit(ByteStreamSplit.newBuilder().setValues(flat(bits)))
        .build();
  }

  static CompressiveEncoding general(CompressionScheme scheme, CompressiveEncoding inner) {
    return CompressiveEncoding.newBuilder()
        .setGeneral(
            General.newBuilder()
                .setCompression(BufferCompression.newBuilder().setScheme(scheme))
                .setValues(inner))
        .build();
  }

  static CompressiveEncoding fixedSizeList(
      int dimension, boolean validity, CompressiveEncoding items) {
    return CompressiveEncoding.newBuilder()
        .setFixedSizeList(
            FixedSizeList.newBuilder()
                .setItemsPerValue(dimension)
                .setHasValidity(validity)
                .setValues(items))
        .build();
  }

  static CompressiveEncoding packedStruct(long... bits) {
    PackedStruct.Builder packed = PackedStruct.newBuilder();
    long sum = 0;
    for (long width : bits) {
      packed.addBitsPerValue(width);
      sum += width;
    }
    return CompressiveEncoding.newBuilder().setPackedStruct(packed.setValues(flat(sum))).build();
  }
}
