package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.values.Bits;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.util.List;

/** The first argument that is not null; later ones are evaluated only for rows that need them. */
public final class Coalesce extends Node {
  public Coalesce(List<Node> arguments) {
    super(arguments.get(0).type(), arguments);
  }

  @Override
  public boolean isNullable() {
    return children().stream().allMatch(Node::isNullable);
  }

  @Override
  public Values evaluate(Batch batch) {
    Values result = children().get(0).evaluate(batch);
    for (int i = 1; i < children().size() && result.valid() != null; i++) {
      int[] rows = Bits.rows(CompareKernels.not(result.valid(), result.size()));
      Values other = children().get(i).evaluate(batch.select(rows));
      result = fill(result, other);
    }
    return result;
  }

  /** The nulls replaced, in order, by the other values. */
  private Values fill(Values values, Values replacements) {
    ValuesBuilder builder = new ValuesBuilder(type());
    int next = 0;
    for (int row = 0; row < values.size(); row++) {
      if (values.isNull(row)) {
        builder.append(replacements, next++);
      } else {
        builder.append(values, row);
      }
    }
    return builder.build();
  }
}
