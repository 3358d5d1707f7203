package dev.lance4j.index.internal.query;

import dev.lance4j.format.internal.data.ArrayBatch;
import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayGather;
import dev.lance4j.format.internal.data.BatchVectors;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Values as people read them. */
public final class ValueText {
  private ValueText() {}

  /** A value of an array; {@code NULL} for a null. */
  public static String of(Field field, ArrayData array, int row, BufferAllocator allocator) {
    ArrayData one = ArrayGather.gather(field, array, new int[] {row}, allocator);
    Schema schema = new Schema(List.of(field));
    try (BatchVectors vectors =
        new BatchVectors(schema, new ArrayBatch(1, List.of(one)), allocator)) {
      FieldVector vector = vectors.root().getVector(0);
      return vector.isNull(0) ? "NULL" : String.valueOf(vector.getObject(0));
    }
  }
}
