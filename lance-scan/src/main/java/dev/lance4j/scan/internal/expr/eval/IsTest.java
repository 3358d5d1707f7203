package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/** IS [NOT] NULL, TRUE, FALSE: never null. */
public final class IsTest extends Node {
  private final Node operand;
  private final Expression.Is.Test test;
  private final boolean negated;

  public IsTest(Node operand, Expression.Is.Test test, boolean negated) {
    super(Type.BOOLEAN, List.of(operand));
    this.operand = operand;
    this.test = test;
    this.negated = negated;
  }

  /** What the operand is compared with. */
  public Expression.Is.Test test() {
    return test;
  }

  /** Whether the opposite is meant. */
  public boolean isNegated() {
    return negated;
  }

  @Override
  public boolean isNullable() {
    return false;
  }

  @Override
  public Values evaluate(Batch batch) {
    Values values = operand.evaluate(batch);
    int size = values.size();
    long[] bits =
        switch (test) {
          case TRUE -> ((BoolValues) values).bits().clone();
          case FALSE ->
              Bits.and(CompareKernels.not(((BoolValues) values).bits(), size), values.valid());
          case NULL, UNKNOWN ->
              values.valid() == null
                  ? new long[Bits.words(size)]
                  : CompareKernels.not(values.valid(), size);
        };
    return new BoolValues(size, negated ? CompareKernels.not(bits, size) : bits, null);
  }
}
