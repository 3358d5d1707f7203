package dev.lance4j.scan.internal.expr.parse;

import dev.lance4j.format.InvalidInputException;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;

/** Turns the first syntax error into an exception that points at the fault. */
final class SyntaxErrors extends BaseErrorListener {
  private static final int CONTEXT = 60;

  private final String text;

  SyntaxErrors(String text) {
    this.text = text;
  }

  @Override
  public void syntaxError(
      Recognizer<?, ?> recognizer,
      Object offending,
      int line,
      int column,
      String message,
      RecognitionException cause) {
    throw at((Token) offending, describe((Token) offending));
  }

  /** An error at a token: its message, the position counted from 1, and a line with a pointer. */
  InvalidInputException at(Token token, String message) {
    int position =
        text.offsetByCodePoints(
            0, Math.min(token.getStartIndex(), text.codePointCount(0, text.length())));
    return new InvalidInputException(
        message + " at position " + (position + 1) + ":\n" + excerpt(position));
  }

  private static String describe(Token token) {
    return switch (token.getType()) {
      case Token.EOF -> "Syntax error: the expression ends too early";
      case FilterGrammarLexer.UNTERMINATED ->
          token.getText().startsWith("`")
              ? "Syntax error: a back-tick without its partner"
              : "Syntax error: a quote without its partner (write a quote inside a string twice)";
      default -> "Syntax error: unexpected '" + token.getText() + "'";
    };
  }

  private String excerpt(int position) {
    int from = Math.max(lineStart(position), position - CONTEXT);
    int to = Math.min(lineEnd(position), position + CONTEXT);
    return "  " + text.substring(from, to) + "\n  " + " ".repeat(position - from) + "^";
  }

  private int lineStart(int position) {
    return text.lastIndexOf('\n', position - 1) + 1;
  }

  private int lineEnd(int position) {
    int end = text.indexOf('\n', position);
    return end < 0 ? text.length() : end;
  }
}
