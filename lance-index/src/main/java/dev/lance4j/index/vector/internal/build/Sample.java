package dev.lance4j.index.vector.internal.build;

import dev.lance4j.index.IndexProgress;
import dev.lance4j.index.vector.VectorColumn;
import dev.lance4j.index.vector.VectorSource;
import dev.lance4j.index.vector.internal.kmeans.Rows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * Vectors to learn from.
 *
 * @param count the number of vectors
 * @param floats one vector after the other; null for vectors of bits
 * @param bits the same for vectors of bits
 */
record Sample(int count, int dimension, float[] floats, byte[] bits) {
  /** The rows that have a list of vectors have about so many. */
  private static final int VECTORS_PER_LIST = 1030;

  private static final int FEWEST_LISTS = 128;

  /**
   * Reads vectors.
   *
   * @param most how many to take at most
   */
  static Sample read(
      VectorSource source, BatchDecoder decoder, long most, long seed, IndexProgress progress) {
    VectorColumn column = source.column();
    int dimension = column.dimension();
    long limit = Math.min(most, (Integer.MAX_VALUE - 8) / dimension);
    long rows =
        column.isMulti()
            ? Math.max(FEWEST_LISTS, (limit + VECTORS_PER_LIST - 1) / VECTORS_PER_LIST)
            : limit;
    boolean isBits = column.element().isBits();
    float[] floats = new float[0];
    byte[] bits = new byte[0];
    int count = 0;
    progress.advanced("reading a sample", 0, rows);
    try (ArrowReader reader = source.sample(rows, seed)) {
      while (count < limit && reader.loadNextBatch()) {
        VectorBatch batch = decoder.decode(reader.getVectorSchemaRoot());
        int taken = (int) Math.min(batch.count(), limit - count);
        int end = (count + taken) * dimension;
        if (isBits) {
          bits = bits.length < end ? Arrays.copyOf(bits, room(end, limit, dimension)) : bits;
          System.arraycopy(batch.bits(), 0, bits, count * dimension, taken * dimension);
        } else {
          floats =
              floats.length < end ? Arrays.copyOf(floats, room(end, limit, dimension)) : floats;
          System.arraycopy(batch.floats(), 0, floats, count * dimension, taken * dimension);
        }
        count += taken;
        progress.advanced("reading a sample", count, rows);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Sample(count, dimension, isBits ? null : floats, isBits ? bits : null);
  }

  private static int room(int needed, long limit, int dimension) {
    return (int) Math.min(limit * dimension, Math.max(needed, 2L * needed));
  }

  /** At most the first vectors, to be clustered. */
  Rows rows(long most) {
    return Rows.of(floats, count, dimension).first(most);
  }
}
