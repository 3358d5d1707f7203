package dev.lance4j.format.testing;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VariableWidthVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Values of any type, the same ones for the same seed and field. Columns differ in kind: runs, few
 * distinct values, small and large ones, all the same. Under a null there may be anything: a value,
 * a list that is not empty. What may not be null is never null.
 */
public final class RandomData {
  private static final long SECONDS_PER_DAY = 86_400;
  private static final int MAX_DICTIONARY = 100;

  private enum Kind {
    ANY,
    SMALL,
    FEW,
    RUNS,
    CONSTANT
  }

  private final BufferAllocator allocator;
  private final long seed;
  private final MapDictionaryProvider dictionaries = new MapDictionaryProvider();

  private RandomData(BufferAllocator allocator, long seed) {
    this.allocator = allocator;
    this.seed = seed;
  }

  /**
   * Makes a table.
   *
   * @param nulls which rows of each column are null; below, nulls are as chance has it, but none
   *     for {@link NullPattern#NONE}
   */
  public static ArrowTable table(
      List<Field> fields, NullPattern nulls, int rows, long seed, BufferAllocator allocator) {
    RandomData data = new RandomData(allocator, seed);
    VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator);
    for (FieldVector vector : root.getFieldVectors()) {
      data.fill(vector, rows, nulls, data.randomOf(vector.getName()));
    }
    root.setRowCount(rows);
    return new ArrowTable(root, data.dictionaries);
  }

  // By name, so that a column has the same values alone as among others.
  private SplittableRandom randomOf(String name) {
    return new SplittableRandom(seed * 31 + name.hashCode());
  }

  private void fill(FieldVector vector, int count, NullPattern nulls, SplittableRandom random) {
    if (vector instanceof NullVector) {
      vector.setValueCount(count);
      return;
    }
    vector.setInitialCapacity(count);
    vector.allocateNew();
    Field field = vector.getField();
    if (field.getDictionary() != null) {
      fillKeys((BaseFixedWidthVector) vector, count, random);
    } else if (vector instanceof BitVector bits) {
      fillBits(bits, count, random);
    } else if (vector instanceof BaseFixedWidthVector fixed) {
      fillFixedWidth(fixed, count, random);
    } else if (vector instanceof VariableWidthVector) {
      fillVariableWidth(vector, count, random);
    } else {
      fillNested(vector, count, nulls, random);
    }
    vector.setValueCount(count);
    NullPattern own = field.isNullable() ? nulls : NullPattern.NONE;
    setValidity(vector.getValidityBuffer(), count, own, random);
  }

  private static void setValidity(
      ArrowBuf validity, int count, NullPattern nulls, SplittableRandom random) {
    int runs = random.nextInt(3) == 0 ? 100 : 1;
    boolean valid = true;
    for (int i = 0; i < count; i++) {
      if (nulls == NullPattern.SOME && random.nextInt(runs) == 0) {
        valid = random.nextInt(10) >= 3;
      }
      BitVectorHelper.setValidityBit(
          validity, i, nulls == NullPattern.NONE || (nulls == NullPattern.SOME && valid) ? 1 : 0);
    }
  }

  private static NullPattern below(NullPattern nulls, SplittableRandom random) {
    NullPattern[] patterns = NullPattern.values();
    return nulls == NullPattern.NONE ? nulls : patterns[random.nextInt(patterns.length)];
  }

  private static Kind kind(SplittableRandom random) {
    Kind[] kinds = Kind.values();
    return kinds[random.nextInt(kinds.length)];
  }

  private void fillNested(
      FieldVector vector, int count, NullPattern nulls, SplittableRandom random) {
    if (vector instanceof StructVector struct) {
      for (FieldVector child : struct.getChildrenFromFields()) {
        fill(child, count, below(nulls, random), random);
      }
    } else if (vector instanceof FixedSizeListVector list) {
      fillFixedSizeItems(list.getDataVector(), count * list.getListSize(), nulls, random);
    } else if (vector instanceof ListVector list) {
      int maxLength = 1 + random.nextInt(6);
      int items = 0;
      for (int i = 0; i < count; i++) {
        list.startNewValue(i);
        int length = random.nextInt(maxLength);
        list.endValue(i, length);
        items += length;
      }
      fillItems(list.getDataVector(), vector.getField(), items, nulls, random);
    } else if (vector instanceof LargeListVector list) {
      int items = 0;
      for (int i = 0; i < count; i++) {
        list.startNewValue(i);
        int length = random.nextInt(4);
        list.endValue(i, length);
        items += length;
      }
      fill(list.getDataVector(), items, below(nulls, random), random);
    } else {
      throw new IllegalArgumentException("There is no random data of " + vector.getField());
    }
  }

  // Never only nulls: the real library cannot read what it writes of such lists.
  private void fillFixedSizeItems(
      FieldVector items, int count, NullPattern nulls, SplittableRandom random) {
    NullPattern below =
        nulls == NullPattern.NONE || random.nextBoolean() ? NullPattern.NONE : NullPattern.SOME;
    fill(items, count, below, random);
    if (count > 0) {
      BitVectorHelper.setBit(items.getValidityBuffer(), 0);
    }
  }

  private void fillItems(
      FieldVector items, Field parent, int count, NullPattern nulls, SplittableRandom random) {
    if (parent.getType() instanceof ArrowType.Map) {
      StructVector entries = (StructVector) items;
      List<FieldVector> keyAndValue = entries.getChildrenFromFields();
      fill(keyAndValue.get(0), count, NullPattern.NONE, random);
      fill(keyAndValue.get(1), count, below(nulls, random), random);
      entries.setValueCount(count);
      setValidity(entries.getValidityBuffer(), count, NullPattern.NONE, random);
    } else {
      fill(items, count, below(nulls, random), random);
    }
  }

  private static void fillBits(BitVector vector, int count, SplittableRandom random) {
    boolean constant = random.nextInt(4) == 0;
    for (int i = 0; i < count; i++) {
      vector.setSafe(i, constant || random.nextBoolean() ? 1 : 0);
    }
  }

  private static void fillFixedWidth(
      BaseFixedWidthVector vector, int count, SplittableRandom random) {
    ArrowBuf values = vector.getDataBuffer();
    int width = vector.getTypeWidth();
    ArrowType type = vector.getField().getType();
    Kind kind = kind(random);
    byte[][] few = new byte[1 + random.nextInt(20)][];
    for (int i = 0; i < few.length; i++) {
      few[i] = value(type, width, kind, random);
    }
    byte[] run = few[0];
    for (int i = 0; i < count; i++) {
      switch (kind) {
        case ANY, SMALL -> run = value(type, width, kind, random);
        case FEW -> run = few[random.nextInt(few.length)];
        case RUNS -> run = random.nextInt(50) == 0 ? value(type, width, kind, random) : run;
        case CONSTANT -> {}
      }
      values.setBytes((long) i * width, run);
    }
  }

  private static byte[] value(ArrowType type, int width, Kind kind, SplittableRandom random) {
    byte[] bytes = new byte[width];
    if (type instanceof ArrowType.Decimal decimal) {
      return decimal(decimal, width, kind, random);
    }
    if (type instanceof ArrowType.FloatingPoint && kind == Kind.SMALL) {
      putLittleEndian(bytes, smallFloat(width, random.nextInt(-50, 50) / 8f));
    } else if (type instanceof ArrowType.Time time) {
      putLittleEndian(bytes, random.nextLong(SECONDS_PER_DAY * perSecond(time.getUnit())));
    } else if (type instanceof ArrowType.Date && width == 8) {
      putLittleEndian(bytes, random.nextInt(-100_000, 100_000) * SECONDS_PER_DAY * 1000);
    } else if (kind == Kind.SMALL && type instanceof ArrowType.Int integer) {
      putLittleEndian(bytes, random.nextInt(integer.getIsSigned() ? -100 : 0, 100));
    } else if (kind == Kind.SMALL && width <= 8) {
      putLittleEndian(bytes, random.nextInt(1000));
    } else {
      random.nextBytes(bytes);
    }
    return bytes;
  }

  private static long smallFloat(int width, float value) {
    return switch (width) {
      case 2 -> Float16.toFloat16(value);
      case 4 -> Float.floatToRawIntBits(value);
      default -> Double.doubleToRawLongBits(value);
    };
  }

  private static long perSecond(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1;
      case MILLISECOND -> 1_000;
      case MICROSECOND -> 1_000_000;
      case NANOSECOND -> 1_000_000_000;
    };
  }

  private static byte[] decimal(
      ArrowType.Decimal type, int width, Kind kind, SplittableRandom random) {
    int digits = kind == Kind.SMALL ? 4 : type.getPrecision();
    byte[] magnitude = new byte[width];
    random.nextBytes(magnitude);
    BigInteger unscaled = new BigInteger(1, magnitude).mod(BigInteger.TEN.pow(digits));
    if (random.nextBoolean()) {
      unscaled = unscaled.negate();
    }
    byte[] bigEndian = unscaled.toByteArray();
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      int from = bigEndian.length - 1 - i;
      bytes[i] = from >= 0 ? bigEndian[from] : (byte) unscaled.signum() < 0 ? (byte) -1 : 0;
    }
    return bytes;
  }

  private static void putLittleEndian(byte[] bytes, long value) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i < 8 ? value >> (8 * i) : value >> 63);
    }
  }

  private static void fillVariableWidth(FieldVector vector, int count, SplittableRandom random) {
    boolean text = vector instanceof VarCharVector || vector instanceof LargeVarCharVector;
    Kind kind = kind(random);
    byte[][] few = new byte[1 + random.nextInt(20)][];
    for (int i = 0; i < few.length; i++) {
      few[i] = text ? text(kind, random) : bytes(kind, random);
    }
    byte[] run = few[0];
    for (int i = 0; i < count; i++) {
      switch (kind) {
        case ANY, SMALL -> run = text ? text(kind, random) : bytes(kind, random);
        case FEW -> run = few[random.nextInt(few.length)];
        case RUNS -> run = random.nextInt(50) == 0 ? few[random.nextInt(few.length)] : run;
        case CONSTANT -> {}
      }
      put(vector, i, run);
    }
  }

  private static void put(FieldVector vector, int i, byte[] value) {
    if (vector instanceof VarCharVector text) {
      text.setSafe(i, value);
    } else if (vector instanceof LargeVarCharVector text) {
      text.setSafe(i, value);
    } else if (vector instanceof VarBinaryVector binary) {
      binary.setSafe(i, value);
    } else {
      ((LargeVarBinaryVector) vector).setSafe(i, value);
    }
  }

  private static int length(Kind kind, SplittableRandom random) {
    if (kind == Kind.SMALL) {
      return random.nextInt(4);
    }
    return random.nextInt(200) == 0 ? random.nextInt(600) : random.nextInt(25);
  }

  private static byte[] bytes(Kind kind, SplittableRandom random) {
    byte[] bytes = new byte[length(kind, random)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] text(Kind kind, SplittableRandom random) {
    String alphabet = kind == Kind.RUNS ? "äßç€ 漢字𝄞" : "the quick brown fox ";
    int[] points = alphabet.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = length(kind, random); i > 0; i--) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void fillKeys(BaseFixedWidthVector keys, int count, SplittableRandom random) {
    DictionaryEncoding encoding = keys.getField().getDictionary();
    if (dictionaries.lookup(encoding.getId()) == null) {
      dictionaries.put(new Dictionary(dictionaryValues(random), encoding));
    }
    int size = dictionaries.lookup(encoding.getId()).getVector().getValueCount();
    byte[] key = new byte[keys.getTypeWidth()];
    for (int i = 0; i < count; i++) {
      putLittleEndian(key, random.nextInt(size));
      keys.getDataBuffer().setBytes((long) i * key.length, key);
    }
  }

  private VarCharVector dictionaryValues(SplittableRandom random) {
    int size = 1 + random.nextInt(MAX_DICTIONARY);
    VarCharVector values = new VarCharVector("values", allocator);
    values.allocateNew(size);
    for (int i = 0; i < size; i++) {
      values.setSafe(i, (i + "-" + random.nextInt(1000)).getBytes(StandardCharsets.UTF_8));
    }
    values.setValueCount(size);
    return values;
  }
}
