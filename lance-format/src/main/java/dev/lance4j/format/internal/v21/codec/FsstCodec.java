package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.kernel.FsstTable;
import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Strings whose bytes are codes of a table of symbols, or verbatim when the table says so. */
final class FsstCodec implements ChunkCodec, ZipCodec {
  private static final int MAX_SYMBOL = 8;
  private static final long LIKELY_RATIO = 4;

  private final FsstTable table;
  private final VariableCodec codes;

  FsstCodec(FsstTable table, VariableCodec codes) {
    this.table = table;
    this.codes = codes;
  }

  @Override
  public int bufferCount() {
    return 1;
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count) {
    return decode(buffers, first, count, 0, count);
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count, int from, int to) {
    Block.Variable coded = codes.decode(buffers, first, count);
    return table.isCoded() ? expand(coded, count, from, to) : coded;
  }

  @Override
  public Block decode(ByteBuffer in, int[] starts, int[] lengths, int count) {
    Block.Variable coded = codes.decode(in, starts, lengths, count);
    return table.isCoded() ? expand(coded, count, 0, count) : coded;
  }

  /** Expands the strings from {@code from} to {@code to}; the others become empty. */
  private Block expand(Block.Variable coded, int count, int from, int to) {
    int[] ends = coded.offsets();
    int[] offsets = new int[count + 1];
    int total = ends[to] - ends[from];
    byte[] out = new byte[(int) Math.min(Integer.MAX_VALUE - 8, LIKELY_RATIO * total + 64)];
    int at = 0;
    for (int i = from; i < to; i++) {
      int length = ends[i + 1] - ends[i];
      long room = (long) at + (long) MAX_SYMBOL * length;
      if (room > out.length) {
        out = Arrays.copyOf(out, Math.toIntExact(Math.max(room, 2L * out.length)));
      }
      at += table.decode(coded.bytes(), ends[i], length, out, at);
      offsets[i + 1] = at;
    }
    Arrays.fill(offsets, to + 1, count + 1, at);
    return new Block.Variable(ByteBuffer.wrap(out), offsets);
  }
}
