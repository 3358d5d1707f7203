package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.scan.internal.expr.eval.Batch;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.util.List;
import java.util.UUID;

/** A new random UUID for each row. */
final class UuidNode extends Node {
  private UuidNode() {
    super(Type.UTF8, List.of());
  }

  static Node bind(Arguments arguments) {
    arguments.require(0);
    return new UuidNode();
  }

  @Override
  public Values evaluate(Batch batch) {
    ValuesBuilder result = new ValuesBuilder(Type.UTF8);
    for (int i = 0; i < batch.size(); i++) {
      result.append(UUID.randomUUID().toString());
    }
    return result.build();
  }

  @Override
  public boolean isDeterministic() {
    return false;
  }
}
