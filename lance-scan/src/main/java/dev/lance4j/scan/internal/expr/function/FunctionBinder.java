package dev.lance4j.scan.internal.expr.function;

import dev.lance4j.scan.internal.expr.eval.Node;

/** Checks the arguments of a function and makes the node that computes it. */
@FunctionalInterface
interface FunctionBinder {
  Node bind(Arguments arguments);
}
