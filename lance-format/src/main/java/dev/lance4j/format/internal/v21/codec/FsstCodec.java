package dev.lance4j.format.internal.v21.codec;

import dev.lance4j.format.internal.kernel.FsstTable;
import dev.lance4j.format.internal.v21.item.Block;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Strings whose bytes are codes of a table of symbols, or verbatim when the table says so. */
final class FsstCodec implements ChunkCodec, ZipCodec {
  private static final int MAX_SYMBOL = 8;
  private static final long LIKELY_RATIO = 4;
  private static final int MOST_SCRATCH = 1 << 20;

  /** Room for the strings of a chunk: fresh arrays would have to be cleared each time. */
  private static final ThreadLocal<byte[]> SCRATCH = ThreadLocal.withInitial(() -> new byte[0]);

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
    return table.isCoded() ? expandToScratch(coded, count, from, to) : coded;
  }

  @Override
  public Block decode(ByteBuffer in, int[] starts, int[] lengths, int count) {
    Block.Variable coded = codes.decode(in, starts, lengths, count);
    return table.isCoded()
        ? expand(coded, count, 0, count, new byte[likelySize(coded, 0, count)])
        : coded;
  }

  private Block expandToScratch(Block.Variable coded, int count, int from, int to) {
    int size = likelySize(coded, from, to);
    byte[] scratch = SCRATCH.get();
    if (scratch.length < size) {
      scratch = new byte[size];
    }
    Block.Variable strings = expand(coded, count, from, to, scratch);
    byte[] used = strings.bytes().array();
    if (used.length <= MOST_SCRATCH) {
      SCRATCH.set(used);
    }
    return strings;
  }

  private static int likelySize(Block.Variable coded, int from, int to) {
    long size = LIKELY_RATIO * (coded.offsets()[to] - coded.offsets()[from]) + 64;
    return (int) Math.min(Integer.MAX_VALUE - 8, size);
  }

  /**
   * Expands the strings from {@code from} to {@code to}; the others become empty.
   *
   * @param room where to, unless it turns out to be too small
   */
  private Block.Variable expand(Block.Variable coded, int count, int from, int to, byte[] room) {
    int[] ends = coded.offsets();
    int[] offsets = new int[count + 1];
    byte[] codes = new byte[ends[to] - ends[from]];
    coded.bytes().get(ends[from], codes);
    byte[] out = room;
    int at = 0;
    for (int i = from; i < to; i++) {
      int length = ends[i + 1] - ends[i];
      long needed = (long) at + (long) MAX_SYMBOL * length;
      if (needed > out.length) {
        out = Arrays.copyOf(out, Math.toIntExact(Math.max(needed, 2L * out.length)));
      }
      at += table.decode(codes, ends[i] - ends[from], length, out, at);
      offsets[i + 1] = at;
    }
    Arrays.fill(offsets, to + 1, count + 1, at);
    return new Block.Variable(ByteBuffer.wrap(out), offsets);
  }
}
