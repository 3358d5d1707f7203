package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.type.Type;
import java.util.List;

/** The operator {@code ||} on texts: null if one is. */
public final class TextConcat {
  private TextConcat() {}

  public static Node of(Node left, Node right, Type type) {
    return RowFunction.strict(
        type, List.of(left, right), (row, out) -> out.append(row.text(0) + row.text(1)));
  }
}
