package dev.lance4j.format.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * Checks that no value of a vector lies outside its buffers. Arrow's own check does not know all
 * types and looks at values too.
 */
final class VectorCheck {
  private VectorCheck() {}

  /** Fails unless a vector has {@code count} values inside its buffers, at any depth. */
  static void check(FieldVector vector, int count) {
    assertThat(vector.getValueCount()).as(vector.getName()).isGreaterThanOrEqualTo(count);
    if (vector instanceof NullVector) {
      return;
    }
    room(vector, vector.getValidityBuffer(), (count + 7L) / 8);
    if (vector instanceof BitVector) {
      room(vector, vector.getDataBuffer(), (count + 7L) / 8);
    } else if (vector instanceof BaseFixedWidthVector fixed) {
      room(vector, vector.getDataBuffer(), (long) count * fixed.getTypeWidth());
    } else if (vector instanceof StructVector) {
      vector.getChildrenFromFields().forEach(child -> check(child, count));
    } else if (vector instanceof FixedSizeListVector list) {
      check(list.getDataVector(), Math.multiplyExact(count, list.getListSize()));
    } else if (vector instanceof ListVector list) {
      check(list.getDataVector(), (int) end(vector, count, Integer.BYTES));
    } else if (vector instanceof LargeListVector list) {
      check(list.getDataVector(), Math.toIntExact(end(vector, count, Long.BYTES)));
    } else {
      int width =
          vector.getField().getType().getTypeID().name().startsWith("Large")
              ? Long.BYTES
              : Integer.BYTES;
      room(vector, vector.getDataBuffer(), end(vector, count, width));
    }
  }

  /** The last offset, after all of them were checked to ascend. */
  private static long end(FieldVector vector, int count, int width) {
    if (count == 0) {
      return 0;
    }
    ArrowBuf offsets = vector.getOffsetBuffer();
    room(vector, offsets, (count + 1L) * width);
    long last = 0;
    for (long i = 0; i <= count; i++) {
      long offset = width == Integer.BYTES ? offsets.getInt(i * width) : offsets.getLong(i * width);
      assertThat(offset).as("offset %d of %s", i, vector.getName()).isGreaterThanOrEqualTo(last);
      last = offset;
    }
    return last;
  }

  private static void room(FieldVector vector, ArrowBuf buffer, long bytes) {
    assertThat(buffer.capacity()).as(vector.getName()).isGreaterThanOrEqualTo(bytes);
  }
}
