package dev.lance4j.interop;

import dev.lance4j.format.testing.ArrowTable;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;

/** Files of version 2.0 do not tell which structs are null. */
final class StructNulls {
  private StructNulls() {}

  /** Makes every struct of a table valid, at any depth; what is beneath stays. */
  static void remove(ArrowTable table) {
    table.root().getFieldVectors().forEach(StructNulls::remove);
  }

  private static void remove(FieldVector vector) {
    if (vector instanceof StructVector) {
      for (int i = 0; i < vector.getValueCount(); i++) {
        BitVectorHelper.setBit(vector.getValidityBuffer(), i);
      }
    }
    vector.getChildrenFromFields().forEach(StructNulls::remove);
  }
}
