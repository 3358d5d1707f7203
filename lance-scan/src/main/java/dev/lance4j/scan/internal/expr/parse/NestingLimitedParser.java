package dev.lance4j.scan.internal.expr.parse;

import dev.lance4j.format.InvalidInputException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.TokenStream;

/**
 * A recursive-descent parser that refuses text nested so deeply that it would exhaust the stack.
 */
abstract class NestingLimitedParser extends Parser {
  /** Rules entered for one pair of parentheses. */
  private static final int RULES_PER_LEVEL = 3;

  private static final int MAX_RULES = RULES_PER_LEVEL * (ExpressionParser.MAX_NESTING + 1);

  private int open;

  NestingLimitedParser(TokenStream input) {
    super(input);
  }

  @Override
  public void enterRule(ParserRuleContext context, int state, int rule) {
    super.enterRule(context, state, rule);
    enter();
  }

  @Override
  public void exitRule() {
    super.exitRule();
    open--;
  }

  @Override
  public void enterRecursionRule(ParserRuleContext context, int state, int rule, int precedence) {
    super.enterRecursionRule(context, state, rule, precedence);
    enter();
  }

  @Override
  public void unrollRecursionContexts(ParserRuleContext parent) {
    super.unrollRecursionContexts(parent);
    open--;
  }

  private void enter() {
    if (++open > MAX_RULES) {
      throw new InvalidInputException(
          "The expression is nested more than "
              + ExpressionParser.MAX_NESTING
              + " levels deep; split it or use IN (…) and flat AND / OR chains");
    }
  }
}
