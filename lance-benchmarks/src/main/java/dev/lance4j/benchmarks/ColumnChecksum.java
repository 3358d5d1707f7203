package dev.lance4j.benchmarks;

import dev.lance4j.format.testing.SampleColumn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.apache.arrow.memory.ArrowBuf;
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
      return ofWords(longs(values, rows * LIST_WORDS), rows * LIST_WORDS, firstRow * LIST_WORDS);
    }
    return ofWords(longs(vector.getDataBuffer(), rows), rows, firstRow);
  }

  private static long weight(long position) {
    return 2 * position + 1;
  }

  private static long ofWords(LongBuffer words, int count, long first) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += (words.get(i) ^ VALID) * weight(first + i);
    }
    return sum;
  }

  private static long ofNullable(BaseFixedWidthVector vector, int rows, long firstRow) {
    LongBuffer words = longs(vector.getDataBuffer(), rows);
    ByteBuffer validity = bytes(vector.getValidityBuffer(), (rows + 7) / 8);
    long sum = 0;
    for (int i = 0; i < rows; i++) {
      long valid = -(validity.get(i >>> 3) >>> (i & 7) & 1L);
      sum += ((words.get(i) ^ VALID) & valid) * weight(firstRow + i);
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
    IntBuffer ends = bytes(texts.getOffsetBuffer(), 4L * (rows + 1)).asIntBuffer();
    ByteBuffer text = bytes(texts.getDataBuffer(), ends.get(rows));
    long sum = 0;
    for (int i = 0; i < rows; i++) {
      sum += (Checksum.hash(text, ends.get(i), ends.get(i + 1)) ^ VALID) * weight(firstRow + i);
    }
    return sum;
  }

  private static LongBuffer longs(ArrowBuf buffer, int count) {
    return bytes(buffer, 8L * count).asLongBuffer();
  }

  private static ByteBuffer bytes(ArrowBuf buffer, long length) {
    return buffer.nioBuffer(0, Math.toIntExact(length)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
