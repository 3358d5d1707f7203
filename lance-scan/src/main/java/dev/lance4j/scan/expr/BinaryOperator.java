package dev.lance4j.scan.expr;

/** The operators between two operands, without AND and OR. */
public enum BinaryOperator {
  EQUAL("="),
  NOT_EQUAL("!="),
  LESS("<"),
  LESS_OR_EQUAL("<="),
  GREATER(">"),
  GREATER_OR_EQUAL(">="),
  /** Like {@code !=}, but null is a value like any other; only inside function arguments. */
  DISTINCT("IS DISTINCT FROM"),
  /** Like {@code =}, but null is a value like any other; only inside function arguments. */
  NOT_DISTINCT("IS NOT DISTINCT FROM"),
  ADD("+"),
  SUBTRACT("-"),
  MULTIPLY("*"),
  DIVIDE("/"),
  MODULO("%"),
  CONCAT("||"),
  /** A regular expression is found in the text; only inside function arguments. */
  MATCHES("~"),
  MATCHES_IGNORE_CASE("~*"),
  NOT_MATCHES("!~"),
  NOT_MATCHES_IGNORE_CASE("!~*"),
  BIT_AND("&"),
  BIT_OR("|"),
  BIT_XOR("^");

  private final String symbol;

  BinaryOperator(String symbol) {
    this.symbol = symbol;
  }

  /** The operator as written in text. */
  public String symbol() {
    return symbol;
  }

  /** Whether it compares two values by order or equality. */
  public boolean isComparison() {
    return compareTo(NOT_DISTINCT) <= 0;
  }
}
