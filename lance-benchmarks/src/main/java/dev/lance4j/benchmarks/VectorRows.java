package dev.lance4j.benchmarks;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of the benchmarks of searches: an ascending number, and a vector that lies around one of
 * some hundred centres, as embeddings do. A row is a function of its position.
 */
final class VectorRows {
  static final String ID = "id";
  static final String VECTOR = "vector";

  private static final int BATCH_ROWS = 4096;
  private static final int ROWS_OF_A_CENTRE = 500;
  private static final float SPREAD = 0.6f;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long QUERIES = 1L << 40;
  private static final long CENTRES = 1L << 41;

  private VectorRows() {}

  static Schema schema(int dimension) {
    return new Schema(
        List.of(
            Field.nullable(ID, new ArrowType.Int(64, true)),
            new Field(
                VECTOR,
                FieldType.nullable(new ArrowType.FixedSizeList(dimension)),
                List.of(
                    Field.nullable(
                        "item", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE))))));
  }

  /** Vectors like those of the rows, of which none is one of a row. */
  static float[][] queries(int count, long rows, int dimension) {
    float[][] queries = new float[count][dimension];
    for (int i = 0; i < count; i++) {
      fill(queries[i], QUERIES + i, rows);
    }
    return queries;
  }

  private static void fill(float[] vector, long row, long rows) {
    long centre = CENTRES + Long.remainderUnsigned(mixed(row), 1 + rows / ROWS_OF_A_CENTRE);
    for (int d = 0; d < vector.length; d++) {
      vector[d] = bell(centre, d) + SPREAD * bell(row, d);
    }
  }

  /** A number around 0, of which numbers far from 0 are rare. */
  private static float bell(long row, int d) {
    long bits = mixed(row * 1024 + d);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
      sum += (int) (bits >>> (16 * i)) & 0xFFFF;
    }
    return (sum - 2 * 0xFFFF) / (float) 0xFFFF;
  }

  private static long mixed(long value) {
    long z = (value + 1) * GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Makes all rows, batch by batch. */
  static ArrowReader reader(long rows, int dimension, BufferAllocator allocator) {
    return new Reader(rows, dimension, allocator);
  }

  /** The numbers of all rows of a reader, in their order. */
  static long[] ids(ArrowReader reader) throws IOException {
    VectorSchemaRoot batch = reader.getVectorSchemaRoot();
    long[] ids = new long[0];
    while (reader.loadNextBatch()) {
      BigIntVector numbers = (BigIntVector) batch.getVector(ID);
      int known = ids.length;
      ids = Arrays.copyOf(ids, known + batch.getRowCount());
      for (int i = 0; i < batch.getRowCount(); i++) {
        ids[known + i] = numbers.get(i);
      }
    }
    return ids;
  }

  private static final class Reader extends GeneratedRows {
    private final long rows;
    private final float[] vector;

    Reader(long rows, int dimension, BufferAllocator allocator) {
      super(schema(dimension), rows, BATCH_ROWS, allocator);
      this.rows = rows;
      this.vector = new float[dimension];
    }

    @Override
    void fill(VectorSchemaRoot batch, long first, int count) {
      BigIntVector ids = (BigIntVector) batch.getVector(ID);
      FixedSizeListVector vectors = (FixedSizeListVector) batch.getVector(VECTOR);
      Float4Vector items = (Float4Vector) vectors.getDataVector();
      ids.allocateNew(count);
      vectors.setInitialCapacity(count);
      vectors.allocateNew();
      items.allocateNew(count * vector.length);
      for (int i = 0; i < count; i++) {
        ids.set(i, first + i);
        vectors.setNotNull(i);
        VectorRows.fill(vector, first + i, rows);
        for (int d = 0; d < vector.length; d++) {
          items.set(i * vector.length + d, vector[d]);
        }
      }
    }
  }
}
