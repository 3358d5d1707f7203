package dev.lance4j.index.vector.internal.quantize;

import dev.lance4j.index.vector.internal.kernel.Kernels;
import dev.lance4j.index.vector.internal.kernel.VectorKernels;
import dev.lance4j.index.vector.internal.storage.FloatMatrix;
import java.util.Arrays;

/**
 * A rotation by a matrix, as early indices have it.
 *
 * @param matrix square; the vector is padded with zeros to its size
 */
public record MatrixRotation(FloatMatrix matrix) implements Rotation {
  @Override
  public boolean sameAs(Rotation other) {
    return other instanceof MatrixRotation that
        && Arrays.equals(matrix.values(), that.matrix.values());
  }

  @Override
  public int codeDimension() {
    return matrix.rows();
  }

  @Override
  public void rotate(float[] vector, int from, int dimension, float[] out) {
    VectorKernels kernels = Kernels.get();
    for (int i = 0; i < matrix.rows(); i++) {
      out[i] = kernels.dot(vector, from, matrix.values(), matrix.at(i), dimension);
    }
  }
}
