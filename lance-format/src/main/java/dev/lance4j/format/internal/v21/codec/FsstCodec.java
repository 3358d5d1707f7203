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
    return decode(buffers, first, count, ItemRuns.all(count));
  }

  @Override
  public Block decode(ByteBuffer[] buffers, int first, int count, ItemRuns wanted) {
    Block.Variable coded = codes.decode(buffers, first, count);
    return table.isCoded() ? expandToScratch(coded, count, wanted) : coded;
  }

  @Override
  public Block decode(ByteBuffer in, int[] starts, int[] lengths, int count) {
    Block.Variable coded = codes.decode(in, starts, lengths, count);
    if (!table.isCoded()) {
      return coded;
    }
    ItemRuns all = ItemRuns.all(count);
    return expand(coded, count, all, new byte[likelySize(coded, all)]);
  }

  private Block expandToScratch(Block.Variable coded, int count, ItemRuns wanted) {
    int size = likelySize(coded, wanted);
    byte[] scratch = SCRATCH.get();
    if (scratch.length < size) {
      scratch = new byte[size];
    }
    Block.Variable strings = expand(coded, count, wanted, scratch);
    byte[] used = strings.bytes().array();
    if (used.length <= MOST_SCRATCH) {
      SCRATCH.set(used);
    }
    return strings;
  }

  private static int likelySize(Block.Variable coded, ItemRuns wanted) {
    int[] ends = coded.offsets();
    long codes = 0;
    for (int run = 0; run < wanted.size(); run++) {
      codes += ends[wanted.end(run)] - ends[wanted.start(run)];
    }
    return (int) Math.min(Integer.MAX_VALUE - 8, LIKELY_RATIO * codes + 64);
  }

  /**
   * Expands the strings that are wanted; the others become empty.
   *
   * @param room where to, unless it turns out to be too small
   */
  private Block.Variable expand(Block.Variable coded, int count, ItemRuns wanted, byte[] room) {
    int[] ends = coded.offsets();
    int[] offsets = new int[count + 1];
    int base = ends[wanted.from()];
    byte[] codes = new byte[ends[wanted.to()] - base];
    coded.bytes().get(base, codes);
    byte[] out = room;
    int at = 0;
    int previous = 0;
    for (int run = 0; run < wanted.size(); run++) {
      Arrays.fill(offsets, previous, wanted.start(run) + 1, at);
      for (int i = wanted.start(run); i < wanted.end(run); i++) {
        int length = ends[i + 1] - ends[i];
        long needed = (long) at + (long) MAX_SYMBOL * length;
        if (needed > out.length) {
          out = Arrays.copyOf(out, Math.toIntExact(Math.max(needed, 2L * out.length)));
        }
        at += table.decode(codes, ends[i] - base, length, out, at);
        offsets[i + 1] = at;
      }
      previous = wanted.end(run);
    }
    Arrays.fill(offsets, previous, count + 1, at);
    return new Block.Variable(ByteBuffer.wrap(out), offsets);
  }
}
