package dev.lance4j.format.internal.sort;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.ArrayLayout;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Turns the values of a column into bytes that, compared without sign, are ordered as the values
 * are. No value's bytes are the beginning of those of another one, so that keys of several columns
 * can be joined.
 */
abstract class KeyEncoder {
  private static final int NULL_FIRST = 0;
  private static final int VALID = 1;
  private static final int NULL_LAST = 2;
  private static final int END = 0;
  private static final int MORE = 1;
  private static final int ESCAPED = 0xFF;

  private final boolean descending;
  private final boolean nullsFirst;

  private KeyEncoder(boolean descending, boolean nullsFirst) {
    this.descending = descending;
    this.nullsFirst = nullsFirst;
  }

  /** The encoder of a column whose type has an order. */
  static KeyEncoder of(Field field, boolean descending, boolean nullsFirst) {
    if (field.getDictionary() != null) {
      FieldType values = new FieldType(true, field.getType(), null);
      Field decoded = new Field(field.getName(), values, field.getChildren());
      ArrowType.Int keys = field.getDictionary().getIndexType();
      return new Words(of(decoded, descending, nullsFirst), keys, descending, nullsFirst);
    }
    ArrayLayout layout = ArrayLayout.of(field);
    return switch (layout.kind()) {
      case NULL -> new Nothing(descending, nullsFirst);
      case FIXED -> fixed(field.getType(), layout.bits(), descending, nullsFirst);
      case VARIABLE, LARGE_VARIABLE -> new Bytes(layout.hasLongOffsets(), descending, nullsFirst);
      case LIST, LARGE_LIST -> {
        KeyEncoder items = of(field.getChildren().get(0), descending, nullsFirst);
        yield new Items(items, layout.hasLongOffsets(), descending, nullsFirst);
      }
      case FIXED_SIZE_LIST -> {
        KeyEncoder items = of(field.getChildren().get(0), descending, nullsFirst);
        yield new FixedItems(items, layout.bits(), descending, nullsFirst);
      }
      case STRUCT ->
          new Fields(
              field.getChildren().stream()
                  .map(child -> of(child, descending, nullsFirst))
                  .toArray(KeyEncoder[]::new),
              descending,
              nullsFirst);
    };
  }

  private static KeyEncoder fixed(
      ArrowType type, int bits, boolean descending, boolean nullsFirst) {
    if (type instanceof ArrowType.ExtensionType extension) {
      return fixed(extension.storageType(), bits, descending, nullsFirst);
    }
    if (bits == 1) {
      return new Flags(descending, nullsFirst);
    }
    if (type instanceof ArrowType.FixedSizeBinary) {
      return new FixedBytes(bits / 8, descending, nullsFirst);
    }
    if (type instanceof ArrowType.FloatingPoint) {
      return new Numbers(bits / 8, Numbers.Form.FLOAT, descending, nullsFirst);
    }
    boolean unsigned = type instanceof ArrowType.Int number && !number.getIsSigned();
    Numbers.Form form = unsigned ? Numbers.Form.UNSIGNED : Numbers.Form.SIGNED;
    return bits <= Long.SIZE
        ? new Numbers(bits / 8, form, descending, nullsFirst)
        : new Decimals(bits / 8, descending, nullsFirst);
  }

  /** Appends the key of a value. */
  final void append(ArrayData array, int row, KeyBytes into) {
    into.reserve(1);
    if (isNull(array, row)) {
      into.put(nullsFirst ? NULL_FIRST : NULL_LAST);
    } else {
      into.put(VALID);
      appendValue(array, row, into);
    }
  }

  boolean isNull(ArrayData array, int row) {
    return !array.isValid(row);
  }

  /** Appends the key of a value that is not null. */
  abstract void appendValue(ArrayData array, int row, KeyBytes into);

  /** Turns the order around for bytes that were appended, if that is wanted. */
  final void direct(KeyBytes into, int from) {
    if (descending) {
      into.invert(from);
    }
  }

  final void putMarker(KeyBytes into, int marker) {
    into.reserve(1);
    into.put(descending ? ~marker : marker);
  }

  private static final class Nothing extends KeyEncoder {
    Nothing(boolean descending, boolean nullsFirst) {
      super(descending, nullsFirst);
    }

    @Override
    boolean isNull(ArrayData array, int row) {
      return true;
    }

    @Override
    void appendValue(ArrayData array, int row, KeyBytes into) {
      throw new IllegalStateException("all values are null");
    }
  }

  private static final class Flags extends KeyEncoder {
    Flags(boolean descending, boolean nullsFirst) {
      super(descending, nullsFirst);
    }

    @Override
    void appendValue(ArrayData array, int row, KeyBytes into) {
      putMarker(into, array.buffer(1).getByte(row >> 3) >> (row & 7) & 1);
    }
  }

  /** Numbers of up to 64 bits, times among them. */
  private static final class Numbers extends KeyEncoder {
    private enum Form {
      SIGNED,
      UNSIGNED,
      FLOAT
    }

    private final int width;
    private final Form form;
    private final long sign;

    Numbers(int width, Form form, boolean descending, boolean nullsFirst) {
      super(descending, nullsFirst);
      this.width = width;
      this.form = form;
      this.sign = 1L << (8 * width - 1);
    }

    @Override
    void appendValue(ArrayData array, int row, KeyBytes into) {
      long value = get(array.buffer(1), row);
      if (form == Form.SIGNED) {
        value ^= sign;
      } else if (form == Form.FLOAT) {
        value = (value & sign) != 0 ? ~value : value | sign;
      }
      into.reserve(width);
      int from = into.size();
      into.putBigEndian(value, width);
      direct(into, from);
    }

    private long get(ArrowBuf values, int row) {
      long at = (long) row * width;
      return switch (width) {
        case 1 -> values.getByte(at);
        case 2 -> values.getShort(at);
        case 4 -> values.getInt(at);
        default -> values.getLong(at);
      };
    }
  }

  private static final class Decimals extends KeyEncoder {
    private final int width;

    Decimals(int width, boolean descending, boolean nullsFirst) {
      super(descending, nullsFirst);
      this.width = width;
    }

    @Override
    void appendValue(ArrayData array, int row, KeyBytes into) {
      into.reserve(width);
      int from = into.size();
      long at = (long) row * width;
      for (int word = width - Long.BYTES; word >= 0; word -= Long.BYTES) {
        into.putBigEndian(array.buffer(1).getLong(at + word), Long.BYTES);
      }
      into.array()[from] ^= Byte.MIN_VALUE;
      direct(into, from);
    }
  }

  private static final class FixedBytes extends KeyEncoder {
    private final int width;

    FixedBytes(int width, boolean descending, boolean nullsFirst) {
      super(descending, nullsFirst);
      this.width = width;
    }

    @Override
    void appendValue(ArrayData array, int row, KeyBytes into) {
      into.reserve(width);
      int from = into.size();
      for (int i = 0; i < width; i++) {
        into.put(array.buffer(1).getByte((long) row * width + i));
      }
      direct(into, from);
    }
  }

  /** Text and binary: zeros are escaped, so that a zero can end the value. */
  private static final class Bytes extends KeyEncoder {
    private final boolean wide;

    Bytes(boolean wide, boolean descending, boolean nullsFirst) {
      super(descending, nullsFirst);
      this.wide = wide;
    }

    @Override
    void appendValue(ArrayData array, int row, KeyBytes into) {
      long start = offset(array, row, wide);
      long end = offset(array, row + 1, wide);
      into.reserve(Math.toIntExact(2 * (end - start) + 2));
      int from = into.size();
      for (long i = start; i < end; i++) {
        byte value = array.buffer(2).getByte(i);
        into.put(value);
        if (value == 0) {
          into.put(ESCAPED);
        }
      }
      into.put(END);
      into.put(END);
      direct(into, from);
    }
  }

  static long offset(ArrayData array, int row, boolean wide) {
    ArrowBuf offsets = array.buffer(1);
    return wide
        ? offsets.getLong((long) row * Long.BYTES)
        : offsets.getInt((long) row * Integer.BYTES);
  }

  private static final class Items extends KeyEncoder {
    private final KeyEncoder items;
    private final boolean wide;

    Items(KeyEncoder items, boolean wide, boolean descending, boolean nullsFirst) {
      super(descending, nullsFirst);
      this.items = items;
      this.wide = wide;
    }

    @Override
    void appendValue(ArrayData array, int row, KeyBytes into) {
      int end = (int) offset(array, row + 1, wide);
      for (int item = (int) offset(array, row, wide); item < end; item++) {
        putMarker(into, MORE);
        items.append(array.child(0), item, into);
      }
      putMarker(into, END);
    }
  }

  private static final class FixedItems extends KeyEncoder {
    private final KeyEncoder items;
    private final int count;

    FixedItems(KeyEncoder items, int count, boolean descending, boolean nullsFirst) {
      super(descending, nullsFirst);
      this.items = items;
      this.count = count;
    }

    @Override
    void appendValue(ArrayData array, int row, KeyBytes into) {
      for (int i = 0; i < count; i++) {
        items.append(array.child(0), row * count + i, into);
      }
    }
  }

  private static final class Fields extends KeyEncoder {
    private final KeyEncoder[] fields;

    Fields(KeyEncoder[] fields, boolean descending, boolean nullsFirst) {
      super(descending, nullsFirst);
      this.fields = fields;
    }

    @Override
    void appendValue(ArrayData array, int row, KeyBytes into) {
      for (int i = 0; i < fields.length; i++) {
        fields[i].append(array.child(i), row, into);
      }
    }
  }

  /** Keys into a dictionary, ordered by what they stand for. */
  private static final class Words extends KeyEncoder {
    private final KeyEncoder words;
    private final int width;
    private final long mask;

    Words(KeyEncoder words, ArrowType.Int keys, boolean descending, boolean nullsFirst) {
      super(descending, nullsFirst);
      this.words = words;
      this.width = keys.getBitWidth() / 8;
      this.mask = width == Long.BYTES ? -1 : (1L << (8 * width)) - 1;
    }

    @Override
    boolean isNull(ArrayData array, int row) {
      return !array.isValid(row) || words.isNull(array.dictionary(), key(array, row));
    }

    @Override
    void appendValue(ArrayData array, int row, KeyBytes into) {
      words.appendValue(array.dictionary(), key(array, row), into);
    }

    private int key(ArrayData array, int row) {
      ArrowBuf keys = array.buffer(1);
      long at = (long) row * width;
      long key =
          switch (width) {
            case 1 -> keys.getByte(at);
            case 2 -> keys.getShort(at);
            case 4 -> keys.getInt(at);
            default -> keys.getLong(at);
          };
      return (int) (key & mask);
    }
  }
}
