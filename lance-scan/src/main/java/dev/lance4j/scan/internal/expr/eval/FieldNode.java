package dev.lance4j.scan.internal.expr.eval;

import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.StructValues;
import dev.lance4j.scan.internal.expr.values.Values;
import java.util.List;

/** A field of a struct. */
public final class FieldNode extends Node {
  private final Node struct;
  private final int index;

  public FieldNode(Node struct, int index) {
    super(type(struct, index), List.of(struct));
    this.struct = struct;
    this.index = index;
  }

  private static Type type(Node struct, int index) {
    return struct.type().children().get(index).type();
  }

  @Override
  public Values evaluate(Batch batch) {
    return ((StructValues) struct.evaluate(batch)).field(index);
  }
}
