package dev.lance4j.format.internal.v21.write;

import dev.lance4j.format.internal.kernel.Compression;
import dev.lance4j.format.proto.encodings21.CompressiveEncoding;
import java.nio.ByteBuffer;

/**
 * The dictionary of a page.
 *
 * @param encoding how it is described
 * @param bytes the page buffer
 * @param count the number of its values
 */
record DictionaryValues(CompressiveEncoding encoding, ByteBuffer bytes, int count) {
  private static final int HEADER_FIELDS = 2;

  /** The values of a block as they are. */
  static DictionaryValues plain(LeafBlock block) {
    if (block instanceof VariableBlock variable) {
      return new DictionaryValues(
          Encodings.variable(variable.offsetBits()), variable(variable), block.count());
    }
    FixedBlock fixed = (FixedBlock) block;
    return new DictionaryValues(Encodings.flat(fixed.bits()), fixed.values(), fixed.count());
  }

  /** The values of a block compressed, or as they are where that is not smaller. */
  static DictionaryValues of(LeafBlock block, Compression.Scheme scheme) {
    DictionaryValues plain = plain(block);
    if (scheme == Compression.Scheme.NONE) {
      return plain;
    }
    ByteBuffer compressed = Compression.compress(scheme, 0, plain.bytes);
    return compressed.remaining() < plain.bytes.remaining()
        ? new DictionaryValues(
            GeneralChunks.encoding(plain.encoding, scheme, 0), compressed, plain.count)
        : plain;
  }

  /** Width of the offsets, position of the bytes, offsets from 0, bytes. */
  private static ByteBuffer variable(VariableBlock block) {
    int count = block.count();
    int width = block.offsetBytes();
    int data = block.dataBytes(0, count);
    int start = Math.multiplyExact(width, Math.addExact(count, HEADER_FIELDS + 1));
    ByteBuffer out = Buffers.heap((long) start + data);
    putWord(out, 0, width, block.offsetBits());
    putWord(out, 1, width, start);
    for (int i = 0; i <= count; i++) {
      putWord(out, HEADER_FIELDS + i, width, block.start(i) - block.start(0));
    }
    out.put(start, block.values(), block.start(0), data);
    return out;
  }

  private static void putWord(ByteBuffer out, int word, int width, int value) {
    if (width == Integer.BYTES) {
      out.putInt(word * width, value);
    } else {
      out.putLong(word * width, value);
    }
  }
}
