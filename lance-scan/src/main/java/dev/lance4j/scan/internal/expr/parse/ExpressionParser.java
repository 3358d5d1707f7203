package dev.lance4j.scan.internal.expr.parse;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Expression;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.atn.PredictionMode;

/** From text to the tree of an expression. */
public final class ExpressionParser {
  /** How deeply parentheses, calls and operators may be nested. */
  public static final int MAX_NESTING = 250;

  private ExpressionParser() {}

  /** Parses a whole text; see {@link Expression#parse}. */
  public static Expression parse(String text) {
    SyntaxErrors errors = new SyntaxErrors(text);
    FilterGrammarLexer lexer = new FilterGrammarLexer(CharStreams.fromString(text));
    lexer.removeErrorListeners();
    FilterGrammarParser parser = new FilterGrammarParser(new CommonTokenStream(lexer));
    parser.removeErrorListeners();
    parser.addErrorListener(errors);
    // The grammar needs no more, and full-context prediction would walk all open parentheses.
    parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
    try {
      return new ExpressionBuilder(errors).visit(parser.filter().booleanExpression());
    } catch (StackOverflowError e) {
      // The limit of nesting suits a usual stack; some threads have less.
      throw new InvalidInputException("The expression is nested too deeply for this thread", e);
    }
  }
}
