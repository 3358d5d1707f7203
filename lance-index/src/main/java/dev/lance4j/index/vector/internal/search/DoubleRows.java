package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.internal.kernel.Kernels;
import dev.lance4j.index.vector.internal.kernel.VectorKernels;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Vectors in double precision. */
public final class DoubleRows implements VectorRows {
  private static final VectorKernels KERNELS = Kernels.get();

  private final Chunks chunks;
  private final double[][] values;

  DoubleRows(int rows, int dimension) {
    this.chunks = Chunks.of(rows, dimension);
    this.values = new double[chunks.count()][];
    for (int c = 0; c < values.length; c++) {
      values[c] = new double[chunks.rowsOf(c) * dimension];
    }
  }

  @Override
  public void set(int first, int count, ByteBuffer bytes) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    for (int done = 0; done < count; ) {
      int row = first + done;
      int together = chunks.together(row, count - done);
      in.position(done * chunks.width() * Double.BYTES);
      in.slice()
          .order(ByteOrder.LITTLE_ENDIAN)
          .asDoubleBuffer()
          .get(values[chunks.chunk(row)], chunks.at(row), together * chunks.width());
      done += together;
    }
  }

  @Override
  public void copy(int row, byte[] out, int at) {
    ByteBuffer to = ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN);
    to.position(at);
    to.asDoubleBuffer().put(values[chunks.chunk(row)], chunks.at(row), chunks.width());
  }

  @Override
  public RowScorer scorerOf(Metric metric, int row) {
    double[] query = new double[chunks.width()];
    System.arraycopy(values[chunks.chunk(row)], chunks.at(row), query, 0, query.length);
    return new Scorer(metric, query);
  }

  @Override
  public float between(Metric metric, int a, int b) {
    return scorerOf(metric, a).score(b);
  }

  @Override
  public RowScorer scorer(Metric metric, QueryVector query) {
    return new Scorer(metric, query.doubles());
  }

  @Override
  public long memoryBytes() {
    return (long) Double.BYTES * chunks.rows() * chunks.width();
  }

  private final class Scorer extends RowScorer {
    private final Metric metric;
    private final double[] query;
    private final double queryNorm;
    private final double[] product = new double[1];
    private final float[] one = new float[1];

    Scorer(Metric metric, double[] query) {
      this.metric = metric;
      this.query = query;
      KERNELS.dot(query, query, 0, 1, product, 0);
      this.queryNorm = Math.sqrt(product[0]);
    }

    @Override
    public float score(int row) {
      score(row, 1, one);
      return one[0];
    }

    @Override
    public void score(int first, int count, float[] out) {
      for (int done = 0; done < count; ) {
        int row = first + done;
        int together = chunks.together(row, count - done);
        double[] chunk = values[chunks.chunk(row)];
        switch (metric) {
          case L2 -> KERNELS.l2(query, chunk, chunks.at(row), together, out, done);
          case DOT -> dot(chunk, row, together, out, done);
          case COSINE -> cosine(chunk, row, together, out, done);
          case HAMMING -> throw new IllegalArgumentException("numbers have no Hamming distance");
        }
        done += together;
      }
    }

    private void dot(double[] chunk, int row, int count, float[] out, int at) {
      for (int i = 0; i < count; i++) {
        KERNELS.dot(query, chunk, chunks.at(row + i), 1, product, 0);
        out[at + i] = (float) (1 - product[0]);
      }
    }

    private void cosine(double[] chunk, int row, int count, float[] out, int at) {
      for (int i = 0; i < count; i++) {
        int from = chunks.at(row + i);
        double squares = 0;
        for (int d = 0; d < query.length; d++) {
          squares += chunk[from + d] * chunk[from + d];
        }
        KERNELS.dot(query, chunk, from, 1, product, 0);
        out[at + i] = (float) (1 - product[0] / (queryNorm * Math.sqrt(squares)));
      }
    }
  }
}
