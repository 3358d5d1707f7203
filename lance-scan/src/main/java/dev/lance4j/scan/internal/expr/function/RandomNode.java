package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.scan.internal.expr.eval.Batch;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.DoubleValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A new number from 0 (included) to 1 (excluded) for each row. */
final class RandomNode extends Node {
  private RandomNode() {
    super(Type.FLOAT64, List.of());
  }

  static Node bind(Arguments arguments) {
    arguments.require(0);
    return new RandomNode();
  }

  @Override
  public Values evaluate(Batch batch) {
    double[] values = new double[batch.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = ThreadLocalRandom.current().nextDouble();
    }
    return new DoubleValues(values, null);
  }

  @Override
  public boolean isDeterministic() {
    return false;
  }
}
