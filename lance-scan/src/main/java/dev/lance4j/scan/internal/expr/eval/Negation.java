package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.values.DecimalValues;
import dev.lance4j.scan.internal.expr.values.DoubleValues;
import dev.lance4j.scan.internal.expr.values.LongValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.math.BigInteger;
import java.util.List;

/** The negative of a number; the least integer stays as it is. */
public final class Negation extends Node {
  private final Node operand;

  public Negation(Node operand) {
    super(operand.type(), List.of(operand));
    this.operand = operand;
  }

  @Override
  public boolean isNullable() {
    return anyChildIsNullable();
  }

  @Override
  public Values evaluate(Batch batch) {
    Values values = operand.evaluate(batch);
    int size = values.size();
    if (values instanceof LongValues longs) {
      long[] result = new long[size];
      for (int i = 0; i < size; i++) {
        result[i] = -longs.get(i);
      }
      if (type().kind().isInteger()) {
        Arithmetic.wrap(result, type().kind());
      }
      return new LongValues(result, values.valid());
    } else if (values instanceof DoubleValues doubles) {
      double[] result = new double[size];
      for (int i = 0; i < size; i++) {
        result[i] = -doubles.get(i);
      }
      return new DoubleValues(result, values.valid());
    }
    BigInteger[] result = ((DecimalValues) values).values().clone();
    for (int i = 0; i < size; i++) {
      result[i] = result[i].negate();
    }
    return new DecimalValues(result, values.valid());
  }
}
