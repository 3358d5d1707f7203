package dev.lance4j.write.internal;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayDataVectors;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Vectors without dictionaries as arrays, and back. */
final class VectorArrays {
  private VectorArrays() {}

  /** The arrays of vectors, which are closed; owned by the caller. */
  static List<ArrayData> take(List<FieldVector> vectors, int rows) {
    List<ArrayData> arrays = new ArrayList<>(vectors.size());
    boolean complete = false;
    try {
      for (FieldVector vector : vectors) {
        arrays.add(ArrayDataVectors.of(vector, rows, vector.getName(), null));
      }
      complete = true;
      return arrays;
    } finally {
      vectors.forEach(FieldVector::close);
      if (!complete) {
        arrays.forEach(ArrayData::close);
      }
    }
  }

  /** A vector with the values of an array, sharing its memory; owned by the caller. */
  static FieldVector vector(Field field, ArrayData array, BufferAllocator allocator) {
    FieldVector vector = field.createVector(allocator);
    boolean complete = false;
    try {
      ArrayDataVectors.load(array, vector, allocator);
      vector.setValueCount(array.length());
      complete = true;
      return vector;
    } finally {
      if (!complete) {
        vector.close();
      }
    }
  }
}
