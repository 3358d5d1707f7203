package dev.lance4j.scan.internal.nearest;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.index.vector.Metric;
import dev.lance4j.index.vector.QueryVector;
import dev.lance4j.index.vector.VectorColumn;
import dev.lance4j.scan.internal.column.OutputColumn;
import dev.lance4j.scan.internal.column.OutputColumns;
import dev.lance4j.scan.internal.column.ValueForm;
import java.util.List;

/**
 * A column whose vectors are searched.
 *
 * @param part how to read it
 * @param fieldId of it in the schema
 * @param vectors their shape
 */
public record SearchedColumn(OutputColumn.Part part, int fieldId, VectorColumn vectors) {

  /**
   * The column of a name.
   *
   * @throws InvalidInputException if there is none
   * @throws SchemaMismatchException if it is not one of vectors
   */
  public static SearchedColumn named(LanceSchema table, String name) {
    if (new OutputColumns(table, ValueForm.STORED).named(name, name)
        instanceof OutputColumn.Part part) {
      return new SearchedColumn(part, fieldId(table, name), VectorColumn.of(part.field()));
    }
    throw new SchemaMismatchException("The column '" + name + "' has no vectors");
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
    if (vectors.element().isBits()) {
      return Metric.HAMMING;
    }
    return vectors.isMulti() ? Metric.COSINE : Metric.L2;
  }

  /**
   * Checks that vectors of the column have distances by a metric.
   *
   * @throws InvalidInputException if they have not
   */
  public void check(Metric metric) {
    boolean isBits = vectors.element().isBits();
    if (isBits != (metric == Metric.HAMMING)) {
      throw new InvalidInputException(
          String.format(
              "Distance type %s does not support the vectors of %s of column '%s': use %s",
              metric, vectors.element(), name(), isBits ? "hamming" : "l2, cosine or dot"));
    }
    if (vectors.isMulti() && metric != Metric.COSINE) {
      throw new InvalidInputException(
          String.format(
              "multivector type supports only cosine distance, not %s: column '%s' has lists of"
                  + " vectors",
              metric, name()));
    }
  }

  /** A query of bytes: of bits, or of signed numbers. */
  QueryVector query(byte[] bytes) {
    if (vectors.element().isBits()) {
      return QueryVector.ofBits(bytes);
    }
    double[] numbers = new double[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      numbers[i] = bytes[i];
    }
    return QueryVector.of(numbers);
  }
}
