package dev.lance4j.scan.internal.expr.values;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.format.SchemaMismatchException;
import dev.lance4j.scan.internal.expr.type.ArrowTypes;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/** Copies Arrow vectors into arrays. */
public final class VectorReader {
  private final DictionaryProvider dictionaries;

  /**
   * @param dictionaries where the values of dictionary-encoded vectors are; may be null if there
   *     are none
   */
  public VectorReader(DictionaryProvider dictionaries) {
    this.dictionaries = dictionaries;
  }

  /** The first {@code size} values of a vector; those of a dictionary-encoded one are decoded. */
  public Values read(FieldVector vector, int size) {
    if (vector.getField().getDictionary() != null) {
      return decode(vector, size);
    }
    return plain(vector, ArrowTypes.of(vector.getField()), size);
  }

  private Values decode(FieldVector keys, int size) {
    long id = keys.getField().getDictionary().getId();
    Dictionary dictionary = dictionaries == null ? null : dictionaries.lookup(id);
    if (dictionary == null) {
      throw new SchemaMismatchException(
          "No dictionary with id " + id + " was given for column '" + keys.getName() + "'");
    }
    FieldVector words = dictionary.getVector();
    Values values = plain(words, ArrowTypes.of(words.getField()), words.getValueCount());
    Type keyType =
        ArrowTypes.of(
            new org.apache.arrow.vector.types.pojo.Field(
                keys.getName(),
                new org.apache.arrow.vector.types.pojo.FieldType(
                    true, keys.getMinorType().getType(), null),
                null));
    LongValues indices = (LongValues) plain(keys, keyType, size);
    int[] rows = new int[size];
    for (int i = 0; i < size; i++) {
      long index = indices.get(i);
      if (indices.isNull(i)) {
        rows[i] = -1;
      } else if (index < 0 || index >= values.size()) {
        throw new SchemaMismatchException(
            "Column '" + keys.getName() + "' has key " + index + " beyond its dictionary");
      } else {
        rows[i] = (int) index;
      }
    }
    return values.gather(rows);
  }

  private Values plain(FieldVector vector, Type type, int size) {
    if (type.is(Kind.NULL)) {
      return new NullValues(size);
    }
    long[] valid = validity(vector, size);
    return switch (type.kind()) {
      case BOOLEAN -> new BoolValues(size, bitmap(vector.getDataBuffer(), size), valid);
      case FLOAT16, FLOAT32, FLOAT64 -> floats(vector.getDataBuffer(), type.kind(), size, valid);
      case DECIMAL128 -> decimals(vector.getDataBuffer(), 16, size, valid);
      case DECIMAL256 -> decimals(vector.getDataBuffer(), 32, size, valid);
      case UTF8, BINARY -> variable(vector, size, valid, false);
      case LARGE_UTF8, LARGE_BINARY -> variable(vector, size, valid, true);
      case FIXED_BINARY -> fixed(vector.getDataBuffer(), type.width(), size, valid);
      case LIST, MAP -> list((ListVector) vector, size, valid);
      case LARGE_LIST -> largeList((LargeListVector) vector, size, valid);
      case FIXED_LIST -> fixedList((FixedSizeListVector) vector, size, valid);
      case STRUCT -> struct((StructVector) vector, size, valid);
      case INTERVAL ->
          throw new InvalidInputException(
              "Expressions cannot read interval column '" + vector.getName() + "'");
      default ->
          new LongValues(longs(vector.getDataBuffer(), type, size), valid, type.is(Kind.UINT64));
    };
  }

  /** The bits of the rows that are not null; null if all are. */
  public static long[] validity(FieldVector vector, int size) {
    return vector.getNullCount() == 0 ? null : bitmap(vector.getValidityBuffer(), size);
  }

  private static long[] bitmap(ArrowBuf buffer, int size) {
    long[] bits = new long[Bits.words(size)];
    int whole = size >>> 6;
    bytes(buffer, 0, whole * 8L).asLongBuffer().get(bits, 0, whole);
    for (int i = whole << 6; i < size; i++) {
      if (((buffer.getByte(i >>> 3) >>> (i & 7)) & 1) != 0) {
        Bits.set(bits, i);
      }
    }
    return bits;
  }

  private static ByteBuffer bytes(ArrowBuf buffer, long from, long length) {
    if (length > Integer.MAX_VALUE) {
      throw new InvalidInputException(
          "A column of one batch exceeds 2 GiB; read with a smaller batch size");
    }
    return buffer.nioBuffer(from, (int) length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static long[] longs(ArrowBuf buffer, Type type, int size) {
    long[] result = new long[size];
    switch (type.kind()) {
      case INT8, UINT8 -> {
        ByteBuffer source = bytes(buffer, 0, size);
        int mask = type.kind().isUnsigned() ? 0xff : -1;
        for (int i = 0; i < size; i++) {
          result[i] = source.get(i) & mask;
        }
      }
      case INT16, UINT16 -> {
        ByteBuffer source = bytes(buffer, 0, size * 2L);
        int mask = type.kind().isUnsigned() ? 0xffff : -1;
        for (int i = 0; i < size; i++) {
          result[i] = source.getShort(i * 2) & mask;
        }
      }
      default -> {
        if (isInt(type)) {
          ByteBuffer source = bytes(buffer, 0, size * 4L);
          long mask = type.is(Kind.UINT32) ? 0xffff_ffffL : -1L;
          for (int i = 0; i < size; i++) {
            result[i] = source.getInt(i * 4) & mask;
          }
        } else {
          bytes(buffer, 0, size * 8L).asLongBuffer().get(result);
        }
      }
    }
    return result;
  }

  private static boolean isInt(Type type) {
    return switch (type.kind()) {
      case INT32, UINT32, DATE32 -> true;
      case TIME -> type.ticksPerSecond() <= 1_000;
      default -> false;
    };
  }

  private static Values floats(ArrowBuf buffer, Kind kind, int size, long[] valid) {
    double[] result = new double[size];
    if (kind == Kind.FLOAT64) {
      bytes(buffer, 0, size * 8L).asDoubleBuffer().get(result);
    } else if (kind == Kind.FLOAT32) {
      ByteBuffer source = bytes(buffer, 0, size * 4L);
      for (int i = 0; i < size; i++) {
        result[i] = source.getFloat(i * 4);
      }
    } else {
      ByteBuffer source = bytes(buffer, 0, size * 2L);
      for (int i = 0; i < size; i++) {
        result[i] = Float16.toFloat(source.getShort(i * 2));
      }
    }
    return new DoubleValues(result, valid);
  }

  private static Values decimals(ArrowBuf buffer, int width, int size, long[] valid) {
    BigInteger[] result = new BigInteger[size];
    byte[] bigEndian = new byte[width];
    for (int i = 0; i < size; i++) {
      if (valid != null && !Bits.get(valid, i)) {
        result[i] = BigInteger.ZERO;
        continue;
      }
      long at = (long) i * width;
      for (int b = 0; b < width; b++) {
        bigEndian[width - 1 - b] = buffer.getByte(at + b);
      }
      result[i] = new BigInteger(bigEndian);
    }
    return new DecimalValues(result, valid);
  }

  private static Values variable(FieldVector vector, int size, long[] valid, boolean large) {
    int[] starts = new int[size];
    int[] ends = new int[size];
    if (size == 0) {
      return new BytesValues(new byte[0], starts, ends, valid);
    }
    ArrowBuf offsets = vector.getOffsetBuffer();
    long first = large ? offsets.getLong(0) : offsets.getInt(0);
    long last = large ? offsets.getLong(size * 8L) : offsets.getInt(size * 4L);
    ByteBuffer data = bytes(vector.getDataBuffer(), first, last - first);
    byte[] bytes = new byte[data.remaining()];
    data.get(bytes);
    if (large) {
      for (int i = 0; i < size; i++) {
        starts[i] = (int) (offsets.getLong(i * 8L) - first);
        ends[i] = (int) (offsets.getLong((i + 1) * 8L) - first);
      }
    } else {
      IntBuffer all = bytes(offsets, 0, 4L * (size + 1)).asIntBuffer();
      all.get(0, starts);
      all.get(1, ends);
      subtract((int) first, starts);
      subtract((int) first, ends);
    }
    return new BytesValues(bytes, starts, ends, valid);
  }

  private static void subtract(int first, int[] offsets) {
    if (first != 0) {
      for (int i = 0; i < offsets.length; i++) {
        offsets[i] -= first;
      }
    }
  }

  private static Values fixed(ArrowBuf buffer, int width, int size, long[] valid) {
    ByteBuffer data = bytes(buffer, 0, (long) width * size);
    byte[] bytes = new byte[data.remaining()];
    data.get(bytes);
    int[] starts = new int[size];
    int[] ends = new int[size];
    for (int i = 0; i < size; i++) {
      starts[i] = i * width;
      ends[i] = (i + 1) * width;
    }
    return new BytesValues(bytes, starts, ends, valid);
  }

  private Values list(ListVector vector, int size, long[] valid) {
    int[] starts = new int[size];
    int[] ends = new int[size];
    for (int i = 0; i < size; i++) {
      if (valid == null || Bits.get(valid, i)) {
        starts[i] = vector.getElementStartIndex(i);
        ends[i] = vector.getElementEndIndex(i);
      }
    }
    FieldVector items = vector.getDataVector();
    return new ListValues(starts, ends, read(items, items.getValueCount()), valid);
  }

  private Values largeList(LargeListVector vector, int size, long[] valid) {
    int[] starts = new int[size];
    int[] ends = new int[size];
    for (int i = 0; i < size; i++) {
      if (valid == null || Bits.get(valid, i)) {
        starts[i] = Math.toIntExact(vector.getElementStartIndex(i));
        ends[i] = Math.toIntExact(vector.getElementEndIndex(i));
      }
    }
    FieldVector items = vector.getDataVector();
    return new ListValues(starts, ends, read(items, items.getValueCount()), valid);
  }

  private Values fixedList(FixedSizeListVector vector, int size, long[] valid) {
    int width = vector.getListSize();
    int[] starts = new int[size];
    int[] ends = new int[size];
    for (int i = 0; i < size; i++) {
      starts[i] = Math.multiplyExact(i, width);
      ends[i] = starts[i] + width;
    }
    return new ListValues(
        starts, ends, read(vector.getDataVector(), Math.multiplyExact(size, width)), valid);
  }

  private Values struct(StructVector vector, int size, long[] valid) {
    Values[] fields = new Values[vector.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = read((FieldVector) vector.getChildByOrdinal(i), size);
    }
    return new StructValues(size, fields, valid);
  }
}
