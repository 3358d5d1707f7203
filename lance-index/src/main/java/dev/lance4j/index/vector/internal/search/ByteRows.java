package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.internal.kernel.Kernels;
import dev.lance4j.index.vector.internal.kernel.VectorKernels;
import java.nio.ByteBuffer;

/**
 * Rows of bytes: vectors of bits, or codes. Codes that are computed with may be shifted by 128, as
 * kernels take signed bytes.
 */
public final class ByteRows implements VectorRows {
  /** What takes an unsigned byte to the signed one that is less by 128. */
  static final int SHIFT = 0x80;

  private static final VectorKernels KERNELS = Kernels.get();

  private final boolean shifted;
  private final Chunks chunks;
  private final byte[][] values;

  /**
   * Room for rows.
   *
   * @param shifted whether bytes are kept less by 128
   */
  ByteRows(int rows, int width, boolean shifted) {
    this.shifted = shifted;
    this.chunks = Chunks.of(rows, width);
    this.values = new byte[chunks.count()][];
    for (int c = 0; c < values.length; c++) {
      values[c] = new byte[chunks.rowsOf(c) * width];
    }
  }

  Chunks chunks() {
    return chunks;
  }

  /** The array that holds a row, which starts at {@code chunks().at(row)}. */
  byte[] array(int row) {
    return values[chunks.chunk(row)];
  }

  @Override
  public void set(int first, int count, ByteBuffer bytes) {
    ByteBuffer in = bytes.slice();
    for (int done = 0; done < count; ) {
      int row = first + done;
      int together = chunks.together(row, count - done);
      byte[] to = array(row);
      int at = chunks.at(row);
      int length = together * chunks.width();
      in.get(to, at, length);
      if (shifted) {
        for (int i = at; i < at + length; i++) {
          to[i] = (byte) (to[i] ^ SHIFT);
        }
      }
      done += together;
    }
  }

  @Override
  public void copy(int row, byte[] out, int at) {
    System.arraycopy(array(row), chunks.at(row), out, at, chunks.width());
    for (int i = at; shifted && i < at + chunks.width(); i++) {
      out[i] = (byte) (out[i] ^ SHIFT);
    }
  }

  /** Copies one row as it is kept. */
  void get(int row, byte[] out) {
    System.arraycopy(array(row), chunks.at(row), out, 0, chunks.width());
  }

  @Override
  public RowScorer scorer(Metric metric, QueryVector query) {
    return new Hamming(query.bits());
  }

  @Override
  public float between(Metric metric, int a, int b) {
    return KERNELS.hamming(array(a), chunks.at(a), array(b), chunks.at(b), chunks.width());
  }

  @Override
  public RowScorer scorerOf(Metric metric, int row) {
    byte[] query = new byte[chunks.width()];
    get(row, query);
    return new Hamming(query);
  }

  @Override
  public long memoryBytes() {
    return (long) chunks.rows() * chunks.width();
  }

  private final class Hamming extends RowScorer {
    private final byte[] query;

    Hamming(byte[] query) {
      this.query = query;
    }

    @Override
    public float score(int row) {
      return KERNELS.hamming(query, 0, array(row), chunks.at(row), query.length);
    }

    @Override
    public void score(int first, int count, float[] out) {
      for (int i = 0; i < count; i++) {
        out[i] = score(first + i);
      }
    }
  }
}
