package dev.lance4j.scan.internal.expr;

import dev.lance4j.scan.expr.Expression;
import dev.lance4j.scan.internal.expr.eval.Batch;
import dev.lance4j.scan.internal.expr.eval.ColumnNode;
import dev.lance4j.scan.internal.expr.eval.Connective;
import dev.lance4j.scan.internal.expr.eval.Constant;
import dev.lance4j.scan.internal.expr.eval.Node;
import dev.lance4j.scan.internal.expr.values.Bits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;

/** A filter, or a part of one, bound to a schema. Immutable, safe for use by several threads. */
public final class Condition {
  private final Expression text;
  private final Node node;
  private final List<List<String>> paths;
  private final List<List<String>> columns;

  /**
   * @param paths of the columns, in the order of the nodes' indices
   * @param columns those of them that are used
   */
  private Condition(
      Expression text, Node node, List<List<String>> paths, List<List<String>> columns) {
    this.text = text;
    this.node = node;
    this.paths = paths;
    this.columns = columns;
  }

  /**
   * Binds a filter.
   *
   * @param schema of the table, with the virtual columns that may be used
   * @throws dev.lance4j.format.InvalidInputException if it does not fit the schema
   */
  public static Condition of(Expression filter, Schema schema) {
    Binder binder = new Binder(schema);
    Node node = binder.bindFilter(filter);
    List<List<String>> used = binder.usedColumns();
    return new Condition(filter, node, used, used);
  }

  private Condition part(Expression partText, Node partNode) {
    Set<Integer> used = new TreeSet<>();
    addColumns(partNode, used);
    return new Condition(partText, partNode, paths, used.stream().map(paths::get).toList());
  }

  private static void addColumns(Node node, Set<Integer> used) {
    if (node instanceof ColumnNode column) {
      used.add(column.index());
    }
    node.children().forEach(child -> addColumns(child, used));
  }

  /** The conditions that must all be true for this one to be true; one or more. */
  public List<Condition> parts() {
    List<Condition> parts = new ArrayList<>();
    addParts(text, node, parts);
    return parts;
  }

  private void addParts(Expression partText, Node partNode, List<Condition> parts) {
    if (partText instanceof Expression.And and
        && partNode instanceof Connective connective
        && connective.isAnd()
        && connective.children().size() == and.operands().size()) {
      for (int i = 0; i < and.operands().size(); i++) {
        addParts(and.operands().get(i), connective.children().get(i), parts);
      }
    } else {
      parts.add(part(partText, partNode));
    }
  }

  /**
   * The condition that is true where all of some {@linkplain #parts parts} of this one are.
   *
   * @param some one or more
   */
  public Condition all(List<Condition> some) {
    if (some.size() == 1) {
      return some.get(0);
    }
    Expression both = new Expression.And(some.stream().map(part -> part.text).toList());
    return part(both, new Connective(true, some.stream().map(part -> part.node).toList()));
  }

  /** What is evaluated. */
  public Node node() {
    return node;
  }

  /** The path of a column of the condition. */
  public List<String> path(ColumnNode column) {
    return paths.get(column.index());
  }

  /** The columns that a batch must have, each as the names from a top-level column down. */
  public List<List<String>> columns() {
    return columns;
  }

  /** Whether the condition is, as far as that is known, true or else not true for every row. */
  public boolean isAlways(boolean truth) {
    return node instanceof Constant constant
        && (Bits.rows(constant.truth(Batch.single())).length == 1) == truth;
  }

  /**
   * The positions of the rows for which the condition is true, ascending.
   *
   * @param batch with at least the {@link #columns()}
   * @param dictionaries of the dictionary-encoded columns; null if there are none
   * @throws dev.lance4j.format.InvalidInputException if it cannot be computed for a row
   */
  public int[] select(VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    return Bits.rows(node.truth(new Batch(batch, dictionaries, paths)));
  }

  /** The condition's text. */
  @Override
  public String toString() {
    return text.toString();
  }
}
