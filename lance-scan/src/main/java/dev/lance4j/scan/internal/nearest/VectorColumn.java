package dev.lance4j.scan.internal.nearest;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.internal.storage.Elements;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.scan.internal.column.ValueForm;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A column of vectors.
 *
 * @param part how to read it
 * @param fieldId of it in the schema
 * @param element of a vector
 * @param dimension of a vector in components; of bits, in bytes
 * @param isMulti whether a row has a list of vectors
 */
public record VectorColumn(
    OutputColumn.Part part, int fieldId, VectorElement element, int dimension, boolean isMulti) {

  /**
   * The column of a name.
   *
   * @throws InvalidInputException if there is none
   * @throws SchemaMismatchException if it is not one of vectors
   */
  public static VectorColumn named(LanceSchema table, String name) {
    if (!(new OutputColumns(table, ValueForm.STORED).named(name, name)
        instanceof OutputColumn.Part part)) {
      throw notVectors(name, "it is made from where rows are");
    }
    Field field = part.field();
    boolean isMulti =
        field.getType() instanceof ArrowType.List || field.getType() instanceof ArrowType.LargeList;
    Field vector = isMulti ? field.getChildren().get(0) : field;
    if (!(vector.getType() instanceof ArrowType.FixedSizeList list)) {
      throw notVectors(name, "its values are " + field.getType());
    }
    try {
      VectorElement element = VectorElement.of(vector.getChildren().get(0));
      return new VectorColumn(part, fieldId(table, name), element, list.getListSize(), isMulti);
    } catch (SchemaMismatchException e) {
      throw notVectors(name, e.getMessage());
    }
  }

  private static SchemaMismatchException notVectors(String name, String why) {
    return new SchemaMismatchException(
        String.format(
            "Column '%s' is not one of vectors: %s. Vectors are fixed-size lists of float16,"
                + " bfloat16, float32, float64, int8 or uint8, or lists of these",
            name, why));
  }

  private static int fieldId(LanceSchema table, String name) {
    List<String> path = FieldPath.parse(name);
    LanceField field = table.field(path.get(0));
    for (String child : path.subList(1, path.size())) {
      field = field.child(child);
    }
    return field.id();
  }

  public String name() {
    return part.field().getName();
  }

  /** The metric of queries that do not name one. */
  Metric defaultMetric() {
    if (element.isBits()) {
      return Metric.HAMMING;
    }
    return isMulti ? Metric.COSINE : Metric.L2;
  }

  /**
   * Checks that vectors of the column have distances by a metric.
   *
   * @throws InvalidInputException if they have not
   */
  public void check(Metric metric) {
    if (element.isBits() != (metric == Metric.HAMMING)) {
      throw new InvalidInputException(
          String.format(
              "Distance type %s does not support the vectors of %s of column '%s': use %s",
              metric, element, name(), element.isBits() ? "hamming" : "l2, cosine or dot"));
    }
    if (isMulti && metric != Metric.COSINE) {
      throw new InvalidInputException(
          String.format(
              "multivector type supports only cosine distance, not %s: column '%s' has lists of"
                  + " vectors",
              metric, name()));
    }
  }

  /** A vector of numbers, as precise as those of the column. */
  QueryVector vector(double[] numbers) {
    QueryVector vector = QueryVector.of(numbers);
    if (element == VectorElement.FLOAT64) {
      return vector;
    }
    float[] rounded = vector.floats().clone();
    Elements.round(element, rounded);
    return QueryVector.of(rounded);
  }

  /** A vector of bytes. */
  QueryVector vector(byte[] bytes) {
    if (element.isBits()) {
      return QueryVector.ofBits(bytes);
    }
    double[] numbers = new double[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      numbers[i] = bytes[i];
    }
    return vector(numbers);
  }
}
