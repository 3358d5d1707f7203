package dev.lance4j.index.vector.internal.storage;

import dev.lance4j.index.vector.VectorElement;
import dev.lance4j.index.vector.internal.kernel.Halves;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Components of vectors between the bytes that are stored and the arrays that are computed on. */
public final class Elements {
  private Elements() {}

  /**
   * Reads components as single-precision numbers, which is exact for all but {@link
   * VectorElement#FLOAT64}.
   *
   * @param bytes little-endian, from the position on; the position stays
   * @param count how many to read
   */
  public static void toFloats(
      VectorElement element, ByteBuffer bytes, float[] out, int at, int count) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    switch (element) {
      case FLOAT32 -> in.asFloatBuffer().get(out, at, count);
      case FLOAT16 -> {
        for (int i = 0; i < count; i++) {
          out[at + i] = Halves.half(in.getShort(i * Short.BYTES));
        }
      }
      case BFLOAT16 -> {
        for (int i = 0; i < count; i++) {
          out[at + i] = Halves.brain(in.getShort(i * Short.BYTES));
        }
      }
      case FLOAT64 -> {
        for (int i = 0; i < count; i++) {
          out[at + i] = (float) in.getDouble(i * Double.BYTES);
        }
      }
      case INT8 -> {
        for (int i = 0; i < count; i++) {
          out[at + i] = in.get(i);
        }
      }
      case UINT8 -> {
        for (int i = 0; i < count; i++) {
          out[at + i] = in.get(i) & 0xFF;
        }
      }
    }
  }

  /** Writes components, rounded to the element's precision; see {@link #toFloats}. */
  public static void fromFloats(
      VectorElement element, float[] values, int from, int count, ByteBuffer out) {
    ByteBuffer to = out.order(ByteOrder.LITTLE_ENDIAN);
    for (int i = from; i < from + count; i++) {
      switch (element) {
        case FLOAT32 -> to.putFloat(values[i]);
        case FLOAT16 -> to.putShort(Halves.toHalf(values[i]));
        case BFLOAT16 -> to.putShort(Halves.toBrain(values[i]));
        case FLOAT64 -> to.putDouble(values[i]);
        case INT8, UINT8 -> to.put((byte) (int) values[i]);
      }
    }
  }

  /** Rounds values, in place, to what the element can hold, so that they are what is stored. */
  public static void round(VectorElement element, float[] values) {
    for (int i = 0; i < values.length; i++) {
      switch (element) {
        case FLOAT16 -> values[i] = Halves.half(Halves.toHalf(values[i]));
        case BFLOAT16 -> values[i] = Halves.brain(Halves.toBrain(values[i]));
        default -> {
          return;
        }
      }
    }
  }
}
