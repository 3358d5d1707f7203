package dev.lance4j.scan.internal.column;

import dev.lance4j.format.schema.FieldPath;
import dev.lance4j.scan.expr.BoundExpression;
import dev.lance4j.scan.internal.nearest.RowDistances;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;

/** A column that a plan gives. */
public sealed interface OutputColumn {
  /** The column as Arrow sees it. */
  Field field();

  /** What it is, for people. */
  String describe();

  /** What is made of a column between reading and giving it. */
  enum Change {
    NONE,
    /** Binary JSON is given as text. */
    JSON_TEXT,
    /** Descriptors of blobs are replaced by their bytes. */
    BLOB_BYTES
  }

  /**
   * A stored column or a field of one.
   *
   * @param need what must be read
   * @param below the names from the top-level column to the field; none for the column as it is
   *     read
   * @param change what is made of what is read
   */
  record Part(ColumnNeed need, List<String> below, Change change, Field field)
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

  /**
   * How far rows are from a query.
   *
   * @param vectors what is measured
   */
  record Distance(Part vectors, RowDistances distances, Field field) implements OutputColumn {
    @Override
    public String describe() {
      return distances.metric() + " distance of " + vectors.field().getName();
    }
  }

  /**
   * What a search says of a row that it found.
   *
   * @param origin the name that the search gives it
   */
  record Found(String origin, Field field) implements OutputColumn {
    @Override
    public String describe() {
      return OutputColumn.describe(field.getName(), origin);
    }
  }

  private static String describe(String name, String origin) {
    return name.equals(origin) ? name : name + " = " + origin;
  }
}
