package dev.lance4j.scan.expr;

import io.substrait.proto.Expression;
import io.substrait.proto.ExpressionReference;
import io.substrait.proto.ExtendedExpression;
import io.substrait.proto.FunctionArgument;
import io.substrait.proto.NamedStruct;
import io.substrait.proto.SimpleExtensionDeclaration;
import io.substrait.proto.Type;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Builds Substrait filters as an engine would. */
final class SubstraitMessages {
  static final Type I32 = Type.newBuilder().setI32(Type.I32.getDefaultInstance()).build();

  private final Map<String, Integer> anchors = new LinkedHashMap<>();

  /** A reference to a column, or to a field of struct columns, by numbers. */
  static Expression field(int... path) {
    Expression.ReferenceSegment segment = null;
    for (int i = path.length - 1; i >= 0; i--) {
      Expression.ReferenceSegment.StructField.Builder field =
          Expression.ReferenceSegment.StructField.newBuilder().setField(path[i]);
      if (segment != null) {
        field.setChild(segment);
      }
      segment = Expression.ReferenceSegment.newBuilder().setStructField(field).build();
    }
    return Expression.newBuilder()
        .setSelection(
            Expression.FieldReference.newBuilder()
                .setDirectReference(segment)
                .setRootReference(Expression.FieldReference.RootReference.getDefaultInstance()))
        .build();
  }

  static Expression literal(Expression.Literal.Builder literal) {
    return Expression.newBuilder().setLiteral(literal).build();
  }

  static Expression i32(int value) {
    return literal(Expression.Literal.newBuilder().setI32(value));
  }

  static Expression i64(long value) {
    return literal(Expression.Literal.newBuilder().setI64(value));
  }

  static Expression string(String value) {
    return literal(Expression.Literal.newBuilder().setString(value));
  }

  /** A call of a function, which is declared by the message. */
  Expression call(String name, Expression... arguments) {
    Expression.ScalarFunction.Builder call =
        Expression.ScalarFunction.newBuilder()
            .setFunctionReference(anchors.computeIfAbsent(name, n -> anchors.size() + 1));
    for (Expression argument : arguments) {
      call.addArguments(FunctionArgument.newBuilder().setValue(argument));
    }
    return Expression.newBuilder().setScalarFunction(call).build();
  }

  /** The message of a filter on a table. */
  ExtendedExpression.Builder message(Schema schema, Expression... filters) {
    ExtendedExpression.Builder message =
        ExtendedExpression.newBuilder().setBaseSchema(baseSchema(schema));
    anchors.forEach(
        (name, anchor) ->
            message.addExtensions(
                SimpleExtensionDeclaration.newBuilder()
                    .setExtensionFunction(
                        SimpleExtensionDeclaration.ExtensionFunction.newBuilder()
                            .setFunctionAnchor(anchor)
                            .setName(name))));
    for (Expression filter : filters) {
      message.addReferredExpr(
          ExpressionReference.newBuilder().setExpression(filter).addOutputNames("filter"));
    }
    return message;
  }

  /** The bytes of a filter on a table. */
  ByteBuffer bytes(Schema schema, Expression filter) {
    return message(schema, filter).build().toByteString().asReadOnlyByteBuffer();
  }

  /** Names the fields of a table; the types matter only where they have fields themselves. */
  private static NamedStruct baseSchema(Schema schema) {
    NamedStruct.Builder named = NamedStruct.newBuilder();
    named.setStruct(struct(schema.getFields(), named));
    return named.build();
  }

  private static Type.Struct struct(List<Field> fields, NamedStruct.Builder named) {
    Type.Struct.Builder struct = Type.Struct.newBuilder();
    for (Field field : fields) {
      named.addNames(field.getName());
      struct.addTypes(type(field, named));
    }
    return struct.build();
  }

  private static Type type(Field field, NamedStruct.Builder named) {
    if (field.getType() instanceof ArrowType.Struct) {
      return Type.newBuilder().setStruct(struct(field.getChildren(), named)).build();
    } else if (field.getType() instanceof ArrowType.List) {
      Type item = type(field.getChildren().get(0), named);
      return Type.newBuilder().setList(Type.List.newBuilder().setType(item)).build();
    }
    return I32;
  }
}
