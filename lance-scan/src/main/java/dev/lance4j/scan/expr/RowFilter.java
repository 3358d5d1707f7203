package dev.lance4j.scan.expr;

import dev.lance4j.format.InvalidInputException;
import dev.lance4j.scan.internal.expr.Condition;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A condition bound to a schema: it chooses the rows of a batch for which it is true, not false or
 * null. Immutable, safe for use by several threads.
 */
public final class RowFilter {
  private final Condition condition;

  private RowFilter(Condition condition) {
    this.condition = condition;
  }

  /**
   * Parses and binds a filter.
   *
   * @throws InvalidInputException if the text is not in the language (with the position), a column
   *     or function does not exist, types do not fit, or the filter is not a condition
   */
  public static RowFilter of(String filter, Schema schema) {
    return of(Expression.parse(filter), schema);
  }

  /**
   * Binds a condition.
   *
   * @param schema of the table, with the virtual columns that may be used; a field with a
   *     dictionary has the type of the dictionary's values
   */
  public static RowFilter of(Expression condition, Schema schema) {
    return new RowFilter(Condition.of(condition, schema));
  }

  /**
   * The columns that a batch must have, each as the names from a top-level column down to a field,
   * as the schema spells them.
   */
  public List<List<String>> columns() {
    return condition.columns();
  }

  /** Whether the condition is true whatever a row holds; false also where nobody can tell. */
  public boolean isAlwaysTrue() {
    return condition.isAlways(true);
  }

  /** Whether the condition is false or null whatever a row holds; as above. */
  public boolean isNeverTrue() {
    return condition.isAlways(false);
  }

  /**
   * The positions of the rows for which the condition is true, ascending.
   *
   * @param batch with at least the {@link #columns()}; structs may lack fields that are not used
   * @param dictionaries of the dictionary-encoded columns; null if there are none
   * @throws InvalidInputException if the condition cannot be computed for a row
   */
  public int[] select(VectorSchemaRoot batch, DictionaryProvider dictionaries) {
    return condition.select(batch, dictionaries);
  }

  /** The condition's text. */
  @Override
  public String toString() {
    return condition.toString();
  }
}
