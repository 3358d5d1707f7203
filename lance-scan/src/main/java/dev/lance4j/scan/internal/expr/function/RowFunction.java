package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.scan.internal.expr.eval.Batch;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.Values;
import dev.lance4j.scan.internal.expr.values.ValuesBuilder;
import java.util.List;
import java.util.function.Supplier;

/** A function that is computed row by row. */
public final class RowFunction extends Node {
  /** Computes one row: appends one value to the result. */
  @FunctionalInterface
  interface Kernel {
    void apply(Row row, ValuesBuilder result);
  }

  private final Supplier<Kernel> kernels;
  private final boolean seesNulls;
  private final String name;

  private RowFunction(
      Type type, List<Node> arguments, boolean seesNulls, Supplier<Kernel> kernels, String name) {
    super(type, arguments);
    this.kernels = kernels;
    this.seesNulls = seesNulls;
    this.name = name;
  }

  /** A function that is null when an argument is. */
  static RowFunction strict(Type type, List<Node> arguments, Kernel kernel) {
    return new RowFunction(type, arguments, false, () -> kernel, "");
  }

  /** A function that handles null arguments itself. */
  static RowFunction nullAware(Type type, List<Node> arguments, Kernel kernel) {
    return new RowFunction(type, arguments, true, () -> kernel, "");
  }

  /** A function with a kernel that is made anew for each batch, as it keeps state. */
  static RowFunction perBatch(
      Type type, List<Node> arguments, boolean seesNulls, Supplier<Kernel> kernels) {
    return new RowFunction(type, arguments, seesNulls, kernels, "");
  }

  /** The same function, with a name by which others know what it means. */
  RowFunction named(String meaning) {
    return new RowFunction(type(), children(), seesNulls, kernels, meaning);
  }

  /** The name of a function that others know; empty for all others. */
  public String name() {
    return name;
  }

  @Override
  public boolean isCostly() {
    return true;
  }

  @Override
  public Values evaluate(Batch batch) {
    Values[] arguments = new Values[children().size()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = children().get(i).evaluate(batch);
    }
    Row row = new Row(arguments);
    Kernel kernel = kernels.get();
    ValuesBuilder result = new ValuesBuilder(type());
    for (int i = 0; i < batch.size(); i++) {
      if (!seesNulls && anyNull(arguments, i)) {
        result.appendNull();
      } else {
        row.moveTo(i);
        kernel.apply(row, result);
      }
    }
    return result.build();
  }

  private static boolean anyNull(Values[] arguments, int row) {
    for (Values argument : arguments) {
      if (argument.isNull(row)) {
        return true;
      }
    }
    return false;
  }
}
