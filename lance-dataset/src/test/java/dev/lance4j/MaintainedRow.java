package dev.lance4j;

import dev.lance4j.format.testing.SampleFields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A row of a {@link MaintainedTable}. Components of vectors are small whole numbers, so that all
 * distances are exact.
 *
 * @param k unique
 * @param m few different values, as {@code z} and {@code f}; may be null
 * @param l may be null
 * @param p a vector, or null
 * @param q a vector, or null
 */
record MaintainedRow(
    int k, Integer m, Integer z, Integer f, List<Integer> l, List<Integer> p, List<Integer> q) {
  /** How many values there are in the columns of few values. */
  static final int VALUES = 6;

  private static final int DIMENSION = 8;

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              number("k"),
              number("m"),
              number("z"),
              number("f"),
              new Field("l", FieldType.nullable(ArrowType.List.INSTANCE), List.of(number("item"))),
              SampleFields.fixedSizeList("p", DIMENSION, SampleFields.float32("item")),
              SampleFields.fixedSizeList("q", DIMENSION, SampleFields.float32("item"))));

  private static Field number(String name) {
    return Field.nullable(name, new ArrowType.Int(32, true));
  }

  static MaintainedRow random(int k, Random random) {
    return new MaintainedRow(
        k,
        value(random),
        value(random),
        value(random),
        labels(random),
        vector(random),
        vector(random));
  }

  private static Integer value(Random random) {
    return random.nextInt(VALUES) == 0 ? null : (Integer) random.nextInt(VALUES);
  }

  private static List<Integer> labels(Random random) {
    if (random.nextInt(8) == 0) {
      return null;
    }
    Set<Integer> labels = new HashSet<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      labels.add(random.nextInt(VALUES));
    }
    return List.copyOf(labels);
  }

  private static List<Integer> vector(Random random) {
    return random.nextInt(9) == 0 ? null : point(random);
  }

  /** A vector to look for. */
  static List<Integer> point(Random random) {
    List<Integer> components = new ArrayList<>();
    for (int i = 0; i < DIMENSION; i++) {
      components.add(random.nextInt(19) - 9);
    }
    return List.copyOf(components);
  }

  MaintainedRow withZone(Integer value) {
    return new MaintainedRow(k, m, value, f, l, p, q);
  }

  /** The squared distance of two vectors. */
  static float distance(List<Integer> vector, List<Integer> other) {
    int sum = 0;
    for (int i = 0; i < DIMENSION; i++) {
      int difference = vector.get(i) - other.get(i);
      sum += difference * difference;
    }
    return sum;
  }

  /** Rows as a batch. */
  static VectorSchemaRoot batch(Collection<MaintainedRow> rows, BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    root.allocateNew();
    int at = 0;
    for (MaintainedRow row : rows) {
      set(root, "k", at, row.k);
      set(root, "m", at, row.m);
      set(root, "z", at, row.z);
      set(root, "f", at, row.f);
      setLabels((ListVector) root.getVector("l"), at, row.l);
      setVector((FixedSizeListVector) root.getVector("p"), at, row.p);
      setVector((FixedSizeListVector) root.getVector("q"), at, row.q);
      at++;
    }
    root.setRowCount(at);
    return root;
  }

  private static void set(VectorSchemaRoot root, String column, int at, Integer value) {
    if (value != null) {
      ((IntVector) root.getVector(column)).setSafe(at, value);
    }
  }

  private static void setLabels(ListVector lists, int at, List<Integer> labels) {
    if (labels == null) {
      lists.setNull(at);
      return;
    }
    int start = lists.startNewValue(at);
    for (int i = 0; i < labels.size(); i++) {
      ((IntVector) lists.getDataVector()).setSafe(start + i, labels.get(i));
    }
    lists.endValue(at, labels.size());
  }

  private static void setVector(FixedSizeListVector lists, int at, List<Integer> vector) {
    if (vector == null) {
      lists.setNull(at);
      return;
    }
    lists.startNewValue(at);
    for (int i = 0; i < DIMENSION; i++) {
      ((Float4Vector) lists.getDataVector()).setSafe(at * DIMENSION + i, vector.get(i));
    }
  }
}
