package dev.lance4j.scan.internal.expr.substrait;

import com.google.protobuf.CodedInputStream;
import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.expr.parse.ExpressionParser;
import io.substrait.proto.ExpressionReference;
import io.substrait.proto.ExtendedExpression;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.types.pojo.Schema;

/** Reads filters that engines push down as Substrait extended expressions. */
public final class SubstraitFilters {
  // An expression that is an argument of a function lies in three messages; this is as deep as
  // other expressions may be nested.
  private static final int MAX_MESSAGE_DEPTH = 3 * ExpressionParser.MAX_NESTING;

  private SubstraitFilters() {}

  /**
   * The condition of an extended expression with one referred expression.
   *
   * @param bytes an {@code ExtendedExpression} message, read from its position to its limit
   * @param schema of the table, whose columns the base schema must list in order
   * @throws InvalidInputException if the bytes are not such a message, its schema is not the
   *     table's, or it uses what filters do not know
   */
  public static Expression parse(ByteBuffer bytes, Schema schema) {
    try {
      return parse(decode(bytes), schema);
    } catch (NoClassDefFoundError e) {
      throw new UnsupportedOperationException(
          "Substrait filters need the library io.substrait:core; add it to the class path", e);
    }
  }

  private static Expression parse(ExtendedExpression message, Schema schema) {
    if (message.getReferredExprCount() != 1) {
      throw new InvalidInputException(
          "A Substrait filter must have one referred expression, but this one has "
              + message.getReferredExprCount());
    }
    ExpressionReference reference = message.getReferredExpr(0);
    if (!reference.hasExpression()) {
      throw new InvalidInputException(
          "A Substrait filter must refer to a scalar expression, not to a measure");
    }
    SubstraitFields fields = SubstraitFields.of(message.getBaseSchema(), schema);
    SubstraitFunctions functions = SubstraitFunctions.of(message.getExtensionsList());
    return new SubstraitExpressions(fields, functions).expression(reference.getExpression());
  }

  private static ExtendedExpression decode(ByteBuffer bytes) {
    CodedInputStream input = CodedInputStream.newInstance(bytes.duplicate());
    input.setRecursionLimit(MAX_MESSAGE_DEPTH);
    try {
      return ExtendedExpression.parseFrom(input);
    } catch (IOException e) {
      throw new InvalidInputException(
          "The Substrait filter is not an ExtendedExpression message: " + e.getMessage(), e);
    }
  }
}
