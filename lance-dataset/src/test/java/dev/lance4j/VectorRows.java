package dev.lance4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lance4j.format.testing.SampleFields;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.internal.kernel.Halves;
import dev.lance4j.scan.VectorQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Tables with a number {@code k} and a vector {@code v} in each row, and their neighbours by brute
 * force. Vectors have small components that all types hold exactly, so that many are equally far.
 */
final class VectorRows {
  private final VectorElement element;
  private final double[][] vectors;

  private VectorRows(VectorElement element, double[][] vectors) {
    this.element = element;
    this.vectors = vectors;
  }

  /** Some vectors, among them zeros, missing ones and ones with components that are no numbers. */
  static VectorRows random(VectorElement element, int rows, int dimension, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[][] vectors = new double[rows][];
    for (int row = 0; row < rows; row++) {
      if (row % 13 == 6) {
        continue;
      }
      vectors[row] = new double[dimension];
      for (int i = 0; i < dimension && row % 17 != 4; i++) {
        vectors[row][i] = component(element, random);
      }
      boolean floating = element != VectorElement.INT8 && element != VectorElement.UINT8;
      if (floating && row % 19 == 8) {
        vectors[row][row % dimension] = Double.NaN;
      }
    }
    return new VectorRows(element, vectors);
  }

  private static double component(VectorElement element, SplittableRandom random) {
    return switch (element) {
      case UINT8 -> random.nextInt(256);
      case INT8 -> random.nextInt(-100, 100);
      default -> random.nextInt(-8, 9) / 4.0;
    };
  }

  /** The vector of a row; null if it has none. */
  double[] vector(int row) {
    return vectors[row];
  }

  /** The bits of a component in half precision or as bfloat16. */
  static short bits(VectorElement element, double value) {
    return element == VectorElement.FLOAT16
        ? Halves.toHalf((float) value)
        : Halves.toBrain((float) value);
  }

  /** A query for the neighbours of a vector. */
  VectorQuery query(double[] vector) {
    if (element != VectorElement.UINT8) {
      return VectorQuery.of("v", vector);
    }
    byte[] bytes = new byte[vector.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (int) vector[i];
    }
    return VectorQuery.of("v", bytes);
  }

  /** The column of vectors. */
  Field field() {
    return SampleFields.fixedSizeList("v", vectors[0].length, item());
  }

  private Field item() {
    return switch (element) {
      case FLOAT16 -> SampleFields.float16("item");
      case FLOAT32 -> SampleFields.float32("item");
      case FLOAT64 -> SampleFields.float64("item");
      case INT8 -> SampleFields.scalar("item", new ArrowType.Int(8, true));
      case UINT8 -> SampleFields.scalar("item", new ArrowType.Int(8, false));
      case BFLOAT16 ->
          new Field(
              "item",
              new FieldType(
                  true,
                  new ArrowType.FixedSizeBinary(2),
                  null,
                  Map.of("ARROW:extension:name", "lance.bfloat16")),
              null);
    };
  }

  /** The rows as a batch. */
  VectorSchemaRoot batch(BufferAllocator allocator) {
    Schema schema = new Schema(List.of(SampleFields.int64("k"), field()));
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    root.allocateNew();
    FixedSizeListVector lists = (FixedSizeListVector) root.getVector("v");
    int dimension = lists.getListSize();
    for (int row = 0; row < vectors.length; row++) {
      ((BigIntVector) root.getVector("k")).setSafe(row, row);
      if (vectors[row] == null) {
        lists.setNull(row);
        continue;
      }
      lists.startNewValue(row);
      for (int i = 0; i < dimension; i++) {
        set(lists.getDataVector(), row * dimension + i, vectors[row][i]);
      }
    }
    root.setRowCount(vectors.length);
    return root;
  }

  private static void set(FieldVector items, int i, double value) {
    if (items instanceof Float4Vector floats) {
      floats.setSafe(i, (float) value);
    } else if (items instanceof Float8Vector doubles) {
      doubles.setSafe(i, value);
    } else if (items instanceof Float2Vector halves) {
      halves.setSafe(i, bits(VectorElement.FLOAT16, value));
    } else if (items instanceof TinyIntVector bytes) {
      bytes.setSafe(i, (byte) value);
    } else if (items instanceof UInt1Vector bytes) {
      bytes.setSafe(i, (byte) (int) value);
    } else {
      short bits = bits(VectorElement.BFLOAT16, value);
      ((FixedSizeBinaryVector) items).setSafe(i, new byte[] {(byte) bits, (byte) (bits >> 8)});
    }
  }

  /** A table of the rows. */
  Dataset create(String uri, boolean stable, int rowsPerFile, BufferAllocator allocator) {
    try (VectorSchemaRoot root = batch(allocator)) {
      return Dataset.write(uri)
          .allocator(allocator)
          .stableRowIds(stable)
          .maxRowsPerFile(rowsPerFile)
          .from(root);
    }
  }

  /**
   * A row that was found.
   *
   * @param k the row's number
   */
  record Found(long k, long rowId, double distance) {
    /** Of rows that are equally far, the one with the least id comes first. */
    static final Comparator<Found> NEAREST_FIRST =
        Comparator.comparingDouble(Found::distance)
            .thenComparing(Found::rowId, Long::compareUnsigned);
  }

  /** The nearest rows of a table, which may have been changed since it was made. */
  List<Found> nearest(Dataset dataset, double[] query, Metric metric, int k, LongPredicate filter)
      throws Exception {
    List<Found> all = new ArrayList<>();
    try (ArrowReader reader = dataset.scan().select("k").withRowId().open()) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        for (int i = 0; i < root.getRowCount(); i++) {
          long key = ((BigIntVector) root.getVector("k")).get(i);
          long rowId = ((UInt8Vector) root.getVector("_rowid")).get(i);
          double[] vector = vectors[(int) key];
          double distance = vector == null ? Double.NaN : distance(query, vector, metric);
          if (filter.test(key) && !Double.isNaN(distance)) {
            all.add(new Found(key, rowId, distance));
          }
        }
      }
    }
    all.sort(Found.NEAREST_FIRST);
    return all.subList(0, Math.min(k, all.size()));
  }

  /** The distance of two vectors. */
  static double distance(double[] a, double[] b, Metric metric) {
    double squares = 0;
    double product = 0;
    double aa = 0;
    double bb = 0;
    int bits = 0;
    for (int i = 0; i < a.length; i++) {
      squares += (a[i] - b[i]) * (a[i] - b[i]);
      product += a[i] * b[i];
      aa += a[i] * a[i];
      bb += b[i] * b[i];
      bits += Integer.bitCount(((int) a[i] ^ (int) b[i]) & 0xFF);
    }
    return switch (metric) {
      case L2 -> squares;
      case DOT -> 1 - product;
      case COSINE -> 1 - product / Math.sqrt(aa * bb);
      case HAMMING -> bits;
    };
  }

  /** The same rows at the same distances; those that rounding may swap may be in either order. */
  static void assertFound(List<Found> expected, List<Found> actual, Metric metric) {
    if (metric != Metric.COSINE) {
      assertThat(actual).isEqualTo(expected);
      return;
    }
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < actual.size(); i++) {
      assertThat(actual.get(i).distance()).isCloseTo(expected.get(i).distance(), within(1e-5));
    }
    double last = expected.isEmpty() ? 0 : expected.get(expected.size() - 1).distance();
    assertThat(actual.stream().map(Found::rowId))
        .doesNotHaveDuplicates()
        .containsAll(
            expected.stream()
                .filter(row -> row.distance() < last - 1e-5)
                .map(Found::rowId)
                .toList());
  }

  /** What a scan that gives {@code k} found; closes the reader. */
  static List<Found> read(ArrowReader reader) throws Exception {
    List<Found> found = new ArrayList<>();
    try (reader) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        for (int i = 0; i < root.getRowCount(); i++) {
          found.add(
              new Found(
                  ((BigIntVector) root.getVector("k")).get(i),
                  ((UInt8Vector) root.getVector("_rowid")).get(i),
                  ((Float4Vector) root.getVector("_distance")).get(i)));
        }
      }
    }
    return found;
  }
}
