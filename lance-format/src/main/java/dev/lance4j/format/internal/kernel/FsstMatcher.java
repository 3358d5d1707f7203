package dev.lance4j.format.internal.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Finds the longest symbol of a table at a position of a text. Immutable. */
final class FsstMatcher {
  /** No symbol matches. */
  static final int NONE = -1;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long[] symbols;
  private final long[] masks;
  private final int[] lengths;

  /** By the first two bytes: the longest symbol that has them. */
  private final short[] longest = new short[1 << Short.SIZE];

  /** By code: the next symbol with the same first two bytes, not longer. */
  private final short[] next;

  /** By byte: the symbol that consists of it. */
  private final short[] single = new short[1 << Byte.SIZE];

  FsstMatcher(FsstTable table) {
    int count = table.count();
    symbols = new long[count];
    masks = new long[count];
    lengths = new int[count];
    next = new short[count];
    Arrays.fill(longest, (short) NONE);
    Arrays.fill(single, (short) NONE);
    for (int code = 0; code < count; code++) {
      lengths[code] = table.length(code);
      masks[code] = -1L >>> (Long.SIZE - lengths[code] * Byte.SIZE);
      symbols[code] = table.symbol(code) & masks[code];
    }
    // Shorter symbols first, since each is put in front of its chain.
    for (int length = 1; length <= FsstTable.MAX_SYMBOL_BYTES; length++) {
      for (int code = 0; code < count; code++) {
        if (lengths[code] == length) {
          enter(code);
        }
      }
    }
  }

  private void enter(int code) {
    if (lengths[code] == 1) {
      single[(int) symbols[code]] = (short) code;
    } else {
      int prefix = (int) symbols[code] & 0xFFFF;
      next[code] = longest[prefix];
      longest[prefix] = (short) code;
    }
  }

  /** The code of the longest symbol that is in {@code text} from {@code position}, or NONE. */
  int longest(byte[] text, int position, int end) {
    int available = end - position;
    long word =
        available >= Long.BYTES ? (long) LONGS.get(text, position) : lastBytes(text, position, end);
    for (int code = longest[(int) word & 0xFFFF]; code != NONE; code = next[code]) {
      if ((word & masks[code]) == symbols[code] && lengths[code] <= available) {
        return code;
      }
    }
    return single[(int) word & 0xFF];
  }

  private static long lastBytes(byte[] text, int position, int end) {
    long word = 0;
    for (int i = end - 1; i >= position; i--) {
      word = word << Byte.SIZE | (text[i] & 0xFF);
    }
    return word;
  }
}
