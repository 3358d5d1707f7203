package dev.lance4j.index.vector.internal.kernel;

import java.util.Arrays;
import java.util.Locale;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** Kernels on the vector instructions of the machine. */
final class SimdKernels implements VectorKernels {
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

  /** As many bytes as there are lanes of ints. */
  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(
          byte.class, VectorShape.forBitSize(Math.max(64, INTS.vectorBitSize() / Integer.BYTES)));

  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;

  /** As many bytes as there are lanes of shorts. */
  private static final VectorSpecies<Byte> MANY_BYTES =
      VectorSpecies.of(
          byte.class, VectorShape.forBitSize(Math.max(64, SHORTS.vectorBitSize() / Short.BYTES)));

  private static final int LOW_HALF = 0xFFFF;

  private static final int WIDTH = FLOATS.length();

  /** Rows whose nearest centroids are sought together. */
  private static final int BLOCK = 8;

  /** Without the instruction, a fused multiplication is emulated at a hundred times the cost. */
  private static final boolean FUSED =
      FLOATS.vectorBitSize() >= 256
          || System.getProperty("os.arch").toLowerCase(Locale.ROOT).equals("aarch64");

  SimdKernels() {
    if (BYTES.length() != INTS.length()) {
      throw new IllegalStateException("Vectors of " + INTS.vectorBitSize() + " bits are too short");
    }
  }

  @Override
  public String name() {
    return "vector instructions of " + FLOATS.vectorBitSize() + " bits";
  }

  private static FloatVector addProduct(FloatVector sum, FloatVector a, FloatVector b) {
    return FUSED ? a.fma(b, sum) : a.mul(b).add(sum);
  }

  private static DoubleVector addProduct(DoubleVector sum, DoubleVector a, DoubleVector b) {
    return FUSED ? a.fma(b, sum) : a.mul(b).add(sum);
  }

  @Override
  public float l2(float[] a, int aFrom, float[] b, int bFrom, int dimension) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = FloatVector.zero(FLOATS);
    int i = 0;
    for (int end = dimension - 2 * WIDTH; i <= end; i += 2 * WIDTH) {
      FloatVector d0 =
          FloatVector.fromArray(FLOATS, a, aFrom + i)
              .sub(FloatVector.fromArray(FLOATS, b, bFrom + i));
      FloatVector d1 =
          FloatVector.fromArray(FLOATS, a, aFrom + i + WIDTH)
              .sub(FloatVector.fromArray(FLOATS, b, bFrom + i + WIDTH));
      s0 = addProduct(s0, d0, d0);
      s1 = addProduct(s1, d1, d1);
    }
    if (i + WIDTH <= dimension) {
      FloatVector d =
          FloatVector.fromArray(FLOATS, a, aFrom + i)
              .sub(FloatVector.fromArray(FLOATS, b, bFrom + i));
      s0 = addProduct(s0, d, d);
      i += WIDTH;
    }
    float sum = s0.add(s1).reduceLanes(VectorOperators.ADD);
    for (; i < dimension; i++) {
      float d = a[aFrom + i] - b[bFrom + i];
      sum += d * d;
    }
    return sum;
  }

  @Override
  public float dot(float[] a, int aFrom, float[] b, int bFrom, int dimension) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = FloatVector.zero(FLOATS);
    int i = 0;
    for (int end = dimension - 2 * WIDTH; i <= end; i += 2 * WIDTH) {
      s0 =
          addProduct(
              s0,
              FloatVector.fromArray(FLOATS, a, aFrom + i),
              FloatVector.fromArray(FLOATS, b, bFrom + i));
      s1 =
          addProduct(
              s1,
              FloatVector.fromArray(FLOATS, a, aFrom + i + WIDTH),
              FloatVector.fromArray(FLOATS, b, bFrom + i + WIDTH));
    }
    if (i + WIDTH <= dimension) {
      s0 =
          addProduct(
              s0,
              FloatVector.fromArray(FLOATS, a, aFrom + i),
              FloatVector.fromArray(FLOATS, b, bFrom + i));
      i += WIDTH;
    }
    float sum = s0.add(s1).reduceLanes(VectorOperators.ADD);
    for (; i < dimension; i++) {
      sum += a[aFrom + i] * b[bFrom + i];
    }
    return sum;
  }

  @Override
  public void l2(float[] query, float[] rows, int from, int count, float[] out, int at) {
    int dimension = query.length;
    int r = 0;
    for (; r + 4 <= count; r += 4) {
      l2OfFour(query, rows, from + r * dimension, out, at + r);
    }
    for (; r < count; r++) {
      out[at + r] = l2(query, 0, rows, from + r * dimension, dimension);
    }
  }

  private static void l2OfFour(float[] query, float[] rows, int from, float[] out, int at) {
    int dimension = query.length;
    int y = from + dimension;
    int z = y + dimension;
    int w = z + dimension;
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = FloatVector.zero(FLOATS);
    FloatVector s2 = FloatVector.zero(FLOATS);
    FloatVector s3 = FloatVector.zero(FLOATS);
    int i = 0;
    for (int end = dimension - WIDTH; i <= end; i += WIDTH) {
      FloatVector q = FloatVector.fromArray(FLOATS, query, i);
      FloatVector d0 = q.sub(FloatVector.fromArray(FLOATS, rows, from + i));
      FloatVector d1 = q.sub(FloatVector.fromArray(FLOATS, rows, y + i));
      FloatVector d2 = q.sub(FloatVector.fromArray(FLOATS, rows, z + i));
      FloatVector d3 = q.sub(FloatVector.fromArray(FLOATS, rows, w + i));
      s0 = addProduct(s0, d0, d0);
      s1 = addProduct(s1, d1, d1);
      s2 = addProduct(s2, d2, d2);
      s3 = addProduct(s3, d3, d3);
    }
    float t0 = s0.reduceLanes(VectorOperators.ADD);
    float t1 = s1.reduceLanes(VectorOperators.ADD);
    float t2 = s2.reduceLanes(VectorOperators.ADD);
    float t3 = s3.reduceLanes(VectorOperators.ADD);
    for (; i < dimension; i++) {
      float q = query[i];
      float d0 = q - rows[from + i];
      float d1 = q - rows[y + i];
      float d2 = q - rows[z + i];
      float d3 = q - rows[w + i];
      t0 += d0 * d0;
      t1 += d1 * d1;
      t2 += d2 * d2;
      t3 += d3 * d3;
    }
    out[at] = t0;
    out[at + 1] = t1;
    out[at + 2] = t2;
    out[at + 3] = t3;
  }

  @Override
  public void dot(float[] query, float[] rows, int from, int count, float[] out, int at) {
    int dimension = query.length;
    int r = 0;
    for (; r + 4 <= count; r += 4) {
      dotOfFour(query, rows, from + r * dimension, out, at + r);
    }
    for (; r < count; r++) {
      out[at + r] = dot(query, 0, rows, from + r * dimension, dimension);
    }
  }

  private static void dotOfFour(float[] query, float[] rows, int from, float[] out, int at) {
    int dimension = query.length;
    int y = from + dimension;
    int z = y + dimension;
    int w = z + dimension;
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = FloatVector.zero(FLOATS);
    FloatVector s2 = FloatVector.zero(FLOATS);
    FloatVector s3 = FloatVector.zero(FLOATS);
    int i = 0;
    for (int end = dimension - WIDTH; i <= end; i += WIDTH) {
      FloatVector q = FloatVector.fromArray(FLOATS, query, i);
      s0 = addProduct(s0, q, FloatVector.fromArray(FLOATS, rows, from + i));
      s1 = addProduct(s1, q, FloatVector.fromArray(FLOATS, rows, y + i));
      s2 = addProduct(s2, q, FloatVector.fromArray(FLOATS, rows, z + i));
      s3 = addProduct(s3, q, FloatVector.fromArray(FLOATS, rows, w + i));
    }
    float t0 = s0.reduceLanes(VectorOperators.ADD);
    float t1 = s1.reduceLanes(VectorOperators.ADD);
    float t2 = s2.reduceLanes(VectorOperators.ADD);
    float t3 = s3.reduceLanes(VectorOperators.ADD);
    for (; i < dimension; i++) {
      float q = query[i];
      t0 += q * rows[from + i];
      t1 += q * rows[y + i];
      t2 += q * rows[z + i];
      t3 += q * rows[w + i];
    }
    out[at] = t0;
    out[at + 1] = t1;
    out[at + 2] = t2;
    out[at + 3] = t3;
  }

  @Override
  public void squaredNorms(float[] rows, int from, int count, int dimension, float[] out, int at) {
    for (int r = 0; r < count; r++) {
      int row = from + r * dimension;
      out[at + r] = dot(rows, row, rows, row, dimension);
    }
  }

  @Override
  public void l2(double[] query, double[] rows, int from, int count, float[] out, int at) {
    int dimension = query.length;
    int width = DOUBLES.length();
    for (int r = 0; r < count; r++) {
      int x = from + r * dimension;
      DoubleVector s0 = DoubleVector.zero(DOUBLES);
      DoubleVector s1 = DoubleVector.zero(DOUBLES);
      int i = 0;
      for (; i + 2 * width <= dimension; i += 2 * width) {
        DoubleVector d0 =
            DoubleVector.fromArray(DOUBLES, query, i)
                .sub(DoubleVector.fromArray(DOUBLES, rows, x + i));
        DoubleVector d1 =
            DoubleVector.fromArray(DOUBLES, query, i + width)
                .sub(DoubleVector.fromArray(DOUBLES, rows, x + i + width));
        s0 = addProduct(s0, d0, d0);
        s1 = addProduct(s1, d1, d1);
      }
      double sum = s0.add(s1).reduceLanes(VectorOperators.ADD);
      for (; i < dimension; i++) {
        double d = query[i] - rows[x + i];
        sum += d * d;
      }
      out[at + r] = (float) sum;
    }
  }

  @Override
  public void dot(double[] query, double[] rows, int from, int count, double[] out, int at) {
    int dimension = query.length;
    int width = DOUBLES.length();
    for (int r = 0; r < count; r++) {
      int x = from + r * dimension;
      DoubleVector s0 = DoubleVector.zero(DOUBLES);
      DoubleVector s1 = DoubleVector.zero(DOUBLES);
      int i = 0;
      for (; i + 2 * width <= dimension; i += 2 * width) {
        s0 =
            addProduct(
                s0,
                DoubleVector.fromArray(DOUBLES, query, i),
                DoubleVector.fromArray(DOUBLES, rows, x + i));
        s1 =
            addProduct(
                s1,
                DoubleVector.fromArray(DOUBLES, query, i + width),
                DoubleVector.fromArray(DOUBLES, rows, x + i + width));
      }
      double sum = s0.add(s1).reduceLanes(VectorOperators.ADD);
      for (; i < dimension; i++) {
        sum += query[i] * rows[x + i];
      }
      out[at + r] = sum;
    }
  }

  private static IntVector ints(byte[] values, int at) {
    return (IntVector)
        ByteVector.fromArray(BYTES, values, at).convertShape(VectorOperators.B2I, INTS, 0);
  }

  private static ShortVector shorts(byte[] values, int at) {
    return (ShortVector)
        ByteVector.fromArray(MANY_BYTES, values, at).convertShape(VectorOperators.B2S, SHORTS, 0);
  }

  @Override
  public int l2(byte[] a, int aFrom, byte[] b, int bFrom, int dimension) {
    int width = SHORTS.length();
    IntVector s0 = IntVector.zero(INTS);
    IntVector s1 = IntVector.zero(INTS);
    int i = 0;
    for (; i + width <= dimension; i += width) {
      ShortVector d = shorts(a, aFrom + i).sub(shorts(b, bFrom + i));
      // Squares of at most 255 fill unsigned shorts; those of odd and of even places add up apart.
      IntVector squares = d.mul(d).reinterpretAsInts();
      s0 = s0.add(squares.and(LOW_HALF));
      s1 = s1.add(squares.lanewise(VectorOperators.LSHR, Short.SIZE));
    }
    int half = INTS.length();
    for (; i + half <= dimension; i += half) {
      IntVector d = ints(a, aFrom + i).sub(ints(b, bFrom + i));
      s0 = s0.add(d.mul(d));
    }
    int sum = s0.add(s1).reduceLanes(VectorOperators.ADD);
    for (; i < dimension; i++) {
      int d = a[aFrom + i] - b[bFrom + i];
      sum += d * d;
    }
    return sum;
  }

  @Override
  public int dot(byte[] a, int aFrom, byte[] b, int bFrom, int dimension) {
    int width = SHORTS.length();
    IntVector s0 = IntVector.zero(INTS);
    IntVector s1 = IntVector.zero(INTS);
    int i = 0;
    for (; i + width <= dimension; i += width) {
      // Products of two bytes fit into shorts.
      IntVector products = shorts(a, aFrom + i).mul(shorts(b, bFrom + i)).reinterpretAsInts();
      s0 =
          s0.add(
              products
                  .lanewise(VectorOperators.LSHL, Short.SIZE)
                  .lanewise(VectorOperators.ASHR, Short.SIZE));
      s1 = s1.add(products.lanewise(VectorOperators.ASHR, Short.SIZE));
    }
    int half = INTS.length();
    for (; i + half <= dimension; i += half) {
      s0 = s0.add(ints(a, aFrom + i).mul(ints(b, bFrom + i)));
    }
    int sum = s0.add(s1).reduceLanes(VectorOperators.ADD);
    for (; i < dimension; i++) {
      sum += a[aFrom + i] * b[bFrom + i];
    }
    return sum;
  }

  @Override
  public int panelWidth() {
    return WIDTH;
  }

  @Override
  public void againstPanels(
      boolean dot,
      float[] row,
      int from,
      float[] panels,
      int panelsFrom,
      int panelCount,
      int dimension,
      float[] out,
      int at) {
    for (int p = 0; p < panelCount; p++) {
      int panel = panelsFrom + p * WIDTH * dimension;
      FloatVector sum = FloatVector.zero(FLOATS);
      for (int d = 0; d < dimension; d++) {
        FloatVector c = FloatVector.fromArray(FLOATS, panels, panel + d * WIDTH);
        if (dot) {
          sum = addProduct(sum, c, FloatVector.broadcast(FLOATS, row[from + d]));
        } else {
          FloatVector difference = c.sub(row[from + d]);
          sum = addProduct(sum, difference, difference);
        }
      }
      sum.intoArray(out, at + p * WIDTH);
    }
  }

  @Override
  public void nearest(
      boolean dot,
      float[] rows,
      int from,
      int stride,
      int count,
      float[] panels,
      int panelsFrom,
      int panelCount,
      int dimension,
      float[] bias,
      int[] nearest,
      float[] value) {
    float[] best = new float[BLOCK * WIDTH];
    float[] bestPanel = new float[BLOCK * WIDTH];
    for (int r = 0; r < count; r += BLOCK) {
      int n = Math.min(BLOCK, count - r);
      Arrays.fill(best, Float.POSITIVE_INFINITY);
      Arrays.fill(bestPanel, 0);
      int block = from + r * stride;
      for (int p = 0; p < panelCount; p++) {
        int panel = panelsFrom + p * WIDTH * dimension;
        if (n < BLOCK) {
          for (int i = 0; i < n; i++) {
            compareOne(
                dot,
                rows,
                block + i * stride,
                panels,
                panel,
                dimension,
                bias,
                p,
                i,
                best,
                bestPanel);
          }
        } else if (dot) {
          dotOfBlock(rows, block, stride, panels, panel, dimension, bias, p, best, bestPanel);
        } else {
          l2OfBlock(rows, block, stride, panels, panel, dimension, bias, p, best, bestPanel);
        }
      }
      for (int i = 0; i < n; i++) {
        reduce(best, bestPanel, i * WIDTH, nearest, value, r + i);
      }
    }
  }

  private static void compareOne(
      boolean dot,
      float[] rows,
      int row,
      float[] panels,
      int panel,
      int dimension,
      float[] bias,
      int p,
      int slot,
      float[] best,
      float[] bestPanel) {
    FloatVector sum = FloatVector.zero(FLOATS);
    for (int d = 0; d < dimension; d++) {
      FloatVector c = FloatVector.fromArray(FLOATS, panels, panel + d * WIDTH);
      if (dot) {
        sum = addProduct(sum, c, FloatVector.broadcast(FLOATS, rows[row + d]));
      } else {
        FloatVector difference = c.sub(rows[row + d]);
        sum = addProduct(sum, difference, difference);
      }
    }
    FloatVector offset = FloatVector.fromArray(FLOATS, bias, p * WIDTH);
    keepLess(dot ? offset.sub(sum) : offset.add(sum), p, slot, best, bestPanel);
  }

  private static void l2OfBlock(
      float[] rows,
      int block,
      int stride,
      float[] panels,
      int panel,
      int dimension,
      float[] bias,
      int p,
      float[] best,
      float[] bestPanel) {
    int r1 = block + stride;
    int r2 = r1 + stride;
    int r3 = r2 + stride;
    int r4 = r3 + stride;
    int r5 = r4 + stride;
    int r6 = r5 + stride;
    int r7 = r6 + stride;
    FloatVector s0 = FloatVector.fromArray(FLOATS, bias, p * WIDTH);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    for (int d = 0; d < dimension; d++) {
      FloatVector c = FloatVector.fromArray(FLOATS, panels, panel + d * WIDTH);
      FloatVector d0 = c.sub(rows[block + d]);
      FloatVector d1 = c.sub(rows[r1 + d]);
      FloatVector d2 = c.sub(rows[r2 + d]);
      FloatVector d3 = c.sub(rows[r3 + d]);
      FloatVector d4 = c.sub(rows[r4 + d]);
      FloatVector d5 = c.sub(rows[r5 + d]);
      FloatVector d6 = c.sub(rows[r6 + d]);
      FloatVector d7 = c.sub(rows[r7 + d]);
      s0 = addProduct(s0, d0, d0);
      s1 = addProduct(s1, d1, d1);
      s2 = addProduct(s2, d2, d2);
      s3 = addProduct(s3, d3, d3);
      s4 = addProduct(s4, d4, d4);
      s5 = addProduct(s5, d5, d5);
      s6 = addProduct(s6, d6, d6);
      s7 = addProduct(s7, d7, d7);
    }
    keepLess(s0, p, 0, best, bestPanel);
    keepLess(s1, p, 1, best, bestPanel);
    keepLess(s2, p, 2, best, bestPanel);
    keepLess(s3, p, 3, best, bestPanel);
    keepLess(s4, p, 4, best, bestPanel);
    keepLess(s5, p, 5, best, bestPanel);
    keepLess(s6, p, 6, best, bestPanel);
    keepLess(s7, p, 7, best, bestPanel);
  }

  private static void dotOfBlock(
      float[] rows,
      int block,
      int stride,
      float[] panels,
      int panel,
      int dimension,
      float[] bias,
      int p,
      float[] best,
      float[] bestPanel) {
    int r1 = block + stride;
    int r2 = r1 + stride;
    int r3 = r2 + stride;
    int r4 = r3 + stride;
    int r5 = r4 + stride;
    int r6 = r5 + stride;
    int r7 = r6 + stride;
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    FloatVector s4 = s0;
    FloatVector s5 = s0;
    FloatVector s6 = s0;
    FloatVector s7 = s0;
    for (int d = 0; d < dimension; d++) {
      FloatVector c = FloatVector.fromArray(FLOATS, panels, panel + d * WIDTH);
      s0 = addProduct(s0, c, FloatVector.broadcast(FLOATS, rows[block + d]));
      s1 = addProduct(s1, c, FloatVector.broadcast(FLOATS, rows[r1 + d]));
      s2 = addProduct(s2, c, FloatVector.broadcast(FLOATS, rows[r2 + d]));
      s3 = addProduct(s3, c, FloatVector.broadcast(FLOATS, rows[r3 + d]));
      s4 = addProduct(s4, c, FloatVector.broadcast(FLOATS, rows[r4 + d]));
      s5 = addProduct(s5, c, FloatVector.broadcast(FLOATS, rows[r5 + d]));
      s6 = addProduct(s6, c, FloatVector.broadcast(FLOATS, rows[r6 + d]));
      s7 = addProduct(s7, c, FloatVector.broadcast(FLOATS, rows[r7 + d]));
    }
    FloatVector offset = FloatVector.fromArray(FLOATS, bias, p * WIDTH);
    keepLess(offset.sub(s0), p, 0, best, bestPanel);
    keepLess(offset.sub(s1), p, 1, best, bestPanel);
    keepLess(offset.sub(s2), p, 2, best, bestPanel);
    keepLess(offset.sub(s3), p, 3, best, bestPanel);
    keepLess(offset.sub(s4), p, 4, best, bestPanel);
    keepLess(offset.sub(s5), p, 5, best, bestPanel);
    keepLess(offset.sub(s6), p, 6, best, bestPanel);
    keepLess(offset.sub(s7), p, 7, best, bestPanel);
  }

  /** Keeps, in each lane, the lesser sum and the panel that it is from. */
  private static void keepLess(
      FloatVector sum, int panel, int slot, float[] best, float[] bestPanel) {
    FloatVector least = FloatVector.fromArray(FLOATS, best, slot * WIDTH);
    VectorMask<Float> less = sum.compare(VectorOperators.LT, least);
    least.blend(sum, less).intoArray(best, slot * WIDTH);
    FloatVector.fromArray(FLOATS, bestPanel, slot * WIDTH)
        .blend((float) panel, less)
        .intoArray(bestPanel, slot * WIDTH);
  }

  private static void reduce(
      float[] best, float[] bestPanel, int slot, int[] nearest, float[] value, int at) {
    float least = Float.POSITIVE_INFINITY;
    int leastAt = Integer.MAX_VALUE;
    for (int i = 0; i < WIDTH; i++) {
      int centroid = (int) bestPanel[slot + i] * WIDTH + i;
      float sum = best[slot + i];
      if (sum < least || (sum == least && centroid < leastAt && leastAt != Integer.MAX_VALUE)) {
        least = sum;
        leastAt = centroid;
      }
    }
    nearest[at] = leastAt == Integer.MAX_VALUE ? 0 : leastAt;
    value[at] = least;
  }
}
