package dev.lance4j.index.vector.internal.storage;

import com.google.protobuf.ByteString;
import dev.lance4j.format.CorruptFileException;
import dev.lance4j.format.proto.index.IndexProto.IVF;
import dev.lance4j.format.proto.index.IndexProto.Tensor;
import dev.lance4j.index.vector.VectorElement;
import java.util.Arrays;

/**
 * The centroids of a segment's partitions: numbers, or vectors of bits.
 *
 * @param element what they are stored as
 * @param count the number of partitions
 * @param dimension in components, which for vectors of bits are bytes
 * @param floats row after row; null for vectors of bits
 * @param bits row after row; null unless they are vectors of bits
 */
public record Centroids(
    VectorElement element, int count, int dimension, float[] floats, byte[] bits) {

  /** Centroids of numbers. */
  public static Centroids of(VectorElement element, int count, int dimension, float[] values) {
    return new Centroids(element, count, dimension, values, null);
  }

  /** Centroids of bits. */
  public static Centroids ofBits(int count, int bytes, byte[] values) {
    return new Centroids(VectorElement.UINT8, count, bytes, null, values);
  }

  /**
   * Reads centroids of as many partitions as there are lengths.
   *
   * @throws CorruptFileException if the number is another one
   */
  static Centroids read(IVF message, int partitions, String path) {
    Centroids centroids =
        message.hasCentroidsTensor()
            ? ofTensor(message.getCentroidsTensor(), path)
            : ofList(message, partitions, path);
    if (centroids.count != partitions || (partitions > 0 && centroids.dimension == 0)) {
      throw new CorruptFileException(
          path,
          -1,
          String.format(
              "there are %d centroids of dimension %d for %d partitions",
              centroids.count, centroids.dimension, partitions));
    }
    return centroids;
  }

  private static Centroids ofTensor(Tensor tensor, String path) {
    VectorElement element = Tensors.element(tensor, path);
    if (element.isBits()) {
      byte[] bits = Tensors.bits(tensor, path);
      return ofBits(Tensors.rows(tensor, path), Tensors.columns(tensor, path), bits);
    }
    FloatMatrix values = Tensors.floats(tensor, path);
    return of(element, values.rows(), values.columns(), values.values());
  }

  @SuppressWarnings("deprecation") // early files have nothing else
  private static Centroids ofList(IVF message, int partitions, String path) {
    int values = message.getCentroidsCount();
    if (partitions == 0 || values % partitions != 0) {
      throw new CorruptFileException(
          path, -1, values + " values are not the centroids of " + partitions + " partitions");
    }
    float[] floats = new float[values];
    for (int i = 0; i < values; i++) {
      floats[i] = message.getCentroids(i);
    }
    return of(VectorElement.FLOAT32, partitions, values / partitions, floats);
  }

  /** The message of them. */
  public Tensor message() {
    return bits == null
        ? Tensors.message(element, count, dimension, floats)
        : Tensor.newBuilder()
            .setDataType(Tensor.DataType.UINT8)
            .addShape(count)
            .addShape(dimension)
            .setData(ByteString.copyFrom(bits))
            .build();
  }

  /** Whether the centroids are those of another segment, bit for bit. */
  public boolean sameAs(Centroids that) {
    return count == that.count
        && dimension == that.dimension
        && Arrays.equals(floats, that.floats)
        && Arrays.equals(bits, that.bits);
  }
}
