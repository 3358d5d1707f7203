package dev.lance4j.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * A number that depends on all bytes of {@link SampleRows} and their order, but not on how they are
 * cut into batches. Taking it touches all that was delivered, whether or not it was copied, and is
 * cheap beside reading it.
 */
final class Checksum {
  private static final int WORDS = SampleRows.DIMENSION / 2;

  private Checksum() {}

  /** Reads to the end. */
  static long of(ArrowReader reader) throws IOException {
    VectorSchemaRoot batch = reader.getVectorSchemaRoot();
    long checksum = 0;
    while (reader.loadNextBatch()) {
      checksum = add(checksum, batch);
    }
    return checksum;
  }

  private static long add(long before, VectorSchemaRoot batch) {
    LongBuffer checksums = ofRows(batch);
    long checksum = before;
    for (int i = 0; i < batch.getRowCount(); i++) {
      checksum = next(checksum, checksums.get(i));
    }
    return checksum;
  }

  /** What each row of a batch adds. */
  static LongBuffer ofRows(VectorSchemaRoot batch) {
    int rows = batch.getRowCount();
    BigIntVector ids = (BigIntVector) batch.getVector(SampleRows.ID);
    VarCharVector titles = (VarCharVector) batch.getVector(SampleRows.TITLE);
    Float8Vector scores = (Float8Vector) batch.getVector(SampleRows.SCORE);
    FixedSizeListVector vectors = (FixedSizeListVector) batch.getVector(SampleRows.VECTOR);
    if (ids.getNullCount() + titles.getNullCount() > 0
        || scores.getNullCount() + vectors.getNullCount() > 0) {
      throw new IllegalStateException("there are nulls where none were written");
    }
    LongBuffer id = bytes(ids.getDataBuffer(), 8L * rows).asLongBuffer();
    IntBuffer ends = bytes(titles.getOffsetBuffer(), 4L * (rows + 1)).asIntBuffer();
    ByteBuffer text = bytes(titles.getDataBuffer(), ends.get(rows));
    LongBuffer score = bytes(scores.getDataBuffer(), 8L * rows).asLongBuffer();
    ArrowBuf values = vectors.getDataVector().getDataBuffer();
    LongBuffer words = bytes(values, 8L * WORDS * rows).asLongBuffer();
    LongBuffer checksums = LongBuffer.allocate(rows);
    for (int i = 0; i < rows; i++) {
      long title = hash(text, ends.get(i), ends.get(i + 1));
      checksums.put(i, ofRow(id.get(i), title, score.get(i), sum(words, i * WORDS)));
    }
    return checksums;
  }

  private static ByteBuffer bytes(ArrowBuf buffer, long length) {
    return buffer.nioBuffer(0, Math.toIntExact(length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A number that depends on all bytes of a string, whose order is little-endian. */
  static long hash(ByteBuffer text, int start, int end) {
    long hash = 0;
    int i = start;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      hash = 31 * hash + text.getLong(i);
    }
    for (; i < end; i++) {
      hash = 31 * hash + text.get(i);
    }
    return hash;
  }

  private static long sum(LongBuffer words, int start) {
    long sum = 0;
    for (int i = start; i < start + WORDS; i++) {
      sum += words.get(i);
    }
    return sum;
  }

  /**
   * What a row adds.
   *
   * @param title its {@link #hash}
   * @param score its bits
   * @param vector the sum of its 64-bit words
   */
  static long ofRow(long id, long title, long score, long vector) {
    return (id * 0x9E3779B97F4A7C15L)
        ^ (title * 0xC2B2AE3D27D4EB4FL)
        ^ (score * 0xBF58476D1CE4E5B9L)
        ^ vector;
  }

  static long next(long checksum, long row) {
    return 31 * checksum + row;
  }
}
