package dev.lance4j.index.vector.internal.quantize;

import dev.lance4j.format.InvalidInputException;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Four rounds of random changes of sign, each followed by a Walsh-Hadamard transform. Takes as many
 * steps as there are components, times the logarithm of that.
 */
public final class FastRotation implements Rotation {
  /** The number of rounds. */
  private static final int ROUNDS = 4;

  private final int codeDimension;
  private final byte[] signs;

  /**
   * A rotation.
   *
   * @param signs a bit for each component in each round, the rounds one after the other, each
   *     starting with a byte of its own
   */
  public FastRotation(int codeDimension, byte[] signs) {
    if (signs.length != signBytes(codeDimension)) {
      throw new InvalidInputException(
          String.format(
              "a rotation of %d components has %d bytes of signs, not %d",
              codeDimension, signBytes(codeDimension), signs.length));
    }
    this.codeDimension = codeDimension;
    this.signs = signs;
  }

  /** A rotation with random signs. */
  public static FastRotation random(int codeDimension, SplittableRandom random) {
    byte[] signs = new byte[signBytes(codeDimension)];
    random.nextBytes(signs);
    return new FastRotation(codeDimension, signs);
  }

  private static int signBytes(int codeDimension) {
    return ROUNDS * ((codeDimension + Byte.SIZE - 1) / Byte.SIZE);
  }

  /** The bits that say which components change their signs; not to be changed. */
  public byte[] signs() {
    return signs;
  }

  @Override
  public boolean sameAs(Rotation other) {
    return other instanceof FastRotation that
        && codeDimension == that.codeDimension
        && Arrays.equals(signs, that.signs);
  }

  @Override
  public int codeDimension() {
    return codeDimension;
  }

  @Override
  public void rotate(float[] vector, int from, int dimension, float[] out) {
    System.arraycopy(vector, from, out, 0, dimension);
    Arrays.fill(out, dimension, codeDimension, 0);
    int power = Integer.highestOneBit(codeDimension);
    float scale = 1 / (float) Math.sqrt(power);
    for (int round = 0; round < ROUNDS; round++) {
      flip(round, out);
      int start = power == codeDimension || round % 2 == 0 ? 0 : codeDimension - power;
      transform(out, start, power, scale);
      if (power != codeDimension) {
        mix(out);
      }
    }
    if (power != codeDimension) {
      for (int i = 0; i < codeDimension; i++) {
        out[i] *= 0.25f;
      }
    }
  }

  private void flip(int round, float[] values) {
    int first = round * (signs.length / ROUNDS);
    for (int i = 0; i < codeDimension; i++) {
      if (((signs[first + i / Byte.SIZE] >> (i % Byte.SIZE)) & 1) != 0) {
        values[i] = -values[i];
      }
    }
  }

  private static void transform(float[] values, int start, int length, float scale) {
    for (int half = 1; half < length; half *= 2) {
      for (int block = start; block < start + length; block += 2 * half) {
        butterfly(values, block, half);
      }
    }
    for (int i = start; i < start + length; i++) {
      values[i] *= scale;
    }
  }

  private static void butterfly(float[] values, int block, int half) {
    for (int i = block; i < block + half; i++) {
      float left = values[i];
      float right = values[i + half];
      values[i] = left + right;
      values[i + half] = left - right;
    }
  }

  /** Joins the part that a transform reached with the one that it did not. */
  private void mix(float[] values) {
    butterfly(values, 0, codeDimension / 2);
  }
}
