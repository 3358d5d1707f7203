package dev.lance4j.scan;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.internal.kernel.Halves;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Asks for the rows whose vectors are nearest to a vector. Immutable: each method returns a refined
 * copy.
 *
 * <p>Distances are: for {@link Metric#L2} the sum of the squared differences, without a root; for
 * {@link Metric#COSINE} 1 less the cosine; for {@link Metric#DOT} 1 less the dot product; for
 * {@link Metric#HAMMING} the number of bits that differ. An index that keeps vectors in a rounded
 * form gives estimates of them, those of the cosine on a scale of the index's own, unless its
 * answers are {@linkplain #refine refined} or joined with exact ones.
 */
public final class VectorQuery implements Cloneable {
  /** The number of rows to find unless asked otherwise. */
  public static final int DEFAULT_K = 10;

  private final String column;
  private final List<double[]> numbers;
  private final List<byte[]> bytes;
  private int k = DEFAULT_K;
  private Metric metric;
  private int minProbes = 1;
  private int maxProbes;
  private int ef;
  private int refine;
  private float lower = Float.NEGATIVE_INFINITY;
  private float upper = Float.POSITIVE_INFINITY;
  private boolean indexUsed = true;

  private VectorQuery(String column, List<double[]> numbers, List<byte[]> bytes) {
    this.column = column;
    this.numbers = numbers;
    this.bytes = bytes;
    int count = numbers == null ? bytes.size() : numbers.size();
    check(count > 0, "there is no query vector");
    for (int i = 0; i < count; i++) {
      checkVector(i);
    }
  }

  private void checkVector(int vector) {
    int length = numbers == null ? bytes.get(vector).length : numbers.get(vector).length;
    check(length > 0, "Query vector must have non-zero length");
    for (int i = 0; numbers != null && i < length; i++) {
      check(
          !Double.isNaN(numbers.get(vector)[i]),
          "component " + i + " of the query vector is not a number");
    }
  }

  private void check(boolean condition, String message) {
    if (!condition) {
      throw new InvalidInputException("Nearest rows by column '" + column + "': " + message);
    }
  }

  /**
   * The rows that are nearest to a vector.
   *
   * @param column of vectors; {@code a.b} is the field {@code b} of the struct {@code a}
   * @param vector of as many components as the vectors of the column
   * @throws InvalidInputException if it is empty or a component is not a number
   */
  public static VectorQuery of(String column, float[] vector) {
    return of(column, new float[][] {vector});
  }

  /** As above, with a vector in double precision. */
  public static VectorQuery of(String column, double[] vector) {
    return of(column, new double[][] {vector});
  }

  /**
   * As above, with a vector of bytes: signed numbers, or for a column of unsigned bytes eight bits
   * each.
   */
  public static VectorQuery of(String column, byte[] vector) {
    return of(column, new byte[][] {vector});
  }

  /** As above, with a vector of the bits of numbers in half precision. */
  public static VectorQuery ofHalf(String column, short[] vector) {
    double[] numbers = new double[vector.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Halves.half(vector[i]);
    }
    return of(column, numbers);
  }

  /** As above, with a vector of the bits of bfloat16 numbers. */
  public static VectorQuery ofBfloat16(String column, short[] vector) {
    double[] numbers = new double[vector.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Halves.brain(vector[i]);
    }
    return of(column, numbers);
  }

  /**
   * Several queries at once. The rows of each are given together, in the order of the queries, with
   * the query's number from 0 on in the column {@code query_index}. On a column whose rows are
   * lists of vectors they are one query instead: a row is the nearer, the nearer it has a vector to
   * each of these.
   *
   * @param vectors at least one
   */
  public static VectorQuery of(String column, float[][] vectors) {
    List<double[]> numbers = new ArrayList<>(vectors.length);
    for (float[] vector : vectors) {
      double[] components = new double[vector.length];
      for (int i = 0; i < components.length; i++) {
        components[i] = vector[i];
      }
      numbers.add(components);
    }
    return new VectorQuery(column, numbers, null);
  }

  /** As above, with vectors in double precision. */
  public static VectorQuery of(String column, double[][] vectors) {
    List<double[]> numbers = new ArrayList<>(vectors.length);
    for (double[] vector : vectors) {
      numbers.add(vector.clone());
    }
    return new VectorQuery(column, numbers, null);
  }

  /** As above, with vectors of bytes. */
  public static VectorQuery of(String column, byte[][] vectors) {
    List<byte[]> bytes = new ArrayList<>(vectors.length);
    for (byte[] vector : vectors) {
      bytes.add(vector.clone());
    }
    return new VectorQuery(column, null, bytes);
  }

  private VectorQuery copy() {
    try {
      return (VectorQuery) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * At most so many rows, for each query; {@value #DEFAULT_K} unless asked otherwise.
   *
   * @throws InvalidInputException unless it is positive
   */
  public VectorQuery k(int rows) {
    check(rows > 0, "K must be greater than 0, but is " + rows);
    VectorQuery copy = copy();
    copy.k = rows;
    return copy;
  }

  /**
   * By this metric; an index of another one is not used. Unless asked otherwise by that of the
   * index, and without one by {@link Metric#L2}, or for vectors of bits by {@link Metric#HAMMING},
   * and for lists of vectors by {@link Metric#COSINE}.
   */
  public VectorQuery metric(Metric measure) {
    VectorQuery copy = copy();
    copy.metric = measure;
    return copy;
  }

  /** Searches so many partitions of each segment of an index, neither more nor fewer. */
  public VectorQuery probes(int partitions) {
    return probes(partitions, partitions);
  }

  /**
   * Searches so many partitions of each segment of an index: more than the least number only where
   * they may hold near rows or fewer than {@code k} were found. At least 1 and at most all unless
   * asked otherwise.
   *
   * @throws InvalidInputException unless the first is positive and the second not less
   */
  public VectorQuery probes(int least, int most) {
    check(least > 0, "at least one partition must be searched, not " + least);
    check(most >= least, "at most " + most + " partitions cannot be at least " + least);
    VectorQuery copy = copy();
    copy.minProbes = least;
    copy.maxProbes = most;
    return copy;
  }

  /**
   * Searches at least so many partitions of each segment of an index.
   *
   * @throws InvalidInputException unless it is positive
   */
  public VectorQuery minProbes(int least) {
    return probes(least, maxProbes == 0 ? Integer.MAX_VALUE : maxProbes);
  }

  /**
   * Keeps so many rows in sight while the graph of a partition is searched.
   *
   * @throws InvalidInputException unless it is positive
   */
  public VectorQuery ef(int rows) {
    check(rows > 0, "ef must be positive, but is " + rows);
    VectorQuery copy = copy();
    copy.ef = rows;
    return copy;
  }

  /**
   * Takes so many times {@code k} rows from an index, and of these the nearest ones by exact
   * distances, which are then given.
   *
   * @throws InvalidInputException unless it is positive
   */
  public VectorQuery refine(int factor) {
    check(factor > 0, "Refine factor cannot be zero or less, but is " + factor);
    VectorQuery copy = copy();
    copy.refine = factor;
    return copy;
  }

  /**
   * Only rows that are at least {@code from} and less than {@code to} away. Rows at an infinite
   * distance are found if {@code to} is infinite.
   *
   * @throws InvalidInputException if one of them is not a number
   */
  public VectorQuery distanceRange(float from, float to) {
    check(!Float.isNaN(from) && !Float.isNaN(to), "a bound of the distance is not a number");
    VectorQuery copy = copy();
    copy.lower = from;
    copy.upper = to;
    return copy;
  }

  /** Whether an index may be used, as it is unless told otherwise. Without, rows are exact. */
  public VectorQuery useIndex(boolean used) {
    VectorQuery copy = copy();
    copy.indexUsed = used;
    return copy;
  }

  public String column() {
    return column;
  }

  /** The query vectors as numbers, to be left as they are; null if they are bytes. */
  public List<double[]> numbers() {
    return numbers;
  }

  /** The query vectors as bytes, to be left as they are; null if they are numbers. */
  public List<byte[]> bytes() {
    return bytes;
  }

  public int k() {
    return k;
  }

  /** The metric that was asked for. */
  public Optional<Metric> metric() {
    return Optional.ofNullable(metric);
  }

  public int minProbes() {
    return minProbes;
  }

  public OptionalInt maxProbes() {
    return maxProbes == 0 || maxProbes == Integer.MAX_VALUE
        ? OptionalInt.empty()
        : OptionalInt.of(maxProbes);
  }

  public OptionalInt ef() {
    return ef == 0 ? OptionalInt.empty() : OptionalInt.of(ef);
  }

  /** The factor to refine by. */
  public OptionalInt refine() {
    return refine == 0 ? OptionalInt.empty() : OptionalInt.of(refine);
  }

  /** The least distance of a row to be found. */
  public float lower() {
    return lower;
  }

  /** The least distance that is too far. */
  public float upper() {
    return upper;
  }

  public boolean isIndexUsed() {
    return indexUsed;
  }
}
