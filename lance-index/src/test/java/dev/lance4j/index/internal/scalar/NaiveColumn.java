package dev.lance4j.index.internal.scalar;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.data.FieldArrays;
import dev.lance4j.format.schema.LanceField;
import dev.lance4j.format.schema.LanceSchema;
import dev.lance4j.format.testing.ArrowTable;
import dev.lance4j.index.internal.query.ScalarQuery;
import dev.lance4j.index.internal.query.ScalarValue;
import dev.lance4j.index.internal.segment.IndexedRows;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VariableWidthVector;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * The first column of a table, searched value by value, in an order that is computed from the bytes
 * of the values with big numbers.
 */
public final class NaiveColumn {
  private final List<BigInteger> order = new ArrayList<>();
  private final List<ScalarValue> values = new ArrayList<>();
  private final long[] numbers;

  /**
   * @param numbers of the rows
   */
  public NaiveColumn(ArrowTable table, long[] numbers) {
    this.numbers = numbers;
    FieldVector vector = table.root().getVector(0);
    LanceField field = ColumnSegments.field(table);
    LanceSchema own = LanceSchema.fromArrow(table.root().getSchema());
    List<ArrayData> arrays = FieldArrays.of(own, table.root(), table.dictionaries());
    for (int row = 0; row < vector.getValueCount(); row++) {
      boolean valid = !vector.isNull(row);
      order.add(valid ? order(vector, row) : null);
      values.add(
          valid
              ? ScalarValue.of(IndexedRows.valueField(field), arrays.get(0), row, "row " + row)
              : null);
    }
    arrays.forEach(ArrayData::close);
  }

  private static BigInteger order(FieldVector vector, int row) {
    if (vector instanceof VariableWidthVector) {
      return textOrder(bytesOf(vector, row));
    }
    if (vector instanceof BitVector bits) {
      return BigInteger.valueOf(bits.get(row));
    }
    BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
    byte[] bytes = new byte[fixed.getTypeWidth()];
    fixed.getDataBuffer().getBytes((long) row * bytes.length, bytes);
    ArrowType type = vector.getField().getType();
    if (type instanceof ArrowType.FixedSizeBinary) {
      return textOrder(bytes);
    }
    byte[] bigEndian = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      bigEndian[i] = bytes[bytes.length - 1 - i];
    }
    if (type instanceof ArrowType.FloatingPoint) {
      boolean negative = bigEndian[0] < 0;
      bigEndian[0] &= Byte.MAX_VALUE;
      BigInteger magnitude = new BigInteger(1, bigEndian);
      return negative ? magnitude.negate().subtract(BigInteger.ONE) : magnitude;
    }
    boolean unsigned = type instanceof ArrowType.Int number && !number.getIsSigned();
    return unsigned ? new BigInteger(1, bigEndian) : new BigInteger(bigEndian);
  }

  private static byte[] bytesOf(FieldVector vector, int row) {
    Object value = vector.getObject(row);
    return value instanceof byte[] bytes
        ? bytes
        : value.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Digits from 1 to 256 in a number system of 257, long enough for all values of the tests. */
  private static BigInteger textOrder(byte[] bytes) {
    BigInteger base = BigInteger.valueOf(257);
    BigInteger number = BigInteger.ZERO;
    for (byte each : bytes) {
      number = number.multiply(base).add(BigInteger.valueOf((each & 0xFF) + 1));
    }
    return number.multiply(base.pow(1500 - bytes.length));
  }

  public int size() {
    return numbers.length;
  }

  /** The value of a row; null if it has none. */
  public ScalarValue value(int row) {
    return values.get(row);
  }

  /** The numbers of those of the first rows for which a query is true. */
  public Set<Long> search(ScalarQuery query, int rows) {
    Set<Long> found = new TreeSet<>();
    for (int row = 0; row < rows; row++) {
      if (matches(query, row)) {
        found.add(numbers[row]);
      }
    }
    return found;
  }

  /** The numbers of those of the first rows that have no value. */
  public Set<Long> nulls(int rows) {
    return search(new ScalarQuery.IsNull(), rows);
  }

  private boolean matches(ScalarQuery query, int row) {
    BigInteger value = order.get(row);
    if (query instanceof ScalarQuery.IsNull) {
      return value == null;
    }
    if (value == null) {
      return false;
    }
    if (query instanceof ScalarQuery.Equals equals) {
      return value.equals(orderOf(equals.value()));
    }
    if (query instanceof ScalarQuery.In in) {
      return in.values().stream().anyMatch(each -> value.equals(orderOf(each)));
    }
    ScalarQuery.Range range = (ScalarQuery.Range) query;
    return range.lower().stream().allMatch(bound -> isWithin(bound, value, 1))
        && range.upper().stream().allMatch(bound -> isWithin(bound, value, -1));
  }

  private boolean isWithin(ScalarQuery.Bound bound, BigInteger value, int side) {
    int order = value.compareTo(orderOf(bound.value())) * side;
    return order > 0 || (order == 0 && bound.inclusive());
  }

  /** The order of a value that a row of this column has. */
  private BigInteger orderOf(ScalarValue value) {
    String text = value.toString();
    return order.get(Integer.parseInt(text.substring(text.indexOf(' ') + 1)));
  }
}
