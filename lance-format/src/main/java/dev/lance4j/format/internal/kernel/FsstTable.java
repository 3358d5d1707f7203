package dev.lance4j.format.internal.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The symbol table of a page of FSST strings: up to 255 symbols of 1 to 8 bytes, each written as
 * one byte, its code. Code 255 escapes the byte that follows it. Strings are coded one by one, so
 * any of them can be decoded alone.
 *
 * <p>A table may also say that its page's strings are stored verbatim; see {@link #isCoded()}.
 * Immutable and safe for use by several threads.
 */
public final class FsstTable {
  /** The size of a serialized table in bytes. */
  public static final int SERIALIZED_BYTES = 2312;

  static final int MAX_SYMBOLS = 255;
  static final int MAX_SYMBOL_BYTES = Long.BYTES;
  private static final int ESCAPE = 255;

  private static final int CODED_OFFSET = 3;
  private static final int MAGIC_OFFSET = 4;
  private static final int MAGIC = 0x46535354;
  private static final int SYMBOLS_OFFSET = 8;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final boolean coded;
  private final int count;

  /** By code, the first byte lowest and zeros above the last. */
  private final long[] symbols;

  /** By code, in bytes; 0 for the escape and for codes that no symbol has. */
  private final byte[] lengths;

  private FsstMatcher matcher;

  private FsstTable(boolean coded, int count, long[] symbols, byte[] lengths) {
    this.coded = coded;
    this.count = count;
    this.symbols = symbols;
    this.lengths = lengths;
  }

  /** A table of the first {@code count} of these symbols, in this order. */
  static FsstTable of(int count, long[] symbols, byte[] lengths) {
    FsstTable table = new FsstTable(true, count, new long[ESCAPE + 1], new byte[ESCAPE + 1]);
    System.arraycopy(symbols, 0, table.symbols, 0, count);
    System.arraycopy(lengths, 0, table.lengths, 0, count);
    return table;
  }

  /**
   * Reads a table.
   *
   * @param symbolTable the serialized table, from position to limit; its position stays
   * @throws IllegalArgumentException if it is malformed
   */
  public static FsstTable parse(ByteBuffer symbolTable) {
    if (symbolTable.remaining() != SERIALIZED_BYTES) {
      throw new IllegalArgumentException(
          "an FSST symbol table has "
              + SERIALIZED_BYTES
              + " bytes, but this one "
              + symbolTable.remaining());
    }
    ByteBuffer in = symbolTable.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt(MAGIC_OFFSET) != MAGIC) {
      throw new IllegalArgumentException("an FSST symbol table begins with a wrong magic number");
    }
    if ((in.get(CODED_OFFSET) & 1) == 0) {
      return new FsstTable(false, 0, new long[ESCAPE + 1], new byte[ESCAPE + 1]);
    }
    int count = in.get(0) & 0xFF;
    long[] symbols = new long[count];
    byte[] lengths = new byte[count];
    in.position(SYMBOLS_OFFSET).asLongBuffer().get(symbols);
    in.get(SYMBOLS_OFFSET + count * Long.BYTES, lengths);
    for (int code = 0; code < count; code++) {
      if (lengths[code] < 1 || lengths[code] > MAX_SYMBOL_BYTES) {
        throw new IllegalArgumentException(
            "FSST symbol " + code + " has a length of " + lengths[code] + " bytes");
      }
    }
    return of(count, symbols, lengths);
  }

  /**
   * Makes a table that suits the given strings. The same strings always give the same table.
   *
   * @param bytes the strings, back to back
   * @param offsets string {@code i} is {@code bytes[offsets[i]]} up to {@code bytes[offsets[i +
   *     1]]}
   * @param count the number of strings
   */
  public static FsstTable train(byte[] bytes, int[] offsets, int count) {
    return new FsstTrainer(bytes, offsets, count).train();
  }

  /** Whether strings are coded with this table, as opposed to stored verbatim. */
  public boolean isCoded() {
    return coded;
  }

  /** The number of symbols. */
  int count() {
    return count;
  }

  /** The bytes of a symbol, the first byte lowest and zeros above the last. */
  long symbol(int code) {
    return symbols[code];
  }

  /** The length of a symbol in bytes. */
  int length(int code) {
    return lengths[code];
  }

  /** Finds symbols in text. */
  FsstMatcher matcher() {
    FsstMatcher result = matcher;
    if (result == null) {
      result = new FsstMatcher(this);
      matcher = result;
    }
    return result;
  }

  /**
   * Decodes one string.
   *
   * @param length of the coded string in bytes
   * @param out must have room for {@code 8 * length} bytes, all of which may be overwritten
   * @return the number of bytes of the string
   * @throws IllegalArgumentException if the string has a code without a symbol or ends in an escape
   */
  public int decode(byte[] in, int offset, int length, byte[] out, int outOffset) {
    if (!coded) {
      System.arraycopy(in, offset, out, outOffset, length);
      return length;
    }
    int end = offset + length;
    int position = offset;
    int target = outOffset;
    while (position < end) {
      int code = in[position++] & 0xFF;
      int symbolLength = lengths[code];
      if (symbolLength > 0) {
        // Each code stands for at most 8 bytes, so there is room for a whole word.
        LONGS.set(out, target, symbols[code]);
        target += symbolLength;
      } else {
        checkEscape(code, position, end);
        out[target++] = in[position++];
      }
    }
    return target - outOffset;
  }

  private void checkEscape(int code, int next, int end) {
    if (code != ESCAPE) {
      throw new IllegalArgumentException(
          "FSST code " + code + " is not one of the " + count + " in the symbol table");
    }
    if (next == end) {
      throw new IllegalArgumentException("an FSST string ends in an escape");
    }
  }

  /**
   * Codes one string: at each position the longest symbol that fits.
   *
   * @param out must have room for {@code 2 * length + 7} bytes
   * @return the number of bytes of the coded string
   */
  public int encode(byte[] in, int offset, int length, byte[] out, int outOffset) {
    if (!coded) {
      System.arraycopy(in, offset, out, outOffset, length);
      return length;
    }
    FsstMatcher symbolMatcher = matcher();
    int end = offset + length;
    int position = offset;
    int target = outOffset;
    while (position < end) {
      int code = symbolMatcher.longest(in, position, end);
      if (code == FsstMatcher.NONE) {
        out[target++] = (byte) ESCAPE;
        out[target++] = in[position++];
      } else {
        out[target++] = (byte) code;
        position += lengths[code];
      }
    }
    return target - outOffset;
  }

  /** Writes the table as it is stored: {@value #SERIALIZED_BYTES} bytes, little-endian. */
  public ByteBuffer serialize() {
    ByteBuffer out = ByteBuffer.allocate(SERIALIZED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.put(0, (byte) count);
    out.put(CODED_OFFSET, (byte) (coded ? 1 : 0));
    out.putInt(MAGIC_OFFSET, MAGIC);
    for (int code = 0; code < count; code++) {
      out.putLong(SYMBOLS_OFFSET + code * Long.BYTES, symbols[code]);
      out.put(SYMBOLS_OFFSET + count * Long.BYTES + code, lengths[code]);
    }
    return out;
  }
}
