package dev.lance4j.scan.internal.column;

import dev.lance4j.scan.expr.BoundExpression;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** A column that a plan gives. */
public sealed interface OutputColumn {
  /** The column as Arrow sees it. */
  Field field();

  /** What it is, for people. */
  String describe();

  /**
   * A stored column or a field of one.
   *
   * @param need what must be read
   * @param below the names from the top-level column to the field; none for the column as it is
   *     read
   * @param jsonText whether what is read is binary JSON, which is given as text
   */
  record Part(ColumnNeed need, List<String> below, boolean jsonText, Field field)
      implements OutputColumn {
    @Override
    public String describe() {
      return OutputColumn.describe(field.getName(), FieldPath.format(path()));
    }

    private List<String> path() {
      return need.paths().size() == 1 ? need.paths().get(0) : List.of(need.column());
    }
  }

  /** A column that follows from where a row is. */
  record Place(VirtualColumn column, Field field) implements OutputColumn {
    @Override
    public String describe() {
      return OutputColumn.describe(field.getName(), column.columnName());
    }
  }

  /** The value of an expression. */
  record Computed(BoundExpression expression, Field field) implements OutputColumn {
    @Override
    public String describe() {
      return field.getName() + " = " + expression;
    }
  }

  private static String describe(String name, String origin) {
    return name.equals(origin) ? name : name + " = " + origin;
  }
}
