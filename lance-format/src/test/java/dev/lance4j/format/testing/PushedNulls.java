package dev.lance4j.format.testing;

import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.StructVector;

/** What version 2.0 makes of null structs: structs whose children are null. */
public final class PushedNulls {
  private PushedNulls() {}

  /** Changes a vector to what version 2.0 can hold of it. */
  public static void apply(FieldVector vector) {
    if (vector instanceof StructVector struct) {
      for (int i = 0; i < struct.getValueCount(); i++) {
        if (struct.isNull(i)) {
          for (FieldVector child : struct.getChildrenFromFields()) {
            setValid(child, i, 0);
          }
          setValid(struct, i, 1);
        }
      }
    }
    vector.getChildrenFromFields().forEach(PushedNulls::apply);
  }

  private static void setValid(FieldVector vector, int i, int bit) {
    if (!(vector instanceof NullVector)) {
      BitVectorHelper.setValidityBit(vector.getValidityBuffer(), i, bit);
    }
  }
}
