package dev.lance4j.index.vector;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Vectors in memory, as sources of indices and for the naive truth. */
final class VectorFixtures {
  /** Row {@code i} has this id and {@code i} more. */
  static final long FIRST_ROW_ID = 1_000;

  private VectorFixtures() {}

  /** Vectors around some centres. */
  static float[][] clustered(int rows, int dimension, int clusters, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] vectors = new float[rows][dimension];
    float[][] centers = new float[clusters][dimension];
    for (float[] center : centers) {
      for (int d = 0; d < dimension; d++) {
        center[d] = (float) (random.nextGaussian() * 2);
      }
    }
    for (float[] vector : vectors) {
      float[] center = centers[random.nextInt(clusters)];
      for (int d = 0; d < dimension; d++) {
        vector[d] = center[d] + (float) random.nextGaussian();
      }
    }
    return vectors;
  }

  /** The exact distance of two vectors. */
  static double distance(Metric metric, float[] a, float[] b) {
    double dot = 0;
    double squares = 0;
    double normA = 0;
    double normB = 0;
    int bits = 0;
    for (int d = 0; d < a.length; d++) {
      dot += (double) a[d] * b[d];
      squares += ((double) a[d] - b[d]) * ((double) a[d] - b[d]);
      normA += (double) a[d] * a[d];
      normB += (double) b[d] * b[d];
      bits += Integer.bitCount(((int) a[d] ^ (int) b[d]) & 0xFF);
    }
    return switch (metric) {
      case L2 -> squares;
      case DOT -> 1 - dot;
      case COSINE -> 1 - dot / Math.sqrt(normA * normB);
      case HAMMING -> bits;
    };
  }

  private static Field item(VectorElement element) {
    ArrowType type =
        switch (element) {
          case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
          case UINT8 -> new ArrowType.Int(8, false);
          case INT8 -> new ArrowType.Int(8, true);
          default -> throw new IllegalArgumentException(element.name());
        };
    return Field.nullable("item", type);
  }

  /** A source of vectors; null ones are null. */
  record Source(VectorElement element, float[][] vectors, int batchSize, BufferAllocator allocator)
      implements VectorSource {
    @Override
    public VectorColumn column() {
      return VectorColumn.of(field());
    }

    private Field field() {
      return new Field(
          "v",
          FieldType.nullable(new ArrowType.FixedSizeList(dimension())),
          List.of(item(element)));
    }

    private int dimension() {
      for (float[] vector : vectors) {
        if (vector != null) {
          return vector.length;
        }
      }
      throw new IllegalArgumentException("there is no vector");
    }

    @Override
    public long rowCount() {
      return vectors.length;
    }

    @Override
    public ArrowReader sample(long rows, long seed) {
      return scan();
    }

    @Override
    public ArrowReader scan() {
      Schema schema =
          new Schema(
              List.of(Field.nullable("_rowid", new ArrowType.Int(Long.SIZE, false)), field()));
      return new Batches(schema);
    }

    private final class Batches extends ArrowReader {
      private final Schema schema;
      private int done;

      Batches(Schema schema) {
        super(Source.this.allocator);
        this.schema = schema;
      }

      @Override
      public boolean loadNextBatch() throws IOException {
        prepareLoadNextBatch();
        VectorSchemaRoot root = getVectorSchemaRoot();
        root.clear();
        int rows = Math.min(batchSize, vectors.length - done);
        if (rows == 0) {
          return false;
        }
        root.allocateNew();
        UInt8Vector ids = (UInt8Vector) root.getVector(0);
        FixedSizeListVector lists = (FixedSizeListVector) root.getVector(1);
        for (int r = 0; r < rows; r++) {
          ids.setSafe(r, FIRST_ROW_ID + done + r);
          float[] vector = vectors[done + r];
          if (vector == null) {
            lists.setNull(r);
            continue;
          }
          lists.startNewValue(r);
          for (int d = 0; d < vector.length; d++) {
            set(lists.getDataVector(), r * vector.length + d, vector[d]);
          }
        }
        root.setRowCount(rows);
        done += rows;
        return true;
      }

      @Override
      public long bytesRead() {
        return 0;
      }

      @Override
      protected void closeReadSource() {}

      @Override
      protected Schema readSchema() {
        return schema;
      }
    }
  }

  private static void set(FieldVector items, int i, float value) {
    if (items instanceof Float4Vector floats) {
      floats.setSafe(i, value);
    } else if (items instanceof UInt1Vector unsigned) {
      unsigned.setSafe(i, (byte) (int) value);
    } else {
      ((TinyIntVector) items).setSafe(i, (byte) value);
    }
  }
}
