package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.eval.Casts;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.type.Coercion;
import dev.lance4j.scan.internal.expr.type.Kind;
import dev.lance4j.scan.internal.expr.type.Type;
import dev.lance4j.scan.internal.expr.values.BytesValues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The bound arguments of a call, with the checks and conversions that functions ask for. */
public final class Arguments {
  private final String function;
  private final List<Node> nodes;
  private final Instant now;

  /**
   * @param now the time of the query, the same for all calls
   */
  public Arguments(String function, List<Node> nodes, Instant now) {
    this.function = function;
    this.nodes = List.copyOf(nodes);
    this.now = now;
  }

  String function() {
    return function;
  }

  Instant now() {
    return now;
  }

  int count() {
    return nodes.size();
  }

  List<Node> all() {
    return nodes;
  }

  Node get(int index) {
    return nodes.get(index);
  }

  Type type(int index) {
    return nodes.get(index).type().decoded();
  }

  /** Refuses any other number of arguments. */
  void require(int least, int most) {
    if (nodes.size() < least || nodes.size() > most) {
      String expected =
          least == most
              ? String.valueOf(least)
              : most == Integer.MAX_VALUE ? "at least " + least : least + " to " + most;
      throw new InvalidInputException(
          function + " takes " + expected + " argument(s), but got " + nodes.size());
    }
  }

  void require(int count) {
    require(count, count);
  }

  InvalidInputException wrongType(int index, String expected) {
    return new InvalidInputException(
        "Argument "
            + (index + 1)
            + " of "
            + function
            + " must be "
            + expected
            + ", but is of type "
            + nodes.get(index).type());
  }

  /** A text; nothing else is converted to one. */
  Node text(int index) {
    Type type = type(index);
    if (!type.kind().isString() && !type.is(Kind.NULL)) {
      throw wrongType(index, "a string");
    }
    return cast(index, type.is(Kind.LARGE_UTF8) ? type : Type.UTF8);
  }

  /** Anything that has a text. */
  Node anyText(int index) {
    Kind kind = type(index).kind();
    boolean textual =
        kind != Kind.FIXED_BINARY
            && kind != Kind.FIXED_LIST
            && kind != Kind.STRUCT
            && kind != Kind.MAP
            && kind != Kind.INTERVAL;
    if (!textual) {
      throw wrongType(index, "a string or a value that has a text");
    }
    return cast(index, kind == Kind.LARGE_UTF8 ? Type.LARGE_UTF8 : Type.UTF8);
  }

  Node textOrBinary(int index) {
    Type type = type(index);
    return type.kind().isBinary() ? get(index) : text(index);
  }

  Node integer(int index) {
    Kind kind = type(index).kind();
    if (!kind.isInteger() && kind != Kind.NULL) {
      throw wrongType(index, "an integer");
    }
    return cast(index, Type.INT64);
  }

  /** Any number as a double. */
  Node number(int index) {
    requireNumeric(index);
    return cast(index, Type.FLOAT64);
  }

  void requireNumeric(int index) {
    Kind kind = type(index).kind();
    if (!kind.isNumeric() && kind != Kind.NULL) {
      throw wrongType(index, "a number");
    }
  }

  /** The value of an argument that must be a constant text. */
  String constantText(int index) {
    if (get(index) instanceof Constant constant
        && constant.value() instanceof BytesValues bytes
        && !constant.isNull()
        && constant.type().kind().isString()) {
      return bytes.string(0);
    }
    throw wrongType(index, "a constant string");
  }

  Node cast(int index, Type type) {
    if (!Casts.allowed(nodes.get(index).type(), type)) {
      throw wrongType(index, type.toString());
    }
    return Nodes.cast(nodes.get(index), type, false);
  }

  /** The arguments from an index on, converted to their common type. */
  List<Node> common(int from) {
    List<Type> types = new ArrayList<>();
    for (Node node : nodes.subList(from, nodes.size())) {
      types.add(node.type());
    }
    Type common = Coercion.union(types);
    if (common == null) {
      throw new InvalidInputException(
          "The arguments of " + function + " have no common type: " + types);
    }
    List<Node> result = new ArrayList<>();
    for (int i = from; i < nodes.size(); i++) {
      result.add(cast(i, common));
    }
    return result;
  }
}
