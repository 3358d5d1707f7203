package dev.lance4j.scan.internal.expr.values;

import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Copies values into new Arrow vectors. */
public final class VectorWriter {
  private VectorWriter() {}

  /** A new vector with the values; the caller closes it. */
  public static FieldVector write(
      Field field, Type type, Values values, BufferAllocator allocator) {
    FieldVector vector = field.createVector(allocator);
    try {
      fill(vector, type.decoded(), values);
      return vector;
    } catch (RuntimeException | Error e) {
      vector.close();
      throw e;
    }
  }

  private static void fill(FieldVector vector, Type type, Values values) {
    int size = values.size();
    vector.setInitialCapacity(size);
    if (values instanceof LongValues longs) {
      fillLongs((BaseFixedWidthVector) vector, longs);
    } else if (values instanceof DoubleValues doubles) {
      fillDoubles((BaseFixedWidthVector) vector, type.kind(), doubles);
    } else if (values instanceof BoolValues flags) {
      fillBits((BitVector) vector, flags);
    } else if (values instanceof DecimalValues decimals) {
      fillDecimals((BaseFixedWidthVector) vector, decimals);
    } else if (values instanceof BytesValues bytes) {
      fillBytes(vector, bytes);
    } else if (values instanceof IntervalValues intervals) {
      fillIntervals((IntervalMonthDayNanoVector) vector, intervals);
    } else if (values instanceof ListValues lists) {
      fillLists(vector, type, lists);
    } else if (values instanceof StructValues structs) {
      fillStruct((StructVector) vector, type, structs);
    }
    vector.setValueCount(size);
  }

  private static void fillLongs(BaseFixedWidthVector vector, LongValues values) {
    int size = values.size();
    vector.allocateNew(size);
    int width = vector.getTypeWidth();
    for (int i = 0; i < size; i++) {
      long value = values.get(i);
      switch (width) {
        case 1 -> vector.getDataBuffer().setByte(i, (byte) value);
        case 2 -> vector.getDataBuffer().setShort(i * 2L, (short) value);
        case 4 -> vector.getDataBuffer().setInt(i * 4L, (int) value);
        default -> vector.getDataBuffer().setLong(i * 8L, value);
      }
    }
    setValidity(vector, values);
  }

  private static void fillDoubles(BaseFixedWidthVector vector, Kind kind, DoubleValues values) {
    int size = values.size();
    vector.allocateNew(size);
    for (int i = 0; i < size; i++) {
      double value = values.get(i);
      switch (kind) {
        case FLOAT16 -> vector.getDataBuffer().setShort(i * 2L, Float16.toFloat16((float) value));
        case FLOAT32 -> vector.getDataBuffer().setFloat(i * 4L, (float) value);
        default -> vector.getDataBuffer().setDouble(i * 8L, value);
      }
    }
    setValidity(vector, values);
  }

  private static void fillBits(BitVector vector, BoolValues values) {
    vector.allocateNew(values.size());
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i)) {
        BitVectorHelper.setBit(vector.getDataBuffer(), i);
      } else {
        BitVectorHelper.unsetBit(vector.getDataBuffer(), i);
      }
    }
    setValidity(vector, values);
  }

  private static void setValidity(FieldVector vector, Values values) {
    for (int i = 0; i < values.size(); i++) {
      BitVectorHelper.setValidityBit(vector.getValidityBuffer(), i, values.isNull(i) ? 0 : 1);
    }
  }

  /** Little-endian, sign-extended to the vector's width. */
  private static void fillDecimals(BaseFixedWidthVector vector, DecimalValues values) {
    int size = values.size();
    vector.allocateNew(size);
    int width = vector.getTypeWidth();
    for (int i = 0; i < size; i++) {
      byte[] bigEndian = values.get(i).toByteArray();
      byte fill = (byte) (bigEndian[0] < 0 ? -1 : 0);
      for (int b = 0; b < width; b++) {
        int from = bigEndian.length - 1 - b;
        vector.getDataBuffer().setByte((long) i * width + b, from < 0 ? fill : bigEndian[from]);
      }
    }
    setValidity(vector, values);
  }

  private static void fillBytes(FieldVector vector, BytesValues values) {
    for (int i = 0; i < values.size(); i++) {
      if (values.isNull(i)) {
        continue;
      }
      int start = values.starts()[i];
      if (vector instanceof BaseVariableWidthVector variable) {
        variable.setSafe(i, values.bytes(), start, values.length(i));
      } else if (vector instanceof BaseLargeVariableWidthVector variable) {
        variable.setSafe(i, values.bytes(), start, values.length(i));
      } else {
        ((org.apache.arrow.vector.FixedSizeBinaryVector) vector).setSafe(i, values.copy(i));
      }
    }
  }

  private static void fillIntervals(IntervalMonthDayNanoVector vector, IntervalValues values) {
    for (int i = 0; i < values.size(); i++) {
      if (!values.isNull(i)) {
        vector.setSafe(i, values.months(i), values.days(i), values.nanos(i));
      }
    }
  }

  private static void fillLists(FieldVector vector, Type type, ListValues values) {
    Type itemType = type.is(Kind.MAP) ? Values.entry(type) : type.item();
    Values items = values.items().gather(itemRows(values, type));
    for (int i = 0; i < values.size(); i++) {
      if (vector instanceof FixedSizeListVector fixed) {
        if (!values.isNull(i)) {
          fixed.setNotNull(i);
        }
      } else if (!values.isNull(i)) {
        if (vector instanceof LargeListVector large) {
          large.startNewValue(i);
          large.endValue(i, values.length(i));
        } else {
          ((ListVector) vector).startNewValue(i);
          ((ListVector) vector).endValue(i, values.length(i));
        }
      }
    }
    FieldVector child = vector.getChildrenFromFields().get(0);
    fill(child, itemType.decoded(), items);
  }

  /** The items of all lists one after the other; a null fixed-size list has items too. */
  private static int[] itemRows(ListValues values, Type type) {
    java.util.stream.IntStream.Builder rows = java.util.stream.IntStream.builder();
    for (int i = 0; i < values.size(); i++) {
      if (!values.isNull(i)) {
        for (int item = values.start(i); item < values.end(i); item++) {
          rows.add(item);
        }
      } else if (type.is(Kind.FIXED_LIST)) {
        for (int item = 0; item < type.width(); item++) {
          rows.add(-1);
        }
      }
    }
    return rows.build().toArray();
  }

  private static void fillStruct(StructVector vector, Type type, StructValues values) {
    for (int i = 0; i < values.size(); i++) {
      if (!values.isNull(i)) {
        vector.setIndexDefined(i);
      }
    }
    for (int i = 0; i < values.width(); i++) {
      fill(
          (FieldVector) vector.getChildByOrdinal(i),
          type.children().get(i).type().decoded(),
          values.field(i));
    }
  }
}
