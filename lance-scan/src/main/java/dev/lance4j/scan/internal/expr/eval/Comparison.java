package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.expr.BinaryOperator;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.BoolValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/** Compares two operands of one type. */
public final class Comparison extends Node {
  private final BinaryOperator operator;
  private final Node left;
  private final Node right;
  private final Kind kind;

  /** A constant, if there is one, is best on the right. */
  public Comparison(BinaryOperator operator, Node left, Node right) {
    super(Type.BOOLEAN, List.of(left, right));
    this.operator = operator;
    this.left = left;
    this.right = right;
    this.kind = left.type().kind();
  }

  public BinaryOperator operator() {
    return operator;
  }

  @Override
  public boolean isNullable() {
    return anyChildIsNullable();
  }

  @Override
  public Values evaluate(Batch batch) {
    Values leftValues = left.evaluate(batch);
    if (right instanceof Constant constant) {
      if (constant.isNull()
          && operator != BinaryOperator.DISTINCT
          && operator != BinaryOperator.NOT_DISTINCT) {
        return Values.nulls(Type.BOOLEAN, batch.size());
      }
      return compareConstant(leftValues, constant);
    }
    return compare(leftValues, right.evaluate(batch));
  }

  private Values compareConstant(Values values, Constant constant) {
    int size = values.size();
    Values one = constant.value();
    long[] bits =
        switch (operator) {
          case EQUAL -> CompareKernels.equalConstant(values, one, kind).clone();
          case NOT_EQUAL ->
              CompareKernels.not(CompareKernels.equalConstant(values, one, kind), size);
          case LESS -> CompareKernels.lessConstant(values, one, kind);
          case LESS_OR_EQUAL ->
              CompareKernels.not(CompareKernels.greaterConstant(values, one, kind), size);
          case GREATER -> CompareKernels.greaterConstant(values, one, kind);
          case GREATER_OR_EQUAL ->
              CompareKernels.not(CompareKernels.lessConstant(values, one, kind), size);
          default -> null;
        };
    return bits == null
        ? compare(values, dev.lance4j.scan.internal.expr.values.Rows.repeat(one, size))
        : new BoolValues(size, bits, values.valid());
  }

  private Values compare(Values l, Values r) {
    int size = l.size();
    long[] bits =
        switch (operator) {
          case EQUAL, NOT_DISTINCT -> CompareKernels.equal(l, r, kind);
          case NOT_EQUAL, DISTINCT -> CompareKernels.not(CompareKernels.equal(l, r, kind), size);
          case LESS -> CompareKernels.less(l, r, kind);
          case LESS_OR_EQUAL -> CompareKernels.not(CompareKernels.less(r, l, kind), size);
          case GREATER -> CompareKernels.less(r, l, kind);
          default -> CompareKernels.not(CompareKernels.less(l, r, kind), size);
        };
    if (operator == BinaryOperator.DISTINCT || operator == BinaryOperator.NOT_DISTINCT) {
      return withNulls(bits, l, r);
    }
    return new BoolValues(size, bits, Bits.and(l.valid(), r.valid()));
  }

  /** Null equals null and nothing else. */
  private Values withNulls(long[] bits, Values l, Values r) {
    boolean distinct = operator == BinaryOperator.DISTINCT;
    for (int row = 0; row < l.size(); row++) {
      if (l.isNull(row) || r.isNull(row)) {
        if ((l.isNull(row) != r.isNull(row)) == distinct) {
          Bits.set(bits, row);
        } else {
          Bits.clear(bits, row);
        }
      }
    }
    return new BoolValues(l.size(), bits, null);
  }
}
