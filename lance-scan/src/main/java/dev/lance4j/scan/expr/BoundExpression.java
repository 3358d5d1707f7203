package dev.lance4j.scan.expr;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.Binder;
import dev.lance4j.scan.internal.expr.eval.Batch;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.eval.Nodes;
import dev.lance4j.scan.internal.expr.type.ArrowTypes;
import dev.lance4j.scan.internal.expr.values.VectorWriter;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * An expression bound to a schema: it computes a value for each row of a batch. Immutable, safe for
 * use by several threads; {@code now()} and its kin are the time of binding.
 */
public final class BoundExpression {
  private final Expression expression;
  private final Node node;
  private final List<List<String>> columns;

  private BoundExpression(Expression expression, Node node, List<List<String>> columns) {
    this.expression = expression;
    this.node = node;
    this.columns = columns;
  }

  /**
   * Binds an expression.
   *
   * @param schema of the table, with the virtual columns that may be used; a field with a
   *     dictionary has the type of the dictionary's values
   * @throws InvalidInputException if a column or function does not exist, or types do not fit; the
   *     message says which and what would
   */
  public static BoundExpression bind(Expression expression, Schema schema) {
    Binder binder = new Binder(schema);
    Node node = binder.bindValue(expression);
    return new BoundExpression(expression, node, binder.usedColumns());
  }

  /**
   * Binds an expression and converts its values to the type of a field, as {@code CAST} does.
   *
   * @param schema as above
   * @param target a field; if it has a dictionary, the type is that of the dictionary's values
   * @throws InvalidInputException as above, or if the types have no conversion, or the expression
   *     is a constant that cannot be converted
   */
  public static BoundExpression bind(Expression expression, Schema schema, Field target) {
    Binder binder = new Binder(schema);
    Node node = Nodes.cast(binder.bindValue(expression), ArrowTypes.of(target).decoded(), false);
    return new BoundExpression(expression, node, binder.usedColumns());
  }

  /**
   * The columns that a batch must have, each as the names from a top-level column down to a field,
   * as the schema spells them.
   */
  public List<List<String>> columns() {
    return columns;
  }

  /** A field of the result's type, nullable, without dictionary. */
  public Field field(String name) {
    return ArrowTypes.field(name, node.type());
  }

  /** Whether a value may be null, as far as the columns and the form of the expression tell. */
  public boolean isNullable() {
    return node.isNullable();
  }

  /** Whether every value is null. */
  public boolean isNull() {
    return node instanceof Constant constant && constant.isNull();
  }

  /**
   * Computes the values of a batch.
   *
   * @param batch with at least the {@link #columns()}; structs may lack fields that are not used
   * @param dictionaries of the dictionary-encoded columns; null if there are none
   * @return a new vector, without dictionary, which the caller closes
   * @throws InvalidInputException if the values of a row cannot be computed
   */
  public FieldVector evaluate(
      String name,
      VectorSchemaRoot batch,
      DictionaryProvider dictionaries,
      BufferAllocator allocator) {
    return VectorWriter.write(
        field(name),
        node.type(),
        node.evaluate(new Batch(batch, dictionaries, columns)),
        allocator);
  }

  @Override
  public String toString() {
    return expression.toString();
  }
}
