package dev.lance4j.scan.internal.column;

import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import java.util.List;

/**
 * Stored columns that are read together.
 *
 * @param number of the group in its plan, from 0 on
 * @param firstSlot the slot of the first column; the others follow
 * @param schema the columns as they are read
 */
public record ReadGroup(int number, int firstSlot, LanceSchema schema) {
  public boolean isEmpty() {
    return schema.fields().isEmpty();
  }

  /** The names of what is read. */
  public List<String> names() {
    return schema.fields().stream().map(LanceField::name).toList();
  }

  /** About how many bytes the values of one row take. */
  public double estimatedWidth() {
    double width = 0;
    for (LanceField field : schema.fields()) {
      width += ValueWidth.estimate(field.toArrow());
    }
    return width;
  }
}
