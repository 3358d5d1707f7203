package dev.lance4j.index.vector.internal.search;

import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.internal.kernel.CodeTables;
import dev.lance4j.index.vector.internal.quantize.ProductQuantizer;

/** A partition that has codes of parts. */
public final class ProductPartition extends Partition {
  private final ProductQuantizer quantizer;
  private final ColumnCodes columns;
  private final ByteRows rows;

  /** A partition that is scanned. */
  ProductPartition(long[] rowIds, ProductQuantizer quantizer, ColumnCodes codes) {
    super(rowIds);
    this.quantizer = quantizer;
    this.columns = codes;
    this.rows = null;
  }

  /** A partition with a graph, of which single rows are wanted. */
  ProductPartition(long[] rowIds, ProductQuantizer quantizer, ByteRows codes) {
    super(rowIds);
    this.quantizer = quantizer;
    this.columns = null;
    this.rows = codes;
  }

  @Override
  public RowScorer scorer(Metric metric, QueryVector query, float[] centroids, int at) {
    boolean dot = metric == Metric.DOT;
    float[] vector = dot ? query.floats() : residual(query.floats(), centroids, at);
    return scorer(dot, vector);
  }

  @Override
  public RowScorer scorerOf(Metric metric, int row) {
    byte[] code = new byte[quantizer.codeBytes()];
    copyCode(row, code, 0);
    float[] vector = new float[quantizer.dimension()];
    quantizer.decode(code, 0, vector, 0);
    return scorer(metric == Metric.DOT, vector);
  }

  private RowScorer scorer(boolean dot, float[] vector) {
    float[] tables = quantizer.tables(dot, vector);
    float offset = dot ? 1 : 0;
    return rows == null ? new OfColumns(tables, offset) : new OfRows(tables, offset);
  }

  @Override
  public float between(Metric metric, int a, int b) {
    boolean dot = metric == Metric.DOT;
    float offset = dot ? 1 : 0;
    if (rows != null) {
      return offset
          + quantizer.between(
              dot, rows.array(a), rows.chunks().at(a), rows.array(b), rows.chunks().at(b));
    }
    byte[] codes = new byte[2 * quantizer.codeBytes()];
    columns.getRow(a, codes, 0);
    columns.getRow(b, codes, quantizer.codeBytes());
    return offset + quantizer.between(dot, codes, 0, codes, quantizer.codeBytes());
  }

  @Override
  public void copyCode(int row, byte[] out, int at) {
    if (rows != null) {
      rows.copy(row, out, at);
    } else {
      columns.getRow(row, out, at);
    }
  }

  @Override
  public long memoryBytes() {
    return super.memoryBytes() + (rows == null ? columns.memoryBytes() : rows.memoryBytes());
  }

  private final class OfColumns extends RowScorer {
    private final float[] tables;
    private final float offset;

    OfColumns(float[] tables, float offset) {
      this.tables = tables;
      this.offset = offset;
    }

    @Override
    public float score(int row) {
      return columns.sum(tables, row) + offset;
    }

    @Override
    public void score(int first, int count, float[] out) {
      columns.sum(tables, first, count, out);
      for (int i = 0; i < count; i++) {
        out[i] += offset;
      }
    }
  }

  private final class OfRows extends RowScorer {
    private final float[] tables;
    private final float offset;

    OfRows(float[] tables, float offset) {
      this.tables = tables;
      this.offset = offset;
    }

    @Override
    public float score(int row) {
      int at = rows.chunks().at(row);
      return CodeTables.sumRow(tables, quantizer.codeBytes(), rows.array(row), at) + offset;
    }

    @Override
    public void score(int first, int count, float[] out) {
      for (int i = 0; i < count; i++) {
        out[i] = score(first + i);
      }
    }
  }
}
