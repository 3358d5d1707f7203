package dev.lance4j.benchmarks;

import dev.lance4j.format.testing.SampleColumn;
import java.io.IOException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * A number that depends on all values of a {@link SampleColumn} and their order, but not on how
 * they are cut into batches: a sum of numbers made of the values, each times an odd weight that
 * rises with the row. Nulls add nothing. The loops are cheap beside reading, the more so as the
 * terms do not depend on each other.
 */
final class ColumnChecksum {
  // What a valid zero counts, so that it differs from a null.
  private static final long VALID = 0x9E3779B97F4A7C15L;
  private static final int LIST_WORDS = SampleColumn.DIMENSION / 2;

  /** By place in the numbers 0 to 63: those of them that have this bit set. */
  private static final long[] WITH_BIT = {
    0xAAAA_AAAA_AAAA_AAAAL,
    0xCCCC_CCCC_CCCC_CCCCL,
    0xF0F0_F0F0_F0F0_F0F0L,
    0xFF00_FF00_FF00_FF00L,
    0xFFFF_0000_FFFF_0000L,
    0xFFFF_FFFF_0000_0000L
  };

  private ColumnChecksum() {}

  /** Reads to the end a table that has one column. */
  static long of(ArrowReader reader) throws IOException {
    long sum = 0;
    long row = 0;
    while (reader.loadNextBatch()) {
      FieldVector vector = reader.getVectorSchemaRoot().getVector(0);
      sum += of(vector, row);
      row += vector.getValueCount();
    }
    return sum;
  }

  /**
   * What the values of a vector add.
   *
   * @param firstRow the row of its first value
   */
  static long of(FieldVector vector, long firstRow) {
    int rows = vector.getValueCount();
    if (vector.getNullCount() > 0) {
      return ofNullable((BaseFixedWidthVector) vector, rows, firstRow);
    }
    if (vector instanceof VarCharVector texts) {
      return ofTexts(texts, rows, firstRow);
    }
    if (vector instanceof BitVector bits) {
      return ofBits(bits, rows, firstRow);
    }
    if (vector instanceof FixedSizeListVector lists) {
      ArrowBuf values = lists.getDataVector().getDataBuffer();
      return ofWords(values, rows * LIST_WORDS, firstRow * LIST_WORDS);
    }
    return ofWords(vector.getDataBuffer(), rows, firstRow);
  }

  private static long weight(long position) {
    return 2 * position + 1;
  }

  private static long ofWords(ArrowBuf values, int count, long first) {
    long address = address(values, (long) count * Long.BYTES);
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += (MemoryUtil.getLong(address + (long) i * Long.BYTES) ^ VALID) * weight(first + i);
    }
    return sum;
  }

  private static long ofNullable(BaseFixedWidthVector vector, int rows, long firstRow) {
    long values = address(vector.getDataBuffer(), (long) rows * Long.BYTES);
    long validity = address(vector.getValidityBuffer(), (rows + 7L) / 8);
    long sum = 0;
    for (int i = 0; i < rows; i++) {
      long valid = -(MemoryUtil.getByte(validity + (i >>> 3)) >>> (i & 7) & 1L);
      long value = MemoryUtil.getLong(values + (long) i * Long.BYTES);
      sum += ((value ^ VALID) & valid) * weight(firstRow + i);
    }
    return sum;
  }

  /** The sum of the weights of the bits that are set, found for 64 of them at once. */
  private static long ofBits(BitVector bits, int rows, long firstRow) {
    ArrowBuf buffer = bits.getDataBuffer();
    long sum = 0;
    int i = 0;
    for (; i + Long.SIZE <= rows; i += Long.SIZE) {
      long word = buffer.getLong(i >>> 3);
      sum += weight(firstRow + i) * Long.bitCount(word);
      for (int place = 0; place < WITH_BIT.length; place++) {
        sum += (2L << place) * Long.bitCount(word & WITH_BIT[place]);
      }
    }
    for (; i < rows; i++) {
      sum += weight(firstRow + i) * bits.get(i);
    }
    return sum;
  }

  private static long ofTexts(VarCharVector texts, int rows, long firstRow) {
    long ends = address(texts.getOffsetBuffer(), (rows + 1L) * Integer.BYTES);
    int start = MemoryUtil.getInt(ends);
    int last = MemoryUtil.getInt(ends + (long) rows * Integer.BYTES);
    long text = address(texts.getDataBuffer(), last);
    long sum = 0;
    for (int i = 0; i < rows; i++) {
      int end = MemoryUtil.getInt(ends + (i + 1L) * Integer.BYTES);
      if (start < 0 || end < start || end > last) {
        throw new IllegalStateException("the offsets of strings do not ascend");
      }
      sum += (hash(text + start, end - start) ^ VALID) * weight(firstRow + i);
      start = end;
    }
    return sum;
  }

  /** A number that depends on all bytes of a string; the last two words may overlap. */
  private static long hash(long address, int length) {
    long hash = length;
    if (length < Long.BYTES) {
      for (int i = 0; i < length; i++) {
        hash = Long.rotateLeft(hash, Byte.SIZE) + MemoryUtil.getByte(address + i);
      }
      return hash;
    }
    for (int i = 0; i < length - Long.BYTES; i += Long.BYTES) {
      hash = Long.rotateLeft(hash, 7) + MemoryUtil.getLong(address + i);
    }
    return Long.rotateLeft(hash, 7) + MemoryUtil.getLong(address + length - Long.BYTES);
  }

  /** Where a buffer is, which must have so many bytes: access by address checks nothing. */
  private static long address(ArrowBuf buffer, long bytes) {
    buffer.checkBytes(0, bytes);
    return buffer.memoryAddress();
  }
}
