package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Rows;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;

/** The same value for every row. */
public final class Constant extends Node {
  private final Values value;

  /**
   * @param value of one row
   */
  public Constant(Type type, Values value) {
    super(type, List.of());
    this.value = value;
  }

  /**
   * A constant of a Java value: null, {@code Boolean}, {@code Long}, {@code BigInteger} (unsigned),
   * {@code Double}, {@code String} or {@code ByteBuffer}.
   */
  public static Constant of(Object value) {
    Type type = type(value);
    ValuesBuilder builder = new ValuesBuilder(type);
    if (value == null) {
      builder.appendNull();
    } else if (value instanceof Boolean truth) {
      builder.append((boolean) truth);
    } else if (value instanceof Double number) {
      builder.append((double) number);
    } else if (value instanceof String text) {
      builder.append(text);
    } else if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      builder.append(bytes, 0, bytes.length);
    } else {
      builder.append(((Number) value).longValue());
    }
    return new Constant(type, builder.build());
  }

  private static Type type(Object value) {
    if (value == null) {
      return Type.NULL;
    } else if (value instanceof Boolean) {
      return Type.BOOLEAN;
    } else if (value instanceof Long) {
      return Type.INT64;
    } else if (value instanceof BigInteger) {
      return Type.UINT64;
    } else if (value instanceof Double) {
      return Type.FLOAT64;
    }
    return value instanceof String ? Type.UTF8 : Type.BINARY;
  }

  public static Constant nullOf(Type type) {
    return new Constant(type, Values.nulls(type, 1));
  }

  /** The value, as a single row. */
  public Values value() {
    return value;
  }

  public boolean isNull() {
    return value.isNull(0);
  }

  @Override
  public boolean isNullable() {
    return isNull();
  }

  @Override
  public Values evaluate(Batch batch) {
    return Rows.repeat(value, batch.size());
  }
}
