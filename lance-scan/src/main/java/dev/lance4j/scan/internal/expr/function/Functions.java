package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.NearestNames;
import dev.lance4j.scan.internal.expr.eval.Node;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** All functions by name. */
public final class Functions {
  private static final Set<String> AGGREGATES =
      Set.of(
          "count",
          "sum",
          "min",
          "max",
          "avg",
          "mean",
          "median",
          "stddev",
          "var",
          "first_value",
          "last_value",
          "array_agg",
          "row_number",
          "rank",
          "lag",
          "lead");

  private static final Map<String, FunctionBinder> ALL = all();

  private Functions() {}

  private static Map<String, FunctionBinder> all() {
    Map<String, FunctionBinder> functions = new HashMap<>();
    StringFunctions.register(functions);
    RegexFunctions.register(functions);
    NumericFunctions.register(functions);
    NullFunctions.register(functions);
    DateFunctions.register(functions);
    ListFunctions.register(functions);
    ListMakers.register(functions);
    StructFunctions.register(functions);
    JsonFunctions.register(functions);
    return Map.copyOf(functions);
  }

  /** The names of all functions. */
  public static Collection<String> names() {
    return new TreeSet<>(ALL.keySet());
  }

  /**
   * The node of a call.
   *
   * @throws InvalidInputException if there is no such function or the arguments do not suit it
   */
  public static Node bind(Arguments arguments) {
    String name = arguments.function().toLowerCase(Locale.ROOT);
    FunctionBinder binder = ALL.get(name);
    if (binder != null) {
      return binder.bind(arguments);
    }
    if (AGGREGATES.contains(name)) {
      throw new InvalidInputException(
          "Aggregate and window functions such as " + name + " cannot be used in filters");
    }
    throw new InvalidInputException(
        "No function is called '"
            + name
            + "'"
            + NearestNames.hint(name, List.copyOf(ALL.keySet())));
  }
}
