package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.internal.kernel.Kernels;
import dev.lance4j.index.vector.internal.kernel.VectorKernels;
import dev.lance4j.index.vector.internal.storage.Elements;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Vectors in single precision, or stored in half of it. */
public final class FloatRows implements VectorRows {
  private static final VectorKernels KERNELS = Kernels.get();

  private final VectorElement element;
  private final Chunks chunks;
  private final float[][] values;

  FloatRows(VectorElement element, int rows, int dimension) {
    this.element = element;
    this.chunks = Chunks.of(rows, dimension);
    this.values = new float[chunks.count()][];
    for (int c = 0; c < values.length; c++) {
      values[c] = new float[chunks.rowsOf(c) * dimension];
    }
  }

  @Override
  public void set(int first, int count, ByteBuffer bytes) {
    ByteBuffer in = bytes.slice();
    int rowBytes = chunks.width() * element.bytes();
    for (int done = 0; done < count; ) {
      int row = first + done;
      int together = chunks.together(row, count - done);
      in.position(done * rowBytes);
      Elements.toFloats(
          element, in, values[chunks.chunk(row)], chunks.at(row), together * chunks.width());
      done += together;
    }
  }

  @Override
  public void copy(int row, byte[] out, int at) {
    ByteBuffer to = ByteBuffer.wrap(out);
    to.position(at);
    Elements.fromFloats(element, values[chunks.chunk(row)], chunks.at(row), chunks.width(), to);
  }

  /** Copies one row. */
  void get(int row, float[] out) {
    System.arraycopy(values[chunks.chunk(row)], chunks.at(row), out, 0, chunks.width());
  }

  @Override
  public RowScorer scorerOf(Metric metric, int row) {
    float[] query = new float[chunks.width()];
    get(row, query);
    return scorer(metric, query);
  }

  @Override
  public float between(Metric metric, int a, int b) {
    float[] rowA = values[chunks.chunk(a)];
    float[] rowB = values[chunks.chunk(b)];
    int atA = chunks.at(a);
    int atB = chunks.at(b);
    int dimension = chunks.width();
    if (metric == Metric.L2) {
      return KERNELS.l2(rowA, atA, rowB, atB, dimension);
    }
    float product = KERNELS.dot(rowA, atA, rowB, atB, dimension);
    if (metric == Metric.DOT) {
      return 1 - product;
    }
    double squares =
        (double) KERNELS.dot(rowA, atA, rowA, atA, dimension)
            * KERNELS.dot(rowB, atB, rowB, atB, dimension);
    return (float) (1 - product / Math.sqrt(squares));
  }

  @Override
  public RowScorer scorer(Metric metric, QueryVector query) {
    return scorer(metric, query.floats());
  }

  private RowScorer scorer(Metric metric, float[] query) {
    return switch (metric) {
      case L2 -> new L2(query);
      case DOT -> new Dot(query);
      case COSINE -> new Cosine(query);
      case HAMMING -> throw new IllegalArgumentException("numbers have no Hamming distance");
    };
  }

  @Override
  public long memoryBytes() {
    return (long) Float.BYTES * chunks.rows() * chunks.width();
  }

  private final class L2 extends RowScorer {
    private final float[] query;

    L2(float[] query) {
      this.query = query;
    }

    @Override
    public float score(int row) {
      return KERNELS.l2(query, 0, values[chunks.chunk(row)], chunks.at(row), query.length);
    }

    @Override
    public void score(int first, int count, float[] out) {
      for (int done = 0; done < count; ) {
        int row = first + done;
        int together = chunks.together(row, count - done);
        KERNELS.l2(query, values[chunks.chunk(row)], chunks.at(row), together, out, done);
        done += together;
      }
    }
  }

  private final class Dot extends RowScorer {
    private final float[] query;

    Dot(float[] query) {
      this.query = query;
    }

    @Override
    public float score(int row) {
      return 1 - KERNELS.dot(query, 0, values[chunks.chunk(row)], chunks.at(row), query.length);
    }

    @Override
    public void score(int first, int count, float[] out) {
      products(query, first, count, out);
      for (int i = 0; i < count; i++) {
        out[i] = 1 - out[i];
      }
    }
  }

  private void products(float[] query, int first, int count, float[] out) {
    for (int done = 0; done < count; ) {
      int row = first + done;
      int together = chunks.together(row, count - done);
      KERNELS.dot(query, values[chunks.chunk(row)], chunks.at(row), together, out, done);
      done += together;
    }
  }

  private final class Cosine extends RowScorer {
    private final float[] query;
    private final float queryNorm;
    private float[] norms = {};

    Cosine(float[] query) {
      this.query = query;
      this.queryNorm = (float) Math.sqrt(KERNELS.dot(query, 0, query, 0, query.length));
    }

    @Override
    public float score(int row) {
      float[] chunk = values[chunks.chunk(row)];
      int at = chunks.at(row);
      float norm = (float) Math.sqrt(KERNELS.dot(chunk, at, chunk, at, query.length));
      return 1 - KERNELS.dot(query, 0, chunk, at, query.length) / (queryNorm * norm);
    }

    @Override
    public void score(int first, int count, float[] out) {
      if (norms.length < count) {
        norms = Arrays.copyOf(norms, count);
      }
      products(query, first, count, out);
      for (int done = 0; done < count; ) {
        int row = first + done;
        int together = chunks.together(row, count - done);
        KERNELS.squaredNorms(
            values[chunks.chunk(row)], chunks.at(row), together, query.length, norms, done);
        done += together;
      }
      for (int i = 0; i < count; i++) {
        out[i] = 1 - out[i] / (queryNorm * (float) Math.sqrt(norms[i]));
      }
    }
  }
}
