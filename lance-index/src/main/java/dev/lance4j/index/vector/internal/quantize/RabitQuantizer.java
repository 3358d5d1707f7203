package dev.lance4j.index.vector.internal.quantize;

import dev.lance4j.index.vector.internal.kernel.CodeTables;
import dev.lance4j.index.vector.internal.kernel.Kernels;
import dev.lance4j.index.vector.internal.kernel.VectorKernels;

/**
 * The signs of a vector's components once the centroid of its partition is taken off and the rest
 * is rotated, and two numbers with which distances are estimated from them.
 *
 * @param dimension of the vectors
 * @param bits the rotated vector has so many components for each of the vector's
 * @param rotation with {@code dimension * bits} components
 */
public record RabitQuantizer(int dimension, int bits, Rotation rotation) implements Quantizer {
  @Override
  public boolean sameAs(Quantizer other) {
    return other instanceof RabitQuantizer that
        && dimension == that.dimension
        && bits == that.bits
        && rotation.sameAs(that.rotation);
  }

  @Override
  public int codeBytes() {
    return rotation.codeDimension() / Byte.SIZE;
  }

  /**
   * The code of a vector, and its factors.
   *
   * @param dot whether the metric is the dot product
   * @param vector unit length for the cosine metric
   * @param centroid of its partition, from {@code centroidFrom} on
   * @param scratch of {@code dimension + codeDimension} values
   * @param code takes {@link #codeBytes} bytes, from {@code at} on
   * @param factors takes what is added to an estimate and what it is multiplied with, from {@code
   *     factorsAt} on
   */
  public void encode(
      boolean dot,
      float[] vector,
      int from,
      float[] centroid,
      int centroidFrom,
      float[] scratch,
      byte[] code,
      int at,
      float[] factors,
      int factorsAt) {
    float[] rotated = new float[rotation.codeDimension()];
    for (int d = 0; d < dimension; d++) {
      scratch[d] = vector[from + d] - centroid[centroidFrom + d];
    }
    VectorKernels kernels = Kernels.get();
    float squaredNorm = kernels.dot(scratch, 0, scratch, 0, dimension);
    rotation.rotate(scratch, 0, dimension, rotated);
    double magnitudes = setSigns(rotated, code, at);
    double product = magnitudes / Math.sqrt(rotated.length);
    double scale = product == 0 ? 0 : -squaredNorm / product;
    if (dot) {
      float withCentroid = kernels.dot(vector, from, centroid, centroidFrom, dimension);
      float centroidNorm = kernels.dot(centroid, centroidFrom, centroid, centroidFrom, dimension);
      factors[factorsAt] = 1 - withCentroid + centroidNorm;
      factors[factorsAt + 1] = (float) scale;
    } else {
      factors[factorsAt] = squaredNorm;
      factors[factorsAt + 1] = (float) (2 * scale);
    }
  }

  /** Sets the bit of each component that has no minus sign; the sum of all magnitudes. */
  private static double setSigns(float[] rotated, byte[] code, int at) {
    double magnitudes = 0;
    for (int b = 0; b < rotated.length / Byte.SIZE; b++) {
      int bits = 0;
      for (int i = 0; i < Byte.SIZE; i++) {
        float value = rotated[b * Byte.SIZE + i];
        magnitudes += Math.abs(value);
        bits |= (~Float.floatToRawIntBits(value) >>> 31) << i;
      }
      code[at + b] = (byte) bits;
    }
    return magnitudes;
  }

  /**
   * What each byte of a code adds to the estimated product with a vector.
   *
   * @param residual the vector less the centroid of the partition
   * @return a table of 256 entries for each byte of a code, whose sums are the estimate
   */
  public float[] tables(float[] residual) {
    float[] rotated = new float[rotation.codeDimension()];
    rotation.rotate(residual, 0, dimension, rotated);
    double sum = 0;
    for (float value : rotated) {
      sum += value;
    }
    double root = Math.sqrt(rotated.length);
    float[] tables = new float[codeBytes() * CodeTables.ENTRIES];
    for (int b = 0; b < codeBytes(); b++) {
      fill(rotated, b * Byte.SIZE, (float) (2 / root), tables, b * CodeTables.ENTRIES);
    }
    float offset = (float) (-sum / root);
    for (int entry = 0; entry < CodeTables.ENTRIES; entry++) {
      tables[entry] += offset;
    }
    return tables;
  }

  /** The sums of the components whose bits are set, for all values of a byte. */
  private static void fill(float[] rotated, int from, float factor, float[] tables, int at) {
    for (int bit = 0; bit < Byte.SIZE; bit++) {
      float value = rotated[from + bit] * factor;
      int known = 1 << bit;
      for (int entry = 0; entry < known; entry++) {
        tables[at + known + entry] = tables[at + entry] + value;
      }
    }
  }
}
