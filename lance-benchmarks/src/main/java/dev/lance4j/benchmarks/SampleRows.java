package dev.lance4j.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of all benchmarks: an ascending number, a title of two to six words, a random number
 * from 0 to 1, and a vector of 128 random floats. A row is a function of its position, so what a
 * read must give is known without keeping it.
 */
final class SampleRows {
  static final String ID = "id";
  static final String TITLE = "title";
  static final String SCORE = "score";
  static final String VECTOR = "vector";
  static final int DIMENSION = 128;
  static final Library.Contents CONTENTS =
      new Library.Contents(List.of(ID, TITLE, SCORE, VECTOR), Checksum::of);

  static final int BATCH_SIZE = 8192;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final String[] WORDS = {
    "amber",
    "autumn",
    "blue",
    "boat",
    "bridge",
    "candle",
    "city",
    "cloud",
    "copper",
    "dawn",
    "desert",
    "dream",
    "echo",
    "ember",
    "field",
    "fire",
    "forest",
    "garden",
    "ghost",
    "glass",
    "harbour",
    "heart",
    "hollow",
    "island",
    "lantern",
    "light",
    "midnight",
    "mirror",
    "moon",
    "mountain",
    "night",
    "ocean",
    "paper",
    "rain",
    "river",
    "road",
    "rose",
    "shadow",
    "silver",
    "sky",
    "snow",
    "song",
    "star",
    "stone",
    "storm",
    "summer",
    "sun",
    "thunder",
    "tide",
    "tower",
    "train",
    "valley",
    "velvet",
    "violet",
    "water",
    "wave",
    "west",
    "whisper",
    "wild",
    "wind",
    "window",
    "winter",
    "wolf",
    "wonder"
  };

  private SampleRows() {}

  static Schema schema() {
    ArrowType single = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
    ArrowType wide = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    return new Schema(
        List.of(
            Field.nullable(ID, new ArrowType.Int(64, true)),
            Field.nullable(TITLE, ArrowType.Utf8.INSTANCE),
            Field.nullable(SCORE, wide),
            new Field(
                VECTOR,
                FieldType.nullable(new ArrowType.FixedSizeList(DIMENSION)),
                List.of(Field.nullable("item", single)))));
  }

  /** The first rows in batches, which are the caller's to close. */
  static List<VectorSchemaRoot> batches(long rows, BufferAllocator allocator) {
    List<VectorSchemaRoot> batches = new ArrayList<>();
    for (long first = 0; first < rows; first += BATCH_SIZE) {
      batches.add(batch(first, 1, (int) Math.min(BATCH_SIZE, rows - first), allocator));
    }
    return batches;
  }

  /** One of every {@code step} of the first rows in batches, which are the caller's to close. */
  static List<VectorSchemaRoot> every(int step, long rows, BufferAllocator allocator) {
    List<VectorSchemaRoot> batches = new ArrayList<>();
    for (long first = 0; first < rows; first += (long) step * BATCH_SIZE) {
      int count = (int) Math.min(BATCH_SIZE, (rows - first + step - 1) / step);
      batches.add(batch(first, step, count, allocator));
    }
    return batches;
  }

  private static VectorSchemaRoot batch(long first, int step, int rows, BufferAllocator allocator) {
    VectorSchemaRoot batch = VectorSchemaRoot.create(schema(), allocator);
    fill(batch, first, step, rows);
    return batch;
  }

  /** Puts rows into a batch, the first of them and those that many steps after it. */
  static void fill(VectorSchemaRoot batch, long first, int step, int rows) {
    BigIntVector ids = (BigIntVector) batch.getVector(ID);
    VarCharVector titles = (VarCharVector) batch.getVector(TITLE);
    Float8Vector scores = (Float8Vector) batch.getVector(SCORE);
    FixedSizeListVector vectors = (FixedSizeListVector) batch.getVector(VECTOR);
    Float4Vector values = (Float4Vector) vectors.getDataVector();
    ids.allocateNew(rows);
    scores.allocateNew(rows);
    values.allocateNew(rows * DIMENSION);
    for (int i = 0; i < rows; i++) {
      long row = first + (long) i * step;
      ids.set(i, row);
      titles.setSafe(i, title(row));
      scores.set(i, score(row));
      vectors.setNotNull(i);
      setVector(values, i, row);
    }
    batch.setRowCount(rows);
  }

  /** Writes the vector of a row to a place among others. */
  static void setVector(Float4Vector values, int i, long row) {
    for (int d = 0; d < DIMENSION; d += 2) {
      long pair = pair(row, d);
      values.setSafe(i * DIMENSION + d, Float.intBitsToFloat((int) pair));
      values.setSafe(i * DIMENSION + d + 1, Float.intBitsToFloat((int) (pair >>> 32)));
    }
  }

  static byte[] title(long row) {
    long random = mix(row);
    int words = 2 + (int) Long.remainderUnsigned(random, 5);
    StringBuilder title = new StringBuilder();
    for (int i = 0; i < words; i++) {
      title.append(i == 0 ? "" : " ").append(WORDS[(int) (random >>> (8 + 6 * i)) & 63]);
    }
    return title.toString().getBytes(US_ASCII);
  }

  static double score(long row) {
    return (mix(~row) >>> 11) * 0x1p-53;
  }

  /** Two floats from -1 to 1, as they lie in memory. */
  private static long pair(long row, int dimension) {
    long random = mix(row * DIMENSION + dimension + GOLDEN);
    long low = Float.floatToRawIntBits((int) random * 0x1p-31f);
    long high = Float.floatToRawIntBits((int) (random >>> 32) * 0x1p-31f);
    return high << 32 | (low & 0xFFFFFFFFL);
  }

  private static long mix(long value) {
    long z = value * GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** What {@link Checksum} must give for the first rows. */
  static long checksumOfFirst(long rows) {
    long checksum = 0;
    for (long row = 0; row < rows; row++) {
      checksum = Checksum.next(checksum, rowChecksum(row));
    }
    return checksum;
  }

  /** What {@link Checksum} must give for rows in this order. */
  static long checksumOf(long[] rows) {
    long checksum = 0;
    for (long row : rows) {
      checksum = Checksum.next(checksum, rowChecksum(row));
    }
    return checksum;
  }

  /** What {@link Checksum} takes a row for. */
  static long rowChecksum(long row) {
    return rowChecksum(row, score(row));
  }

  /** As above, with another score. */
  static long rowChecksum(long row, double score) {
    byte[] title = title(row);
    long titleHash =
        Checksum.hash(ByteBuffer.wrap(title).order(ByteOrder.LITTLE_ENDIAN), 0, title.length);
    long vector = 0;
    for (int d = 0; d < DIMENSION; d += 2) {
      vector += pair(row, d);
    }
    return Checksum.ofRow(row, titleHash, Double.doubleToRawLongBits(score), vector);
  }
}
