package dev.lance4j.index.vector.internal.quantize;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.internal.kernel.CodeTables;
import dev.lance4j.index.vector.internal.kernel.Panels;
import java.util.Arrays;

/**
 * A vector cut into parts, each of which is replaced by the number of its nearest centroid among
 * those of that part.
 */
public final class ProductQuantizer implements Quantizer {
  private final int dimension;
  private final int subVectors;
  private final int bits;
  private final VectorElement element;
  private final float[] codebook;
  private final Panels[] panels;

  /**
   * A quantizer with a trained codebook.
   *
   * @param subVectors the number of parts
   * @param bits of the number of a part's centroid: 4 or 8
   * @param element what the codebook is stored as
   * @param codebook the centroids of the first part, then those of the second and so on
   */
  public ProductQuantizer(
      int dimension, int subVectors, int bits, VectorElement element, float[] codebook) {
    check(dimension, subVectors, bits);
    this.dimension = dimension;
    this.subVectors = subVectors;
    this.bits = bits;
    this.element = element;
    this.codebook = codebook;
    int centroids = 1 << bits;
    int width = dimension / subVectors;
    if (codebook.length != centroids * dimension) {
      throw new InvalidInputException(
          String.format(
              "a codebook of %d values is not one of %d centroids of dimension %d",
              codebook.length, centroids, dimension));
    }
    this.panels = new Panels[subVectors];
    for (int i = 0; i < subVectors; i++) {
      panels[i] = Panels.of(codebook, i * centroids * width, centroids, width);
    }
  }

  /**
   * Checks how vectors are to be cut.
   *
   * @throws InvalidInputException if they cannot be
   */
  public static void check(int dimension, int subVectors, int bits) {
    if (bits != 4 && bits != 8) {
      throw new InvalidInputException(
          "ProductQuantization: num_bits " + bits + " not supported; use 4 or 8");
    }
    if (subVectors <= 0 || dimension % subVectors != 0) {
      throw new InvalidInputException(
          String.format(
              "num_sub_vectors must divide vector dimension %d, but got %d",
              dimension, subVectors));
    }
    if (bits == 4 && subVectors % 2 != 0) {
      throw new InvalidInputException(
          "with 4 bits, num_sub_vectors must be even, but got " + subVectors);
    }
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public int codeBytes() {
    return subVectors * bits / Byte.SIZE;
  }

  /** The number of parts. */
  public int subVectors() {
    return subVectors;
  }

  /** The bits of the number of a part's centroid. */
  public int bits() {
    return bits;
  }

  /** What the codebook is stored as. */
  public VectorElement element() {
    return element;
  }

  /** The centroids of the first part, then those of the second and so on; not to be changed. */
  public float[] codebook() {
    return codebook;
  }

  @Override
  public boolean sameAs(Quantizer other) {
    return other instanceof ProductQuantizer that
        && dimension == that.dimension
        && subVectors == that.subVectors
        && bits == that.bits
        && Arrays.equals(codebook, that.codebook);
  }

  /**
   * The codes of vectors.
   *
   * @param rows of {@link #dimension} values each
   * @param from the first value of the first row
   * @param out takes the codes one after the other, from {@code at} on
   */
  public void encode(float[] rows, int from, int count, byte[] out, int at) {
    int width = dimension / subVectors;
    int codeBytes = codeBytes();
    int[] nearest = new int[count];
    float[] distance = new float[count];
    if (bits == 4) {
      Arrays.fill(out, at, at + count * codeBytes, (byte) 0);
    }
    for (int i = 0; i < subVectors; i++) {
      Panels part = panels[i];
      part.nearest(false, rows, from + i * width, dimension, count, part.bias(), nearest, distance);
      if (bits == 8) {
        for (int r = 0; r < count; r++) {
          out[at + r * codeBytes + i] = (byte) nearest[r];
        }
      } else {
        int shift = i % 2 * 4;
        for (int r = 0; r < count; r++) {
          out[at + r * codeBytes + i / 2] |= (byte) (nearest[r] << shift);
        }
      }
    }
  }

  /**
   * What each byte of a code adds to the distance to a vector: the squared Euclidean distance, or
   * the negated dot product.
   *
   * @param query the vector, less the centroid of the partition where that is taken off
   * @return a table of 256 entries for each byte of a code
   */
  public float[] tables(boolean dot, float[] query) {
    int width = dimension / subVectors;
    float[] tables = new float[codeBytes() * CodeTables.ENTRIES];
    float[] part = new float[panels[0].padded()];
    float[] previous = new float[part.length];
    for (int i = 0; i < subVectors; i++) {
      panels[i].against(dot, query, i * width, part, 0);
      if (dot) {
        for (int c = 0; c < part.length; c++) {
          part[c] = -part[c];
        }
      }
      if (bits == 8) {
        System.arraycopy(part, 0, tables, i * CodeTables.ENTRIES, CodeTables.ENTRIES);
      } else if (i % 2 == 0) {
        System.arraycopy(part, 0, previous, 0, part.length);
      } else {
        combine(previous, part, tables, i / 2 * CodeTables.ENTRIES);
      }
    }
    return tables;
  }

  /** The table of a byte from those of its halves. */
  private static void combine(float[] low, float[] high, float[] tables, int at) {
    for (int b = 0; b < CodeTables.ENTRIES; b++) {
      tables[at + b] = low[b & 0xF] + high[b >> 4];
    }
  }

  /**
   * The squared Euclidean distance of the vectors that two codes stand for, or their negated dot
   * product.
   */
  public float between(boolean dot, byte[] a, int aFrom, byte[] b, int bFrom) {
    int width = dimension / subVectors;
    int centroids = 1 << bits;
    float sum = 0;
    for (int i = 0; i < subVectors; i++) {
      int x = (i * centroids + centroid(a, aFrom, i)) * width;
      int y = (i * centroids + centroid(b, bFrom, i)) * width;
      for (int d = 0; d < width; d++) {
        float difference = codebook[x + d] - codebook[y + d];
        sum += dot ? -codebook[x + d] * codebook[y + d] : difference * difference;
      }
    }
    return sum;
  }

  /** The number of a part's centroid in a code. */
  private int centroid(byte[] code, int from, int part) {
    return bits == 8
        ? code[from + part] & 0xFF
        : ((code[from + part / 2] & 0xFF) >> (part % 2 * 4)) & 0xF;
  }

  /** The vector that a code stands for. */
  public void decode(byte[] code, int from, float[] out, int at) {
    int width = dimension / subVectors;
    int centroids = 1 << bits;
    for (int i = 0; i < subVectors; i++) {
      int centroid = i * centroids + centroid(code, from, i);
      System.arraycopy(codebook, centroid * width, out, at + i * width, width);
    }
  }
}
